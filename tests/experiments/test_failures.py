"""Searches for failures are counted right, resumed, and reported from records alone."""

import re
import subprocess
import sys

import hydra
import numpy as np
import polars as pl
import pytest

from experiments import _failure_report, _runtime
from experiments._failure_rows import (
    OFFLINE,
    POOL_METHODS,
    ROW,
    WRITERS,
    condition_rows,
    search_by_writing,
)
from experiments._failure_tables import FIGURES, curves, failures_table
from experiments._failures_conf import FailuresConf, check_failures
from experiments._matrices import load_errors
from experiments._planted_text import errors_of, plant
from experiments._records import expand
from experiments._schema import SettingsError, typed
from experiments._stops import SETTINGS_ERRORS, explain
from experiments.failures import most_failures
from experiments.report import write_report
from irtjax.active.offline import draw_world

METHODS = ["failures", "random", "writing", "random_questions"]


def settings(**changes):
    return {
        "where": OFFLINE,
        "method": "failures",
        "picks": 6,
        "seeds": 2,
        "x64": True,
    } | changes


@pytest.fixture
def matrices(tmp_path):
    """A folder with a small matrix by the name of a real one."""
    rng = np.random.default_rng(0)
    hard = rng.random(30)
    error = (rng.random((30, 5)) < hard[:, None]).astype(int)
    table = pl.DataFrame(
        {"id": range(30)} | {f"label_{k}": error[:, k] for k in range(5)}
    )
    table.write_csv(tmp_path / "gqa_labels.csv")
    return tmp_path


def test_a_matrix_has_a_row_for_every_target_and_draw(matrices):
    error = load_errors("gqa", matrices)
    fixed = condition_rows(settings(where="gqa"), matrices)
    drawn = condition_rows(settings(where="gqa", method="random"), matrices)
    assert dict(fixed.schema) == dict(drawn.schema) == ROW
    assert fixed["target"].to_list() == [0, 1, 2, 3, 4]
    assert drawn.height == 10
    for row in fixed.to_dicts():
        assert row["failures"] == sum(row["failed"])
        assert row["novel"] == sum(row["new"]) <= row["failures"]
        assert row["failures"] <= error[:, row["target"]].sum()
        assert 0 <= row["entropy"] <= 1
        assert row["asked"] == 6
    means = failures_table(pl.concat([fixed, drawn]))
    assert means["failures"][0] > means["failures"][1]


def test_a_search_of_more_than_there_is_asks_everything(matrices):
    error = load_errors("gqa", matrices)
    rows = condition_rows(settings(where="gqa", picks=100), matrices)
    assert rows["asked"].to_list() == [30] * 5
    np.testing.assert_allclose(rows["failures"], error.sum(axis=0))


@pytest.mark.parametrize("method", ["novelty", "writing"])
def test_the_offline_world_has_a_row_for_every_seed(method, tmp_path):
    rows = condition_rows(settings(method=method, picks=4, seeds=1), tmp_path)
    assert rows["seed"].to_list() == [0]
    assert (rows["asked"] <= 4).all()
    again = condition_rows(settings(method=method, picks=4, seeds=1), tmp_path)
    assert again.equals(rows)


def test_ways_of_writing_differ_in_their_anchors():
    world = draw_world(0)
    found = [search_by_writing(way, world, 3, 0).written for way in WRITERS]
    assert len({tuple(one.question.text for one in way) for way in found}) == 3


def test_curves_add_up():
    row = dict.fromkeys(ROW, 0.0) | {"where": "x", "method": "m", "target": 0}
    first = row | {"seed": 0, "asked": 2, "failed": [1.0, 0.0], "new": [0.0, 0.0]}
    second = row | {"seed": 1, "asked": 2, "failed": [1.0, 1.0], "new": [1.0, 0.0]}
    runs = pl.DataFrame([first, second], schema=ROW)
    line = curves(runs, "failed").sort("at")
    assert line["mean"].to_list() == [1.0, 1.5]
    assert line["error"].to_list() == [0.0, 0.5]
    assert curves(runs, "new").sort("at")["mean"].to_list() == [0.5, 0.5]
    assert set(FIGURES) <= set(failures_table(runs).columns)


def test_every_method_is_explained():
    assert set(_failure_report.MEANING) == {*POOL_METHODS, *WRITERS}


@pytest.mark.slow
def test_the_application_runs_resumes_and_reports(root, tmp_path):
    small = ["picks=3", "seeds=1", f"method=[{','.join(METHODS)}]", f"out={tmp_path}"]
    command = [sys.executable, "-m", "experiments.failures", *small]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (page,) = (tmp_path / "reports").glob("*.html")
    assert re.search(r"Report: .*html", done.stdout)
    text = page.read_text()
    assert all(f">{method}<" in text for method in METHODS)
    (grid,) = (tmp_path / "grids").glob("*.json")
    times = {path: path.stat().st_mtime_ns for path in tmp_path.glob("failures/*/*")}
    assert len(times) == 2 * len(METHODS)
    page.unlink()
    assert write_report(grid, tmp_path) == page
    assert page.read_text() == text
    assert {path: path.stat().st_mtime_ns for path in times} == times


def composed(*overrides):
    with hydra.initialize_config_dir(str(_runtime.CONF), version_base="1.3"):
        return typed(hydra.compose("failures", list(overrides)))


def test_the_defaults_pass_and_fingerprints_leave_folders_out(tmp_path):
    cfg = composed()
    assert isinstance(cfg, FailuresConf)
    check_failures(cfg)
    here = expand("failures", cfg, recipe=1)
    assert len(here) == len(POOL_METHODS) + len(WRITERS)
    assert np.isnan(most_failures(expand("failures", composed("out=/none"), recipe=1)))
    there = expand("failures", composed("folder=elsewhere"), recipe=1)
    assert [c.fingerprint for c in here] == [c.fingerprint for c in there]
    assert next(iter(here)).label.startswith("offline failures")


@pytest.mark.parametrize(
    ("override", "answer"),
    [
        ("where=[gqu]", "'where' knows no 'gqu'. Did you mean 'gqa'?"),
        ("method=[novely]", "'method' knows no 'novely'. Did you mean 'novelty'?"),
        ("method=[]", "'method' is empty: give at least one value."),
        ("picks=0", "'picks' is at least 1, got 0."),
        ("shard=2", "'shard' counts from 0"),
    ],
)
def test_a_wrong_setting_is_answered_with_the_right_one(override, answer):
    with pytest.raises(SETTINGS_ERRORS) as caught:
        check_failures(composed(override))
    message = explain(caught.value, "failures")
    assert "\n" not in message
    assert message.startswith(answer)


def test_questions_are_not_written_for_a_matrix(matrices):
    with pytest.raises(SettingsError, match="writes questions, which a matrix cannot"):
        check_failures(composed("where=[gqa]", f"folder={matrices}"))
    check_failures(composed("where=[gqa]", "method=[random]", f"folder={matrices}"))
    with pytest.raises(SettingsError, match=r"no chembench_labels\.csv in"):
        check_failures(composed("where=[chembench]", f"folder={matrices}"))


def test_planted_items_hang_on_few_directions():
    items = plant(0, items=50, systems=5, width=8, directions=2)
    assert items.latent.shape == (50, 2)
    np.testing.assert_allclose(np.linalg.norm(items.embedding, axis=1), 1)
    assert set(np.unique(items.error)) == {0.0, 1.0}
    assert errors_of(items.error, float).shape == (50, 5)
