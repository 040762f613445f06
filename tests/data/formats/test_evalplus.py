"""Results of EvalPlus."""

import numpy as np
import pytest

from irtjax.data import DataError
from irtjax.data.formats import read_evalplus

from .written import dump, evalplus

GOOD, HALF, BAD, LATE = (
    ("pass", "pass"),
    ("pass", "fail"),
    ("fail", "pass"),
    ("timeout", "timeout"),
)


def results(folder):
    evalplus(
        folder, "one_temp_0.8", {"HumanEval/0": [GOOD, HALF], "HumanEval/1": [BAD]}
    )
    evalplus(folder, "two_temp_0.8", {"HumanEval/0": [LATE]}, hash="other")
    return folder


@pytest.mark.parametrize(
    ("metric", "successes"), [("base", [[2, 0], [0, 0]]), ("plus", [[1, 0], [0, 0]])]
)
def test_samples_are_trials(metric, successes, tmp_path):
    table = read_evalplus(results(tmp_path), metric=metric)
    assert table.system_ids == ("one_temp_0.8", "two_temp_0.8")
    assert table.item_ids == ("HumanEval/0", "HumanEval/1")
    np.testing.assert_array_equal(table.responses.trials, [[2, 1], [1, 0]])
    np.testing.assert_array_equal(table.responses.successes, successes)
    assert table.trials_from == "repeated runs of an item"
    assert any("different versions of the tests" in note for note in table.notes)


def test_which_tests_must_be_said_where_both_were_run(tmp_path):
    with pytest.raises(DataError, match=r"several: base, plus\. Name .*metric="):
        read_evalplus(results(tmp_path))


def test_base_alone_needs_no_word(tmp_path):
    for system in ("a", "b"):
        evalplus(tmp_path, system, {t: [("pass", None)] for t in ("Mbpp/2", "Mbpp/3")})
    assert read_evalplus(tmp_path).responses.trials.tolist() == [[1, 1], [1, 1]]


def test_the_form_of_version_0_2(tmp_path):
    old = {"nfiles": 1, "base": [["success", []]], "plus": [["failed", []]]}
    for system in ("a", "b"):
        path = tmp_path / system / "eval_results.json"
        dump(path, {"hash": "h", "eval": {"HumanEval/0": old, "HumanEval/1": old}})
    table = read_evalplus(tmp_path, metric="base")
    assert table.system_ids == ("a", "b")
    assert table.responses.successes.tolist() == [[1, 1], [1, 1]]


def test_unknown_statuses_and_shapes_are_named(tmp_path):
    evalplus(tmp_path, "a", {"HumanEval/0": [("pass", "pass"), ("broken", "pass")]})
    with pytest.raises(
        DataError, match=r"a_eval_results\.json, key 'HumanEval/0', s.*2"
    ):
        read_evalplus(tmp_path)
    dump(tmp_path / "a_eval_results.json", {"eval": {"HumanEval/0": 3}})
    with pytest.raises(DataError, match="must hold a list of samples"):
        read_evalplus(tmp_path)
    dump(tmp_path / "a_eval_results.json", {"x": 1})
    with pytest.raises(DataError, match="the key 'eval' must hold an object"):
        read_evalplus(tmp_path)
