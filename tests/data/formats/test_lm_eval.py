"""Sample logs of the lm-evaluation-harness."""

import json

import numpy as np
import pytest

from irtjax.data import BinomialResponses, DataError, ScoreResponses
from irtjax.data.formats import read_lm_eval, read_results

from .written import DATE, harness, lines, sample


def two_models(folder):
    """Two models, of which the second lacks a document of the second task."""
    for model, marks in (("org/one", (1, 0, 1)), ("two", (0, 0, 1))):
        arc = [sample(k, acc=float(m), acc_norm=1.0) for k, m in enumerate(marks)]
        harness(folder, model, "arc_easy", arc)
        rows = [
            sample(k, filter=sieve, exact_match=float(right))
            for sieve, right in (("strict-match", 0), ("flexible-extract", 1))
            for k in range(2 if model == "two" else 3)
        ]
        harness(folder, model, "gsm8k", rows)
    return folder


def test_models_are_systems_and_documents_items(tmp_path):
    table = read_lm_eval(
        two_models(tmp_path), metric=["acc", "exact_match"], filter="strict-match"
    )
    assert table.system_ids == ("org/one", "two")
    assert table.item_ids == (
        *(f"arc_easy/{k}" for k in range(3)),
        *(f"gsm8k/{k}" for k in range(3)),
    )
    assert isinstance(table.responses, BinomialResponses)
    np.testing.assert_array_equal(
        table.responses.successes, [[1, 0, 1, 0, 0, 0], [0, 0, 1, 0, 0, 0]]
    )
    # What a model did not run is not observed, and not wrong.
    np.testing.assert_array_equal(table.responses.trials, [[1] * 6, [1, 1, 1, 1, 1, 0]])
    said = " ".join(table.describe())
    assert "arc_easy: acc" in said
    assert "gsm8k: exact_match (strict-match)" in said


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, r"Task 'arc_easy' has several: acc, acc_norm\..*metric="),
        ({"metric": "f1"}, r"'arc_easy' has no metric 'f1'; there is: acc, acc_norm"),
        ({"metric": "acc"}, r"'gsm8k' has several: flexible-extract, strict-match"),
        (
            {"metric": "acc", "filter": "strict-match"},
            r"'gsm8k' has no metric 'acc'; there is: exact_match",
        ),
    ],
)
def test_what_is_open_must_be_said(options, message, tmp_path):
    with pytest.raises(DataError, match=message):
        read_lm_eval(two_models(tmp_path), **options)


def test_a_name_without_results_beside_is_the_folders(tmp_path):
    for model in ("a", "b"):
        lines(
            tmp_path / model / "samples_t.jsonl", [sample(k, acc=1.0) for k in range(2)]
        )
    assert read_lm_eval(tmp_path).system_ids == ("a", "b")


def test_fractions_stay_fractions(tmp_path):
    for model in ("a", "b"):
        harness(tmp_path, model, "t", [sample(0, f1=0.25), sample(1, f1=1.0)])
    table = read_lm_eval(tmp_path)
    assert isinstance(table.responses, ScoreResponses)
    np.testing.assert_array_equal(table.responses.score, [[0.25, 1], [0.25, 1]])


def test_other_questions_under_one_number_are_refused(tmp_path):
    harness(tmp_path, "a", "t", [sample(0, acc=1.0), sample(1, acc=1.0)])
    harness(
        tmp_path, "b", "t", [sample(0, acc=1.0), sample(1, acc=1.0, doc_hash="other")]
    )
    with pytest.raises(DataError, match=r"b/samples_t_.*, line 2: .*a/samples_t_.*, l"):
        read_lm_eval(tmp_path)


LATER = "2025-04-01T10-20-30.123456"


def run_twice(folder):
    harness(folder, "a", "t", [sample(0, acc=1.0), sample(1, acc=0.0)])
    harness(folder, "b", "t", [sample(0, acc=0.0), sample(1, acc=0.0)])
    harness(folder, "b", "t", [sample(0, acc=1.0), sample(1, acc=0.0)], date=LATER)
    return folder


def test_a_task_run_twice_is_refused_with_both_places(tmp_path):
    message = rf"samples_t_{LATER}.jsonl, line 1.*'b' already.*samples_t_{DATE}.jsonl"
    with pytest.raises(DataError, match=message):
        read_lm_eval(run_twice(tmp_path))


@pytest.mark.parametrize(
    ("duplicates", "successes", "trials"),
    [
        ("first", [0, 0], [1, 1]),
        ("last", [1, 0], [1, 1]),
        ("sum", [1, 0], [2, 2]),
    ],
)
def test_runs_of_a_task_on_request(duplicates, successes, trials, tmp_path):
    table = read_lm_eval(run_twice(tmp_path), duplicates=duplicates)
    assert table.responses.successes[1].tolist() == successes
    assert table.responses.trials[1].tolist() == trials


def test_the_mean_of_two_runs_is_a_fraction(tmp_path):
    table = read_lm_eval(run_twice(tmp_path), duplicates="mean")
    assert table.responses.mean_score()[1].tolist() == [0.5, 0]


def test_a_metric_of_which_less_is_better_must_be_said(tmp_path):
    about = {"higher_is_better": {"t": {"brier": False}}}
    for model in ("a", "b"):
        rows = [sample(k, brier=0.25) for k in range(2)]
        harness(tmp_path, model, "t", rows, **about)
    with pytest.raises(DataError, match=r"a lower brier is better.*score_is='failure'"):
        read_lm_eval(tmp_path)
    table = read_lm_eval(tmp_path, score_is="failure")
    np.testing.assert_array_equal(table.responses.mean_score(), np.full((2, 2), 0.75))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", r"samples_t.jsonl, line 1: not valid JSON"),
        ('{"a": 1}', "line 1: no sample of the harness"),
        ('{"doc_id": 0, "acc": "high"}', r"line 1, key 'acc': 'high' is not a number"),
        ('{"doc_id": 0, "acc": 3}', r"line 1, key 'acc': the score 3 is above 1"),
    ],
)
def test_bad_lines_are_named(text, message, tmp_path):
    for model in ("a", "b"):
        (tmp_path / model).mkdir()
        more = json.dumps(sample(1, acc=1.0))
        (tmp_path / model / "samples_t.jsonl").write_text(f"{text}\n{more}\n")
    with pytest.raises(DataError, match=message):
        read_lm_eval(tmp_path)


def test_one_model_is_too_few(tmp_path):
    path = harness(tmp_path, "a", "t", [sample(0, acc=1.0), sample(1, acc=1.0)])
    with pytest.raises(DataError, match="two systems or more, and there is only 'a'"):
        read_lm_eval(path)
    table = read_results(path, least=1)
    assert table.system_ids == ("a",)
    assert len(table.item_ids) == 2
