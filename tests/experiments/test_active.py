"""Evaluations are compared, resumed, and reported from records alone."""

import re
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

from experiments import _active_report
from experiments._active_conf import ActiveConf, check_active, matrices_folder
from experiments._active_rows import (
    POOLED,
    ROW,
    curve_table,
    result_rows,
    samples_table,
    target_table,
)
from experiments._active_verdicts import CLAIM, verdicts
from experiments._leave_one_out import Results
from experiments._matrices import load_errors, shared_matrices
from experiments._records import expand
from experiments._schema import SettingsError
from experiments.active import mean_error

FACTS = {"commit": "unknown", "versions": {"jax": "1"}, "device": "cpu", "seconds": 0.5}


@pytest.fixture
def folder(tmp_path):
    """Two small matrices."""
    generator = np.random.default_rng(0)
    for name, items in (("one", 40), ("two", 30)):
        errors = (generator.random((items, 5)) < 0.4).astype(int)
        columns = {f"label_{k}": errors[:, k] for k in range(5)}
        table = pl.DataFrame({"index": range(items)} | columns)
        table.write_csv(tmp_path / f"{name}_labels.csv")
    return tmp_path


def test_matrices_are_read_by_name(folder, monkeypatch):
    errors = load_errors("one", folder)
    assert errors.shape == (40, 5)
    monkeypatch.setenv("IRTJAX_SHARED", str(folder))
    assert shared_matrices() == folder / "data" / "matrices"


def settings(folder, **changes):
    given = {"matrix": ["one"], "method": ["random"], "folder": str(folder)}
    return ActiveConf(**(given | changes))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"matrix": ["three"]}, "there is no three_labels.csv"),
        ({"matrix": []}, "'matrix' is empty"),
        ({"method": ["aut"]}, "Did you mean 'auto'"),
        ({"budgets": [20, 10]}, "must ascend"),
        ({"budgets": [1, 10]}, "'budgets' is at least 2"),
        ({"seeds": 0}, "'seeds' is at least 1"),
        ({"shard": 1}, "shard=1"),
    ],
)
def test_settings_that_no_run_can_use_are_refused(folder, changes, words):
    check_active(settings(folder))
    with pytest.raises(SettingsError, match=words):
        check_active(settings(folder, **changes))


def test_the_folder_is_in_no_fingerprint(folder):
    assert matrices_folder(settings(folder)) == folder
    one, other = (
        next(iter(expand("active", settings(where), recipe=1))).fingerprint
        for where in (folder, folder / "x")
    )
    assert one == other


def rows(method, error, matrix="one", items=100, width=0.1):
    """Rows whose error is the same for every target and seed."""
    full = np.broadcast_to(np.asarray(error), (3, 2, len(error)))
    found = Results(full, np.full(full.shape, width), np.full(3, 0.4))
    condition = {"matrix": matrix, "method": method}
    return result_rows(condition, found, [10, 50, items], items)


def test_tables_hold_means_over_seeds_and_then_targets():
    runs = pl.concat(
        [rows("auto", [0.2, -0.05, 0.0]), rows("auto", [0.1, 0.05, 0.0], "two", 70)]
    )
    assert runs.schema == pl.Schema(ROW)
    assert np.isclose(mean_error(runs), np.mean([0.2, 0.05, 0.0, 0.1, 0.05, 0.0]))
    targets = target_table(runs)
    assert targets.height == 2 * 3 * 3
    curves = curve_table(targets)
    here = curves.filter((pl.col("matrix") == "one") & (pl.col("budget") == 10))
    assert here["mae"].to_list() == pytest.approx([0.2])
    assert here["coverage"].to_list() == [0.0]
    assert here["worst"].to_list() == pytest.approx([0.2])
    pooled = curves.filter(pl.col("matrix") == POOLED).sort("budget")
    assert pooled["budget"].to_list() == [-1, 10, 50]
    assert pooled["mae"].to_list() == pytest.approx([0.0, 0.15, 0.05])
    assert pooled["targets"].to_list() == [6, 6, 6]


def test_samples_and_the_published_claim():
    runs = pl.concat(
        [
            rows("auto", [0.009, 0.005, 0.0]),
            rows("proeval", [0.03, 0.02, 0.02]),
            rows("random", [0.1, 0.02, 0.0]),
        ]
    )
    samples = samples_table(curve_table(target_table(runs)))
    needed = {row["method"]: row["to_1"] for row in samples.to_dicts()}
    assert needed == {"auto": 10, "proeval": None, "random": 100}
    said = {verdict.claim: verdict for verdict in verdicts(samples)}
    assert said[f"{CLAIM}: auto on one"].outcome == "holds"
    assert said[f"{CLAIM}: proeval on one"].outcome == "does not hold"
    alone = samples.filter(pl.col("method") == "auto")
    assert {each.outcome for each in verdicts(alone)} == {"not run"}
    never = samples.with_columns(to_1=pl.lit(None, pl.Int64))
    assert {each.outcome for each in verdicts(never)} == {"not reproducible"}


def test_a_page_from_records_alone(folder, tmp_path):
    cfg = settings(
        folder, method=["auto", "proeval", "random"], out=str(tmp_path / "out")
    )
    conditions = expand("active", cfg, recipe=1)
    empty = _active_report.write_files("none", conditions, tmp_path)
    assert "have no record" in empty.read_text()
    for condition in conditions:
        found = rows(condition.settings["method"], [0.2, 0.05, 0.0])
        condition.finish(found, FACTS | {"codes": {}})
    page = _active_report.write_files("mine", conditions, tmp_path).read_text()
    assert CLAIM in page
    assert re.search(r"Error against budget", page)
    assert (tmp_path / "mine" / "curves.parquet").exists()
    assert (tmp_path / "mine" / "mae-one.png").exists()


@pytest.mark.slow
def test_a_run_from_the_command_line_goes_on_where_it_stopped(root, folder, tmp_path):
    command = [
        sys.executable,
        "-m",
        "experiments.active",
        "matrix=[one]",
        "method=[systematic_mean,proeval]",
        "budgets=[5]",
        "seeds=2",
        f"folder={folder}",
        f"out={tmp_path / 'out'}",
    ]

    def run(*more):
        return subprocess.run(
            [*command, *more], cwd=root, capture_output=True, text=True, check=False
        )

    first = run()
    assert first.returncode == 0, first.stderr
    records = sorted((tmp_path / "out" / "active").glob("*/record.json"))
    assert len(records) == 2
    before = [record.stat().st_mtime_ns for record in records]
    assert run().returncode == 0
    assert [record.stat().st_mtime_ns for record in records] == before
    wrong = run("method=[aut]")
    assert wrong.returncode == 2
    assert "Did you mean 'auto'" in wrong.stderr
