"""Files of answers: samples of a system, lists of distinct programs, labelled texts."""

import json

import pytest

from irtjax.cegar import Candidate, Label, Task, make_panel
from irtjax.cegar.tasks import (
    Answers,
    make_cases,
    read_answers,
    read_candidates,
    read_samples,
)
from irtjax.data import DataError

from .written import lines


def test_samples_are_counted_by_system(tmp_path):
    rows = [("T/0", "a"), ("T/0", "b"), ("T/0", "a"), ("T/1", "a")]
    samples = [{"task_id": task, "solution": text} for task, text in rows]
    first = lines(tmp_path / "one.jsonl", samples)
    second = lines(tmp_path / "two.jsonl.gz", samples[:1])
    assert read_samples([first, second]) == {
        "T/0": (Candidate("a", 3, {"one": 2, "two": 1}), Candidate("b", 1, {"one": 1})),
        "T/1": (Candidate("a", 1, {"one": 1}),),
    }
    assert read_samples(second)["T/0"] == (Candidate("a", 1, {"two": 1}),)


def test_completions_follow_the_prompt(tmp_path):
    path = lines(tmp_path / "s.jsonl", [{"task_id": "T/0", "completion": "  return 1"}])
    found = read_samples(path, [Task("T/0", "def f():\n", "f")])
    assert found["T/0"][0].text == "def f():\n  return 1"
    with pytest.raises(DataError, match="line 1, field 'completion': task T/0 is not"):
        read_samples(path)
    lines(path, [{"task_id": "T/0"}])
    with pytest.raises(
        DataError, match="field 'solution': neither it nor 'completion'"
    ):
        read_samples(path)


def test_distinct_programs_carry_their_samples(tmp_path):
    entry = {"code": "a", "samples": [[1, 0], [0, 0], [1, 3]]}
    path = lines(tmp_path / "c.jsonl", [{"task_id": "T/0", "candidates": [entry]}])
    models = tmp_path / "models.json"
    models.write_text(json.dumps([{"name": "x"}, {"name": "y"}]))
    assert read_candidates(path, models)["T/0"] == (
        Candidate("a", 3, {"y": 2, "x": 1}),
    )
    named = read_candidates(path)["T/0"][0]
    assert named.sources == {"model 1": 2, "model 0": 1}
    models.write_text('[{"name": "x"}]')
    with pytest.raises(
        DataError, match=r"candidates\[0\]\.samples': there is no model 1"
    ):
        read_candidates(path, models)
    models.write_text("{}x")
    with pytest.raises(DataError, match=r"models\.json must be a JSON list"):
        read_candidates(path, models)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"samples": [[0, 0]]}, r"candidates\[0\]': it must be an object with a text"),
        ({"code": "a", "samples": []}, r"samples': it must be a list of \[model, k\]"),
        ({"code": "a", "samples": [["x", 0]]}, r"samples': \['x', 0\] is not"),
    ],
)
def test_a_bad_program_is_named(tmp_path, entry, said):
    path = lines(tmp_path / "c.jsonl", [{"task_id": "T/0", "candidates": [entry]}])
    with pytest.raises(DataError, match=r"c\.jsonl, line 1, field '.*" + said):
        read_candidates(path)


def test_tasks_nobody_answered_stay():
    tasks = [Task("T/0", "p"), Task("T/1", "p")]
    cases = make_cases(tasks, {"T/1": (Candidate("a"),)})
    assert [len(case.candidates) for case in cases] == [0, 1]
    with pytest.raises(ValueError, match=r"1 of the answered tasks .* such as T/2"):
        make_cases(tasks, {"T/2": (Candidate("a"),)})


def test_labelled_answers(tmp_path):
    rows = [
        {"id": 7, "question": "2+2?", "answer": "4", "label": True, "system": "s"},
        {"id": 7, "question": "2+2?", "answer": "5", "label": 0},
        {"id": 7, "question": "2+2?", "answer": "4", "label": "right", "system": "t"},
        {"question": "3+3?", "answer": "4", "label": "wrong"},
    ]
    found = read_answers(lines(tmp_path / "a.jsonl", rows))
    assert isinstance(found, Answers)
    first, second = found.cases
    assert first.task == Task("7", "2+2?")
    assert first.candidates == (Candidate("4", 2, {"s": 1, "t": 1}), Candidate("5"))
    assert second.task.task_id == "3+3?"
    assert found.labels == (
        (Label(True, True), Label(True, False)),
        (Label(True, False),),
    )
    panel = make_panel(found.cases, found.labels)
    assert panel.count.tolist() == [2, 1, 1]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"label": "good"}, "field 'label': it must be true, false, 1, 0, \"right\""),
        ({"label": None}, "field 'label': it must be"),
        ({"label": 0}, "field 'label': the same answer had the other label before"),
        ({"question": "?"}, "field 'id': 7 was the id of another question before"),
        ({"id": 1.5}, "field 'id': it must be a text or a whole number, got 1.5"),
        ({"answer": 4}, "field 'answer': it must be a text, got 4"),
    ],
)
def test_a_bad_answer_is_named(tmp_path, change, said):
    row = {"id": 7, "question": "2+2?", "answer": "4", "label": 1}
    path = lines(tmp_path / "a.jsonl", [row, row | change])
    with pytest.raises(DataError) as error:
        read_answers(path)
    assert str(error.value).startswith("a.jsonl, line 2, " + said)


def test_a_label_must_be_there(tmp_path):
    path = lines(tmp_path / "a.jsonl", [{"question": "?", "answer": "4"}])
    with pytest.raises(DataError, match="field 'label': there is no such field"):
        read_answers(path)
