"""What can be read and checked without the hidden half of tasks."""

import json

import pytest

from irtjax.cegar import Candidate, Case, Task
from irtjax.cegar.sandbox import Limits
from irtjax.cegar.tasks import (
    Bench,
    Line,
    make_check,
    read_labels,
    read_lines,
    read_questions,
    read_tasks,
    visible_met,
)
from irtjax.data import DataError

TEXTS = ("def f(n):\n    return n\n", "def f(n):\n    return 1\n", "def f(n:\n")
CHECKS = (make_check("assert f(1) == 1", "f"), make_check("assert f(2) == 2", "f"))
CASE = Case(Task("T/0", "Give it back.", "f", CHECKS), tuple(map(Candidate, TEXTS)))


@pytest.fixture
def write(tmp_path):
    def lines(*rows):
        path = tmp_path / "rows.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    return lines


def test_visible_checks_are_run_and_words_have_none(jail):
    words = Case(Task("q", "Why?"), (Candidate("So."),))
    bare = Case(Task("T/1", "Anything.", "f"), (Candidate("no program"),))
    bench = Bench(jail, Limits(cpu_seconds=0.25))
    found = visible_met([CASE, words, bare], bench)
    assert found == ((True, False, False), (True,), (True,))


def test_tasks_are_read_without_their_hidden_half(write):
    prompt = '"""\nGive it back.\nassert f(1) == 1\n"""\n'
    row = {"task_id": "T/0", "prompt": prompt, "entry_point": "f"}
    (task,) = read_tasks(write(row))
    assert (task.task_id, task.checks[0].arguments) == ("T/0", (1,))
    with pytest.raises(
        DataError, match="line 2, field 'task_id': T/0 was there before"
    ):
        read_tasks(write(row, row))
    with pytest.raises(DataError, match="holds no task"):
        read_tasks(write())


def test_questions_need_no_label(write):
    row = {"question": "1 + 1?", "answer": "2"}
    (case,) = read_questions(write(row, row, row | {"answer": "3", "label": "unknown"}))
    assert [(c.text, c.count) for c in case.candidates] == [("2", 2), ("3", 1)]
    with pytest.raises(DataError, match="line 2, field 'id'"):
        read_questions(write(row | {"id": 1}, row | {"id": 1, "question": "2 + 2?"}))
    with pytest.raises(DataError, match="holds no answer"):
        read_questions(write())


def said(text, label):
    return {"task_id": "T/0", "solution": text, "label": label}


def test_labels_are_found_by_text_or_by_number(write):
    rows = [said(t, v) for t, v in zip(TEXTS, ("right", 0, False), strict=True)]
    other = {"task_id": "T/7", "solution": "x", "label": 1}
    extra = said("never asked about", True)
    assert read_labels(write(*rows, other, extra), [CASE]) == ((True, False, False),)
    numbered = [
        {"i": 1, "vis": 1, "base": 1, "plus": 0},
        {"i": 0, "vis": 1, "base": 1, "plus": 1},
        {"i": 2, "vis": 0},
    ]
    row = {"task_id": "T/0", "labels": numbered}
    assert read_labels(write(row), [CASE]) == ((True, False, False),)


BAD = {
    "label of answer 1 of task T/0": [said(TEXTS[0], 1)],
    "line 2, field 'label': answer 0 had": [said(TEXTS[0], 1), said(TEXTS[0], 0)],
    "line 1, field 'label': it must be true": [said(TEXTS[0], "maybe")],
    "line 1, field 'label': there is no": [{"task_id": "T/0", "solution": TEXTS[0]}],
    "field 'labels.0..i': there is no answer 3 among the 3": [
        {"task_id": "T/0", "labels": [{"i": 3}]}
    ],
    "field 'labels.0.': it must be an object": [{"task_id": "T/0", "labels": [1]}],
}


@pytest.mark.parametrize("message", BAD)
def test_a_label_that_cannot_be_used_is_named(message, write):
    with pytest.raises(DataError, match=message):
        read_labels(write(*BAD[message]), [CASE])


def test_lines_know_their_place(write):
    (line,) = read_lines(write({"a": 1}))
    assert line == Line("rows.jsonl, line 1", {"a": 1})
