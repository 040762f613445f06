"""Answers as they come back: any order, missing, repeated, noisy, and refused."""

import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.active import FinitePopulation
from irtjax.active.pipeline import Answers, answers_from, make_plan, read_answers
from irtjax.data import DataError

from .histories import history, scores

MATRIX = scores(8, 30)


@pytest.fixture(scope="module")
def past():
    return history(MATRIX, "failure")


def test_order_does_not_matter_and_missing_ones_are_told(past):
    given = {"q007": 1.0, "q001": None, "q003": 0.25, "q020": float("nan")}
    one = answers_from(past, given)
    other = answers_from(past, dict(reversed(given.items())))
    assert isinstance(one, Answers)
    assert one.item.tolist() == other.item.tolist() == [3, 7]
    assert one.error.tolist() == [0.25, 1.0]  # the history counts failures
    assert set(one.missing) == {"q001", "q020"}
    assert not one.noisy
    assert one.noise(np.full(30, 0.5)).tolist() == [0.0, 0.0]


def test_successes_become_errors():
    found = answers_from(history(MATRIX), {"q001": 0.75})
    assert found.error.tolist() == [0.25]


def test_repeated_verdicts_are_one_answer_with_its_noise(past):
    rows = [("q001", 1.0), ("q001", 0.0), ("q001", 1.0), ("q005", 1.0)]
    found = answers_from(past, rows, repeats="verdicts")
    np.testing.assert_allclose(found.error, [2 / 3, 1])
    assert found.count.tolist() == [3, 1]
    assert found.noisy
    prior = np.full(30, 0.4)
    first, second = (3 * 2 / 3 + 0.4) / 4, (1 + 0.4) / 2
    np.testing.assert_allclose(
        found.noise(prior), [first * (1 - first) / 3, second * (1 - second)]
    )
    assert not answers_from(past, rows, repeats="verdicts", noisy=False).noisy


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("q001", 1.0), ("q001", 0.0)], "several scores"),
        ([("nowhere", 1.0)], "no item is called 'nowhere'"),
        ([("q001", 1.5)], "between 0 and 1"),
        ([("q001", -0.1)], "between 0 and 1"),
        ([("q001", float("inf"))], "between 0 and 1"),
        ([("q001", None)], "no score at all"),
    ],
)
def test_what_cannot_be_right_is_refused(past, rows, said):
    with pytest.raises(DataError, match=said):
        answers_from(past, rows)


def test_a_plan_that_was_filled_in_is_read_back(past, tmp_path):
    plan = make_plan(past, 12, prior=FinitePopulation())
    lines = plan.to_csv().splitlines()
    filled = [lines[0]]
    for k, line in enumerate(lines[1:]):
        parts = line.split(",")
        parts[2] = "" if k == 4 else str(k % 2)
        filled.append(",".join(parts))
    shuffled = [filled[0], *reversed(filled[1:])]
    (tmp_path / "plan.csv").write_text("\n".join(shuffled))
    found = read_answers(tmp_path / "plan.csv", past)
    assert len(found.item) == 11
    assert found.missing == (plan.item_ids[4],)
    assert found.sampled.sum() == 5
    assert found.name == "plan.csv"
    other = history(1 - MATRIX, "failure")
    with pytest.raises(DataError, match=r"plan\.csv was made from another history"):
        read_answers(tmp_path / "plan.csv", other)


def test_other_formats_and_scales(past, tmp_path):
    (tmp_path / "a.tsv").write_text("score\titem\n50\tq002\nNA\tq003\n")
    found = read_answers(tmp_path / "a.tsv", past, out_of=100)
    assert (found.item.tolist(), found.error.tolist()) == ([2], [0.5])
    (tmp_path / "a.jsonl").write_text('{"item": "q004", "score": 1, "judge": "x"}\n')
    assert read_answers(tmp_path / "a.jsonl", past).item.tolist() == [4]


def test_ids_that_are_numbers_are_found_by_their_text(tmp_path):
    past = history(MATRIX, item_ids=list(range(30)))
    (tmp_path / "a.csv").write_text("item,score\n7,1\n11,0\n")
    assert read_answers(tmp_path / "a.csv", past).item.tolist() == [7, 11]
    mixed = history(MATRIX, item_ids=["0", 0, *range(2, 30)])
    with pytest.raises(DataError, match="same name as text"):
        read_answers(tmp_path / "a.csv", mixed)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.csv", "item,result\nq001,1\n", "no column 'score'"),
        ("a.csv", "item,score\nq001,good\n", r"row 1: 'good' in column 'score'"),
        ("a.csv", "item,score\nq001,inf\n", "row 1: the score is not finite"),
        ("a.csv", "", "a.csv cannot be read"),
        ("a.jsonl", "{nothing", "a.jsonl cannot be read"),
        ("a.txt", "item,score\n", "extension"),
    ],
)
def test_files_that_cannot_be_right_get_one_message(
    past, tmp_path, name, content, said
):
    (tmp_path / name).write_text(content)
    with pytest.raises(DataError, match=said):
        read_answers(tmp_path / name, past)
    with pytest.raises(DataError, match="no such file"):
        read_answers(tmp_path / "absent.csv", past)


def test_padding_teaches_nothing(past):
    from irtjax.active.pipeline._answers import padded

    items, errors, noise = padded(past, answers_from(past, {"q003": 1.0, "q009": 0.0}))
    assert items.shape == errors.shape == noise.shape == (16,)
    assert jnp.isfinite(noise).sum() == 2
