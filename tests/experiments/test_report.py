"""A report is made of records alone, and says what is missing."""

import io
import json
import math
import re
import subprocess
import sys

import polars as pl
import pytest

from experiments import _records
from experiments._records import save_grid
from experiments._regression import TERMS
from experiments._schema import SweepConf
from experiments._surface_figures import (
    MOST_LINES,
    error_maps,
    pair_map,
    rho_lines,
    told_apart,
)
from experiments._surface_tables import regression_table
from experiments._sweep_report import write_files
from experiments._tables import RUN, SUCCESS, condition_table, usable
from experiments.report import write_report
from experiments.sweep import mean_error
from irtjax.ranking import DEFAULT_RANKER

FACTS = {
    "commit": "unknown",
    "versions": {"jax": "1"},
    "device": "cpu",
    "seconds": 0.5,
    "codes": {SUCCESS: 4},
}


def made_rows(settings):
    seeds, rankers = settings["seeds"], ("average", "two_pl")
    count = seeds * len(rankers)
    error = settings["sparsity"] * settings["gap"] / 10
    spread = [1 - error * (1 + seed / 10) for seed in range(seeds)]
    return pl.DataFrame(
        {
            **{name: [settings.get(name)] * count for name in RUN},
            "seed": [*range(seeds)] * 2,
            "ranker": [name for name in rankers for _ in range(seeds)],
            "observed": [1 - settings["sparsity"]] * count,
            "spearman": spread + [1.0] * seeds,
            "kendall": spread + [1.0] * seeds,
            "top1_miss": [0.0] * count,
            "code": [SUCCESS] * (count - 1) + ["stalled"],
        },
        schema=RUN,
    )


@pytest.fixture
def conditions(tmp_path):
    cfg = SweepConf(
        out=str(tmp_path), sparsity=[0.0, 0.3, 0.6], gap=[1.0, 3.0], seeds=2
    )
    found = _records.expand("sweep", cfg, recipe=1)
    for condition in list(found)[:-1]:
        condition.finish(made_rows(condition.settings), FACTS)
    list(found)[-1].fail("Traceback\nValueError: out of luck")
    return found


def test_every_file_is_written_and_the_page_needs_no_network(conditions, tmp_path):
    path = write_files("mine", conditions, tmp_path / "reports")
    html = path.read_text()
    names = {p.name for p in (path.parent / "mine").iterdir()}
    figures = {"error-mcar", "error-assortative", "rho-mcar", "rho-assortative"}
    assert names == {"runs.parquet", "conditions.parquet"} | {
        f"{figure}.{kind}" for figure in figures for kind in ("svg", "png")
    }
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", html)
    runs = pl.read_parquet(path.parent / "mine" / "runs.parquet")
    assert runs.height == 11 * 4
    assert dict(runs.schema) == RUN


def test_what_is_missing_is_said_with_its_reason(conditions, tmp_path):
    html = write_files("mine", conditions, tmp_path / "reports").read_text()
    assert "1 of 12 conditions have no record" in html
    assert "ValueError: out of luck" in html


def test_the_same_records_give_the_same_bytes(conditions, tmp_path):
    one = write_files("mine", conditions, tmp_path / "one")
    two = write_files("mine", conditions, tmp_path / "two")
    assert one.read_bytes() == two.read_bytes()
    for path in (tmp_path / "one" / "mine").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / "mine" / path.name).read_bytes()


def test_a_grid_without_records_still_has_a_page(tmp_path):
    empty = _records.expand("sweep", SweepConf(out=str(tmp_path)), recipe=1)
    assert "not run yet" in write_files("none", empty, tmp_path / "r").read_text()


def test_means_leave_out_what_was_not_solved_and_count_it(conditions):
    rows = made_rows({**next(iter(conditions)).settings, "sparsity": 0.3})
    table = condition_table(rows)
    row = table.filter(pl.col("ranker") == "two_pl").to_dicts()[0]
    assert (row["runs"], row["usable"], row["spearman_mean"]) == (2, 1, 1.0)
    average = table.filter(pl.col("ranker") == "average").to_dicts()[0]
    rho = rows.filter(pl.col("ranker") == "average")["spearman"].to_numpy()
    assert average["spearman_mean"] == pytest.approx(rho.mean(), abs=1e-15)
    assert average["spearman_sd"] == pytest.approx(rho.std(), abs=1e-15)
    assert average["spearman_mcse"] == pytest.approx(rho.std() / 2**0.5, abs=1e-15)


def test_tables_hold_no_time_of_writing(conditions):
    """Bytes of a Parquet file: no clock, no machine."""
    data = io.BytesIO()
    made_rows(next(iter(conditions)).settings).write_parquet(data)
    metadata = pl.read_parquet_metadata(io.BytesIO(data.getvalue()))
    assert set(metadata) <= {"ARROW:schema"}
    assert json.dumps(metadata)


def test_the_regression_has_a_row_a_term_where_the_error_varies(conditions):
    table = regression_table(conditions.runs())
    # The 2PL is always right here, so it has no regression; mcar lacks a cell.
    names = {(row[0], row[1]) for row in table.rows}
    assert names == {("average", "assortative"), ("average", "mcar")}
    assert len(table.rows) == 2 * len(TERMS)
    few = conditions.runs().filter(pl.col("sparsity") == 0.3)
    assert "fewer" in regression_table(few).body


def test_more_lines_than_can_be_told_apart_make_more_figures(conditions):
    runs = conditions.runs().filter(pl.col("mask") == "mcar")
    names = [f"ranker_{k}" for k in range(MOST_LINES + 2)]
    many = pl.concat(
        runs.filter(pl.col("ranker") == "average").with_columns(ranker=pl.lit(name))
        for name in names
    )
    figures = list(rho_lines(many, "mcar"))
    assert len(figures) == 2
    assert len({figure.name for figure in figures}) == 2
    assert error_maps(many, "mcar").name == "error-mcar"


def test_figures_share_their_lines_evenly():
    names = [f"ranker_{k}" for k in range(MOST_LINES + 1)]
    parts = list(told_apart(names))
    assert [first for first, _ in parts] == [0, len(parts[0][1])]
    assert [name for _, part in parts for name in part] == names
    sizes = [len(part) for _, part in parts]
    assert max(sizes) - min(sizes) <= 1
    assert list(told_apart([])) == []


def test_the_default_is_pictured_beside_the_average_if_both_ran(conditions):
    runs = conditions.runs().filter(pl.col("mask") == "mcar")
    assert pair_map(runs, "mcar") is None
    default = pl.col("ranker").replace("two_pl", DEFAULT_RANKER)
    pair = pair_map(runs.with_columns(default), "mcar")
    assert pair is not None
    assert pair.name == "pair-mcar"


def test_the_command_reports_what_was_swept_and_knows_the_names(
    conditions, root, tmp_path
):
    save_grid(conditions, tmp_path / "grids", "mine")

    def run(*overrides):
        command = [sys.executable, "-m", "experiments.report", f"out={tmp_path}"]
        return subprocess.run(
            [*command, *overrides], cwd=root, capture_output=True, text=True
        )

    done = run()
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"Report: {tmp_path / 'reports' / 'mine.html'}\n"
    wrong = run("name=mien")
    assert wrong.returncode == 2
    assert wrong.stderr == "report: No grid 'mien' was run. Did you mean 'mine'?\n"


def test_a_grid_is_reported_from_its_file(conditions, tmp_path):
    grid = save_grid(conditions, tmp_path / "grids", "mine")
    assert write_report(grid, tmp_path) == tmp_path / "reports" / "mine.html"


def test_mean_error_is_over_usable_runs(conditions):
    assert mean_error(conditions, "two_pl") == 0
    rho = usable(conditions.runs()).filter(pl.col("ranker") == "average")["spearman"]
    assert mean_error(conditions, "average") == pytest.approx(1 - rho.to_numpy().mean())
    assert math.isnan(mean_error(conditions, "absent"))
