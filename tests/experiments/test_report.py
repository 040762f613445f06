"""A report is made of records alone, and says what is missing."""

import io
import json
import re

import polars as pl
import pytest

from experiments import _records
from experiments._schema import SweepConf
from experiments._sweep_report import write_files
from experiments._tables import RUN, SUCCESS, condition_table

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
