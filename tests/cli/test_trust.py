"""`irtjax trust` as a user meets it, and the section that `irtjax rank` takes from it.

All tables have one shape and so many trials, so that what one test compiles serves all.
"""

import csv
import dataclasses
import io
import json
from pathlib import Path

import jax
import numpy as np
import pytest

from irtjax.cli._trust import _progress
from irtjax.data import read_table
from irtjax.ranking import RANKERS
from tests.report.test_trust import FOUND

from .commands import done, refused, rows_of, run

FEW = ("--replicates", 39)
FILE = ("scores.csv", "--score-is", "success")


@pytest.fixture(scope="module")
def text(root):
    return (root / "docs" / "examples" / "scores.csv").read_text()


@pytest.fixture(autouse=True)
def scores(tmp_path, text):
    (tmp_path / "scores.csv").write_text(text)


@pytest.fixture(scope="module")
def outcome(text, tmp_path_factory):
    """What the command prints, writes and draws for the example."""
    folder = tmp_path_factory.mktemp("trust")
    (folder / "scores.csv").write_text(text)
    before = jax.config.jax_persistent_cache_min_compile_time_secs
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JAX_COMPILATION_CACHE_DIR", "")
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        patch.chdir(folder)
        outputs = ("--json", "out.json", "--report", "out.html")
        result = done("trust", *FILE, *FEW, *outputs)
    jax.config.update("jax_compilation_cache_dir", None)
    jax.config.update("jax_persistent_cache_min_compile_time_secs", before)
    record = json.loads((folder / "out.json").read_text())
    return result, record, (folder / "out.html").read_text()


@pytest.mark.slow
def test_a_pipe_gets_the_rankers_alone(outcome):
    result, record, _ = outcome
    rows = rows_of(result.stdout)
    assert {row["ranker"] for row in rows} == set(RANKERS)
    rho = [float(row["rho"]) for row in rows]
    assert rho == sorted(rho, reverse=True)
    [use] = [row["ranker"] for row in rows if row["use"] == "yes"]
    assert use == record["verdict"]["ranker"]
    for row in rows:
        assert float(row["rho_lower"]) <= float(row["rho"]) <= float(row["rho_upper"])
        shown = record["expected"][row["ranker"]]
        assert float(row["top1_miss"]) == pytest.approx(shown["top1_miss"], abs=1e-6)


@pytest.mark.slow
def test_the_verdict_is_said_first_then_what_bears_on_it(outcome):
    result, record, _ = outcome
    said = result.stderr
    assert "8 systems x 12 items" in said
    verdict, facts = said.index("Verdict: good"), said.index("Sparsity S = 0.42")
    assert verdict < said.index("- On tables like this one") < facts
    assert "The plain average is not safe here" in said
    assert "Stronger systems ran harder items" in said
    for needed in (
        "D = ",
        "Connectivity",
        "Missing cells",
        "Negative control",
        "halves",
    ):
        assert needed in said[facts:], needed
    assert "39 simulated tables" in said
    assert "\x1b" not in said
    assert record["replicates"] == 39
    assert record["verdict"]["average_safe"] is False


@pytest.mark.slow
def test_the_cells_that_would_help_are_open(outcome):
    result, record, page = outcome
    table = read_table("scores.csv", score_is="success")
    seen = np.asarray(table.responses.observed())
    cells = record["next_cells"]["cells"]
    assert len(cells) == 5
    for cell in cells:
        system = table.system_ids.index(cell["system"])
        assert not seen[system, table.item_ids.index(cell["item"])]
    assert f"{cells[0]['system']} on {cells[0]['item']} (" in result.stderr
    assert "What would help most" in page


@pytest.mark.slow
def test_the_page_holds_the_verdict(outcome):
    _, record, page = outcome
    assert "Can scores.csv be trusted?" in page
    assert "Verdict: good" in page
    assert f"{record['verdict']['ranker']} (use this)" in page


@pytest.mark.slow
def test_the_same_seed_gives_the_same_answer(outcome):
    _, record, _ = outcome
    done("trust", *FILE, *FEW, "--json", "again.json")
    assert json.loads(Path("again.json").read_text()) == record
    done("trust", *FILE, *FEW, "--seed", 1, "--json", "other.json")
    assert json.loads(Path("other.json").read_text())["expected"] != record["expected"]


def write(path, keep, text):
    """Write a table of the example's shape, with chances by place, where `keep` says."""
    systems = sorted({row["system"] for row in csv.DictReader(io.StringIO(text))})
    lines = ["system,item,successes,trials"]
    for j, system in enumerate(systems):
        for i in range(12):
            if keep(j, i):
                right = min(max(5 + i // 2 - j, 0), 10)
                lines.append(f"{system},task-{i:02d},{right},10")
    Path(path).write_text("\n".join(lines))


@pytest.mark.slow
def test_a_complete_table_has_no_cell_to_run(text):
    write("full.csv", lambda j, i: True, text)
    result = done("trust", "full.csv", "--score-is", "success", *FEW)
    assert "Missing cells: none." in result.stderr
    assert "every cell has a result" in result.stderr


@pytest.mark.slow
def test_two_blocks_are_not_comparable(text):
    write("blocks.csv", lambda j, i: (j < 4) == (i < 6), text)
    outputs = ("--json", "out.json")
    result = done("trust", "blocks.csv", "--score-is", "success", *FEW, *outputs)
    assert "Verdict: not all systems can be compared" in result.stderr
    assert "share no items" in result.stderr
    record = json.loads(Path("out.json").read_text())
    assert record["verdict"]["average_safe"] is None
    assert record["not_comparable"]


@pytest.mark.slow
def test_scores_without_trials(text):
    rows = ["system," + ",".join(f"t{i}" for i in range(12))]
    for j in range(8):
        cells = (f"{min(max(0.5 + 0.05 * i - 0.1 * j, 0), 1):.2f}" for i in range(12))
        rows.append(
            f"s{j}," + ",".join("" if i == j else c for i, c in enumerate(cells))
        )
    Path("shares.csv").write_text("\n".join(rows))
    how = ("--systems-in", "rows", "--score-is", "success")
    result = done("trust", "shares.csv", *how, *FEW, "--assume-trials", 10)
    assert "share of successes in 10 trials" in result.stderr
    assert "Cells that would help most" in result.stderr


@pytest.mark.slow
def test_a_ranking_takes_the_section(outcome, monkeypatch):
    monkeypatch.setattr("irtjax.ranking.trust._trust.REPLICATES", 39)
    result = done("rank", *FILE, "--trust", "--report", "out.html")
    page = Path("out.html").read_text()
    assert "Can it be trusted?" in page
    assert "Verdict: good" in page
    assert rows_of(result.stdout)[0]["system"] == "alder"
    assert "--report" in refused("rank", *FILE, "--trust")


def test_what_is_refused(text):
    assert "--replicates must be at least 39" in refused(
        "trust", *FILE, "--replicates", 5
    )
    assert "trial counts" in refused("trust", *FILE, "--assume-trials", 8)
    assert "is the input" in refused("trust", *FILE, "--json", "scores.csv")
    assert "no such file" in refused("trust", "absent.csv")
    Path("one.csv").write_text("system,a,b\nx,1,0\ny,,\n")
    assert "two systems" in refused("trust", "one.csv", "--systems-in", "rows")


def test_no_ranker_that_works_is_exit_code_1(monkeypatch):
    from irtjax.ranking import trust as package

    for ranker, code in (("one_pl", 1), ("two_pl", 0)):  # failed on all tables, on some
        verdict = FOUND.verdict._replace(ranker=ranker)
        found = dataclasses.replace(FOUND, verdict=verdict, missing=None)
        monkeypatch.setattr(package, "trust", lambda *_, found=found, **__: found)
        assert run("trust", *FILE).exit_code == code


def test_progress_is_for_terminals_alone(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    for stream, drawn in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr("sys.stderr", stream)
        with _progress(3) as tell:
            tell("drawing truths")
            tell("two_pl")
        assert ("ranking simulated tables by two_pl" in stream.getvalue()) == drawn
