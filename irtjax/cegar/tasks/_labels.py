"""Labels of programs, read from files: what a person or another tool found out."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...data import DataError
from .._task import Case
from ._lines import Line, read_lines, truth_of


def read_labels(
    path: str | Path, cases: Sequence[Case]
) -> tuple[tuple[bool, ...], ...]:
    """Return for each case whether each candidate is right.

    A line is {"task_id": ..., "solution": ..., "label": ...}, where the solution is the
    candidate's whole text and a label is true, false, 1, 0, "right" or "wrong"; or
    {"task_id": ..., "labels": [{"i": ..., "base": ..., "plus": ...}, ...]}, where `i` is
    the candidate's number in the file of candidates, from 0, and right is right on both.

    Args:
        path: a JSON-lines file, plain or .gz.
        cases: tasks with programs, each of which must have a label.

    Raises:
        DataError: a line cannot be used, or a candidate has no label; the message names
            file, line and field.
    """
    path = Path(path)
    places = {
        case.task.task_id: {each.text: n for n, each in enumerate(case.candidates)}
        for case in cases
    }
    found: dict[tuple[str, int], bool] = {}
    for line in read_lines(path):
        task_id = line.text("task_id")
        if task_id not in places:
            continue
        for place, truth, field in _said(line, places[task_id]):
            if found.setdefault((task_id, place), truth) != truth:
                raise line.wrong(field, f"answer {place} had the other label before")
    for case in cases:
        for place in range(len(case.candidates)):
            if (case.task.task_id, place) not in found:
                raise DataError(
                    f"{path.name} has no label of answer {place} of task "
                    f"{case.task.task_id}: add it, or leave that answer out."
                )
    return tuple(
        tuple(found[case.task.task_id, n] for n in range(len(case.candidates)))
        for case in cases
    )


def _said(line: Line, places: Mapping[str, int]) -> list[tuple[int, bool, str]]:
    """Return the candidates that a line labels, each with its truth and field."""
    if "labels" in line.fields:
        rows = enumerate(line.rows("labels"))
        return [_numbered(line, f"labels[{n}]", row, len(places)) for n, row in rows]
    solution = line.text("solution")
    if solution not in places:  # of an answer that is not asked about
        return []
    if "label" not in line.fields:
        raise line.wrong("label", "there is no such field")
    return [(places[solution], truth_of(line, "label", line.fields["label"]), "label")]


def _numbered(line: Line, field: str, row: Any, number: int) -> tuple[int, bool, str]:
    if not isinstance(row, dict) or type(row.get("i")) is not int:
        raise line.wrong(field, 'it must be an object with a whole number "i"')
    if not 0 <= row["i"] < number:
        raise line.wrong(
            f"{field}.i", f"there is no answer {row['i']} among the {number} given"
        )
    # Tests that were not run, after others that failed, are null.
    truths = [
        truth_of(line, f"{field}.{name}", row.get(name) or 0)
        for name in ("base", "plus")
    ]
    return row["i"], all(truths), field
