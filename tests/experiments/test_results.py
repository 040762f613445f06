"""The page of results is written from records, and says what it lacks."""

import pytest

from experiments import _markdown, results
from experiments._findings import Findings
from experiments._records import expand, load_grid, save_grid
from experiments._schema import ResultsConf, SweepConf
from experiments._tables import RUN
from irtjax.report import Column, Table, Verdict
from tests.experiments.made_grids import fill


@pytest.fixture
def out(tmp_path):
    """A complete grid of trials and an incomplete one of misfit."""
    cfg = SweepConf(
        out=str(tmp_path),
        simulator=["jax"],
        mask=["assortative"],
        trials=[1, 100],
        seeds=3,
    )
    whole = expand("sweep", cfg, recipe=1)
    fill(whole, RUN, lambda settings, ranker, seed: 0.9 + 0.01 * seed)
    save_grid(whole, tmp_path / "grids", "trials")
    cfg.simulator = ["jax", "guessing"]
    save_grid(expand("sweep", cfg, recipe=1), tmp_path / "grids", "misfit")
    return tmp_path


def test_the_page_has_what_is_complete_and_names_the_rest(out, capsys):
    page = out / "docs" / "results.md"
    page.parent.mkdir()
    results.write_page(ResultsConf(out=str(out), page=str(page)))
    text = page.read_text()
    assert results.COMMAND in text
    assert "## Few answers a cell" in text
    assert "python -m experiments.sweep +grid=trials" in text
    assert "Commit abc" in text
    assert "at K = 1 the best ranker is average, mean ρ 0.910" in text
    assert "misfit" not in text.lower()
    said = capsys.readouterr().out
    assert f"Written: {page}" in said
    assert "misfit (python -m experiments.sweep +grid=misfit)" in said
    again = page.read_bytes()
    results.write_page(ResultsConf(out=str(out), page=str(page)))
    assert page.read_bytes() == again


def test_no_grid_at_all_is_said_in_one_line(tmp_path):
    with pytest.raises(results.SettingsError, match="No grid is complete"):
        results.write_page(ResultsConf(out=str(tmp_path)))


def test_every_grid_of_the_page_is_one_that_its_command_stores(out):
    for name, entry in results.ENTRIES.items():
        assert entry.command.startswith("python -m experiments.")
        application, *overrides = entry.command.split("experiments.")[1].split()
        # Any other override would be part of the stored name.
        if overrides:
            assert overrides == [f"+grid={name}"]
        else:
            assert application == name
    stored = load_grid(out / "grids" / "trials.json", out)
    assert results.section(results.ENTRIES["trials"], stored).startswith("## Few")


def test_findings_as_markdown():
    table = Table(
        "Caption.", (Column("A|B"), Column("C", 1)), (("x", 1.25), ("y", None))
    )
    verdict = Verdict("c", "p", "o", "holds", "w")
    found = Findings("Why?", ("One.", "Two."), (verdict,), (table,))
    text = _markdown.section("Title", found, "Made by me.")
    assert text.startswith("## Title\n\nWhy?\n\n- One.\n- Two.\n\nCaption.\n\n")
    assert "| A\\|B | C |\n| --- | --- |\n| x | 1.2 |\n| y | – |" in text
    assert "| c | p | o | holds |" in text
    assert _markdown.verdict_table(()) == ""
