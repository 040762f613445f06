"""The labelled answers of many tasks as flat arrays: what every score is computed from."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Int

from ._task import Case, Label


class Panel(NamedTuple):
    """Answers that pass the visible checks, task after task.

    Attributes:
        task: index into `task_ids`, and into the cases the panel was made from; never
            falls.
        count: samples of each distinct answer.
        right: the truth.
        candidate: index of each answer among those of its task.
        task_ids: of all tasks, also of those with no answer that passes, which count 0
            in every average.
    """

    task: Int[np.ndarray, " candidate"]
    count: Int[np.ndarray, " candidate"]
    right: Bool[np.ndarray, " candidate"]
    candidate: Int[np.ndarray, " candidate"]
    task_ids: tuple[str, ...]


def make_panel(cases: Sequence[Case], labels: Sequence[Sequence[Label]]) -> Panel:
    """Return the answers that pass the visible checks, with their labels.

    Args:
        cases: distinct tasks.
        labels: for each case one label a candidate.

    Raises:
        ValueError: a task comes twice, or labels do not fit the candidates.
    """
    ids = tuple(case.task.task_id for case in cases)
    if len(set(ids)) != len(ids):
        twice = next(name for name in ids if ids.count(name) > 1)
        raise ValueError(f"Task {twice} comes twice.")
    if len(labels) != len(cases):
        raise ValueError(f"{len(cases)} tasks but labels of {len(labels)}.")
    rows = []
    for number, (case, known) in enumerate(zip(cases, labels, strict=True)):
        if len(known) != len(case.candidates):
            raise ValueError(
                f"Task {case.task.task_id} has {len(case.candidates)} answers but "
                f"{len(known)} labels."
            )
        rows += [
            (number, candidate.count, label.right, place)
            for place, (candidate, label) in enumerate(
                zip(case.candidates, known, strict=True)
            )
            if label.visible
        ]
    task, count, right, place = (
        np.array([row[column] for row in rows], kind)
        for column, kind in enumerate((np.int64, np.int64, np.bool_, np.int64))
    )
    return Panel(task, count, right, place, ids)
