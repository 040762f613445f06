"""Logs of Inspect, written and read by the package of its own."""

import importlib.util
import sys

import numpy as np
import pytest

from irtjax.data import DataError, ScoreResponses
from irtjax.data.formats import detect_format, read_inspect

HERE = importlib.util.find_spec("inspect_ai") is not None
needs_inspect = pytest.mark.skipif(not HERE, reason="inspect-ai is not installed")
# Of third parties, while their package is imported or its event loop closes.
quiet = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
pytestmark = quiet


def log(path, model, samples, task="quiz"):
    """Write a log; `samples` are (id, epoch, {scorer: value}, error)."""
    from inspect_ai.log import (
        EvalConfig,
        EvalDataset,
        EvalError,
        EvalLog,
        EvalSample,
        EvalSpec,
        write_eval_log,
    )
    from inspect_ai.scorer import Score

    made = [
        EvalSample(
            id=name,
            epoch=epoch,
            input="a question",
            target="an answer",
            scores={scorer: Score(value=value) for scorer, value in scores.items()},
            error=EvalError(message="boom", traceback="", traceback_ansi="")
            if error
            else None,
        )
        for name, epoch, scores, error in samples
    ]
    spec = EvalSpec(
        created="2025-01-01T00:00:00+00:00",
        task=task,
        model=model,
        dataset=EvalDataset(),
        config=EvalConfig(),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_eval_log(EvalLog(status="success", eval=spec, samples=made), str(path))
    return path


def epochs(*grades):
    """Two samples, the first in as many epochs as there are grades but one."""
    *first, second = grades
    rows = [("q1", k + 1, {"match": g}, False) for k, g in enumerate(first)]
    return [*rows, ("q2", 1, {"match": second}, False)]


@needs_inspect
@pytest.mark.parametrize("suffix", ["eval", "json"])
def test_epochs_are_trials(suffix, tmp_path):
    log(tmp_path / f"a.{suffix}", "org/one", epochs("C", "I", "C", "C"))
    log(tmp_path / f"b.{suffix}", "org/two", epochs("I", "N", "I", "C"))
    assert detect_format(tmp_path) == "inspect"
    table = read_inspect(tmp_path)
    assert table.system_ids == ("org/one", "org/two")
    assert table.item_ids == ("quiz/q1", "quiz/q2")
    np.testing.assert_array_equal(table.responses.trials, [[3, 1], [3, 1]])
    np.testing.assert_array_equal(table.responses.successes, [[2, 1], [0, 1]])


@needs_inspect
def test_partly_right_is_no_binary_answer(tmp_path):
    for name in ("a", "b"):
        log(tmp_path / f"{name}.json", name, epochs("P", "C", "I"))
    table = read_inspect(tmp_path)
    assert isinstance(table.responses, ScoreResponses)
    np.testing.assert_array_equal(table.responses.score, [[0.75, 0], [0.75, 0]])
    np.testing.assert_array_equal(table.responses.weight, [[2, 1], [2, 1]])


@needs_inspect
def test_several_scorers_must_be_settled(tmp_path):
    for name in ("a", "b"):
        scores = {"match": "C", "judge": {"tone": 0.5, "facts": 1}}
        rows = [(k, 1, scores, False) for k in (1, 2)]
        log(tmp_path / f"{name}.json", name, rows)
    with pytest.raises(DataError, match=r"several: judge/facts, judge/tone, match\."):
        read_inspect(tmp_path)
    assert read_inspect(tmp_path, metric="judge/facts").responses.shape == (2, 2)


@needs_inspect
def test_errors_and_unscored_samples_must_be_settled(tmp_path):
    log(tmp_path / "a.json", "one", epochs("C", "I"))
    broken = [
        ("q1", 1, {"match": "C"}, True),
        ("q2", 1, {"match": float("nan")}, False),
    ]
    log(tmp_path / "b.json", "two", [*broken, ("q3", 1, {"match": "C"}, False)])
    with pytest.raises(DataError, match=r"b\.json, sample 'q1', epoch 1: .*2 such sam"):
        read_inspect(tmp_path)
    missing = read_inspect(tmp_path, not_scored="missing").responses
    np.testing.assert_array_equal(missing.trials, [[1, 1, 0], [0, 0, 1]])
    failure = read_inspect(tmp_path, not_scored="failure").responses
    np.testing.assert_array_equal(failure.trials, [[1, 1, 0], [1, 1, 1]])
    assert failure.successes[1].tolist() == [0, 0, 1]


@needs_inspect
def test_values_that_are_no_grades_are_named(tmp_path):
    for name in ("a", "b"):
        log(tmp_path / f"{name}.json", name, epochs("C", "great"))
    with pytest.raises(DataError, match="sample 'q2', epoch 1: the value 'great'"):
        read_inspect(tmp_path)


@needs_inspect
def test_a_file_that_is_no_log(tmp_path):
    (tmp_path / "a.eval").write_bytes(b"PK")
    with pytest.raises(DataError, match=r"a\.eval: not a whole log of Inspect"):
        read_inspect(tmp_path)


def test_without_the_package_the_message_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    (tmp_path / "a.eval").write_bytes(b"PK")
    with pytest.raises(DataError, match=r"pip install 'irtjax\[inspect\]'"):
        read_inspect(tmp_path)
