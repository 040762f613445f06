"""Answers in words with a label each: question, answer, right or wrong, one a line."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ...data import DataError
from .._task import Case, Label, Task
from ._candidates import Pool
from ._lines import Line, read_lines, truth_of


class Answers(NamedTuple):
    """Questions with their answers, and apart from them what is known of each.

    Attributes:
        cases: what may be shown to operators.
        labels: for each case one label an answer; every answer counts as visible.
    """

    cases: tuple[Case, ...]
    labels: tuple[tuple[Label, ...], ...]


def read_answers(path: str | Path) -> Answers:
    """Return labelled answers from a file of JSON lines.

    A line is {"question": ..., "answer": ..., "label": ...}, with "id" of the question
    (default: its text) and "system" (who answered) if known. A label is true, false, 1,
    0, "right" or "wrong". The same answer to a question given twice counts twice.

    Args:
        path: a JSON-lines file, plain or .gz.

    Raises:
        DataError: a line cannot be used, an id has two questions, or the same answer has
            two labels; the message names file, line and field.
    """
    lines = list(read_lines(path))
    cases = _cases(path, lines)
    truths: dict[tuple[str, str], bool] = {}
    for line in lines:
        truth = _truth(line)
        if truths.setdefault(_said(line), truth) != truth:
            raise line.wrong("label", "the same answer had the other label before")
    return Answers(
        cases,
        tuple(
            tuple(
                Label(True, truths[case.task.task_id, each.text])
                for each in case.candidates
            )
            for case in cases
        ),
    )


def read_questions(path: str | Path) -> tuple[Case, ...]:
    """Return answers without labels from a file of JSON lines.

    Args:
        path: as `read_answers` takes; a "label" is not looked at.

    Raises:
        DataError: a line cannot be used, or an id has two questions; the message names
            file, line and field.
    """
    return _cases(path, list(read_lines(path)))


def _cases(path: str | Path, lines: Sequence[Line]) -> tuple[Case, ...]:
    pool = Pool()
    tasks: dict[str, Task] = {}
    for line in lines:
        (task_id, answer), question = _said(line), line.text("question")
        task = tasks.setdefault(task_id, Task(task_id, question))
        if task.prompt != question:
            raise line.wrong("id", f"{task_id} was the id of another question before")
        system = line.text("system") if "system" in line.fields else ""
        pool.add(task_id, answer, system)
    if not tasks:
        raise DataError(f"{Path(path).name} holds no answer.")
    candidates = pool.candidates()
    return tuple(Case(task, candidates[name]) for name, task in tasks.items())


def _said(line: Line) -> tuple[str, str]:
    """Return which question a line answers, and the answer."""
    question, answer = line.text("question"), line.text("answer")
    return (_identity(line) if "id" in line.fields else question), answer


def _identity(line: Line) -> str:
    value = line.fields["id"]
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise line.wrong(
            "id", f"it must be a text or a whole number, got {value!r:.60}"
        )
    return str(value)


def _truth(line: Line) -> bool:
    if "label" not in line.fields:
        raise line.wrong("label", "there is no such field")
    return truth_of(line, "label", line.fields["label"])
