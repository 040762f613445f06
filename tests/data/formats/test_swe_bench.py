"""Results of SWE-bench: submissions, and reports of its harness."""

import numpy as np
import pytest

from irtjax.data import DataError
from irtjax.data.formats import read_swe_bench

from .written import dump, report, submission


def verified(folder):
    split = folder / "evaluation" / "verified"
    submission(split, "20240101_one", ["r-1", "r-2"])
    submission(split, "20240202_two", ["r-3"], no_generation=["r-1"], no_logs=["r-2"])
    return split


def test_what_a_submission_does_not_name_was_tried_in_vain(tmp_path):
    table = read_swe_bench(verified(tmp_path), not_scored="failure")
    assert table.system_ids == ("20240101_one", "20240202_two")
    assert table.item_ids == ("r-1", "r-2", "r-3")
    np.testing.assert_array_equal(table.responses.successes, [[1, 1, 0], [0, 0, 1]])
    np.testing.assert_array_equal(table.responses.trials, np.ones((2, 3)))
    assert "2 results without a verdict of the tests: failure." in table.notes


def test_no_verdict_is_missing_on_request(tmp_path):
    table = read_swe_bench(verified(tmp_path), not_scored="missing")
    np.testing.assert_array_equal(table.responses.trials, [[1, 1, 1], [0, 0, 1]])


def test_no_verdict_must_be_settled(tmp_path):
    message = r"two/results/results\.json, key 'no_generation': r-1 .*not_scored="
    with pytest.raises(DataError, match=message):
        read_swe_bench(verified(tmp_path))


def test_splits_are_not_mixed(tmp_path):
    verified(tmp_path)
    submission(tmp_path / "evaluation" / "lite", "20240101_one", ["r-1"])
    with pytest.raises(DataError, match=r"several splits \(lite, verified\)"):
        read_swe_bench(tmp_path / "evaluation")


def test_reports_of_the_harness(tmp_path):
    report(tmp_path, "one.run", resolved=["r-1"], unresolved=["r-2", "r-3"])
    report(
        tmp_path,
        "two.run",
        unresolved=["r-1", "r-4"],
        empty_patch=["r-2"],
        incomplete=["r-3"],
        infra_failure=["r-4"],
    )
    table = read_swe_bench(tmp_path, not_scored="failure")
    assert table.system_ids == ("one.run", "two.run")
    column = [table.item_ids.index(f"r-{k}") for k in (1, 2, 3, 4)]
    trials = np.asarray(table.responses.trials)[:, column]
    # Without a prediction an instance was not run, whatever else counts as failure.
    np.testing.assert_array_equal(trials, [[1, 1, 1, 0], [1, 1, 0, 1]])
    assert float(table.responses.successes.sum()) == 1
    missing = read_swe_bench(tmp_path, not_scored="missing").responses.trials
    np.testing.assert_array_equal(
        np.asarray(missing)[:, column], [[1, 1, 1, 0], [1, 0, 0, 0]]
    )
    with pytest.raises(DataError, match=r"two\.run\.json, key 'empty_patch_ids': r-2"):
        read_swe_bench(tmp_path)


def test_files_that_are_no_results(tmp_path):
    path = dump(tmp_path / "one" / "results" / "results.json", {"resolved": "r-1"})
    with pytest.raises(DataError, match=r"the key 'resolved' must hold a list"):
        read_swe_bench(tmp_path)
    dump(path, {"resolved": [1]})
    with pytest.raises(DataError, match=r"key 'resolved': 1 is not an instance's name"):
        read_swe_bench(tmp_path)
    dump(tmp_path / "else" / "a.json", {})
    with pytest.raises(DataError, match="no report of the harness"):
        read_swe_bench(tmp_path / "else")
