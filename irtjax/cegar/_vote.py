"""Selection accuracy: how often a pick among the answers that a pool keeps is right."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from ._panel import Panel

_BLOCK = 1 << 24  # (set, candidate) pairs at once: some tens of megabytes


class Tasks(NamedTuple):
    """A panel's answers task by task, as sums over whole tasks need them.

    Only decidable tasks are kept: those with right and wrong answers. In the others no
    operator can change what is picked.

    Attributes:
        member: indices into the panel's candidates, task after task.
        start: of each decidable task within `member`.
        count: samples of each member.
        right: truth of each member.
        base: chance that a pick is right when nothing is flagged.
        task: index of each decidable task into the panel's `task_ids`.
        n_task: all tasks of the panel, the divisor of every average.
        settled: sum of the chances over the tasks that are not decidable.
    """

    member: Int[np.ndarray, " member"]
    start: Int[np.ndarray, " task"]
    count: Int[np.ndarray, " member"]
    right: Bool[np.ndarray, " member"]
    base: Float[np.ndarray, " task"]
    task: Int[np.ndarray, " task"]
    n_task: int
    settled: float

    def sizes(self) -> Int[np.ndarray, " task"]:
        """Return how many members each decidable task has."""
        return np.diff(np.append(self.start, len(self.member)))

    def of_member(self) -> Int[np.ndarray, " member"]:
        """Return the number of each member's task among the decidable ones."""
        return np.repeat(np.arange(len(self.start)), self.sizes())

    def parts(self) -> list[slice]:
        """Return where each decidable task's members stand."""
        ends = self.start + self.sizes()
        return [slice(*pair) for pair in zip(self.start, ends, strict=True)]


class Gain(NamedTuple):
    """What rejecting answers does to selection accuracy.

    Attributes:
        accuracy: mean over all tasks of the chance that a uniform pick is right.
        delta: the accuracy less that of flagging nothing.
        helped: tasks whose chance rises.
        hurt: tasks whose chance falls.
        headroom: what a perfect operator would gain.
        closed: `delta / headroom`; nan without headroom.
    """

    accuracy: float
    delta: float
    helped: int
    hurt: int
    headroom: float
    closed: float


def decidable(panel: Panel) -> Tasks:
    """Return the tasks of a panel in which an operator can change the pick."""
    n_task = len(panel.task_ids)
    total = np.bincount(panel.task, panel.count, minlength=n_task)
    good = np.bincount(panel.task, panel.count * panel.right, minlength=n_task)
    mixed = (good > 0) & (good < total)
    (member,) = np.nonzero(mixed[panel.task])
    (task,) = np.nonzero(mixed)
    share = np.divide(good, total, out=np.zeros(n_task), where=total > 0)
    return Tasks(
        member,
        np.searchsorted(panel.task[member], task),
        panel.count[member],
        panel.right[member],
        share[mixed],
        task,
        n_task,
        float(share[~mixed].sum()),
    )


def votes_needed(n_operator: int) -> int:
    """Return how many members of a pool must flag an answer to reject it."""
    return min(2, n_operator)


def rejected(
    flags: Bool[np.ndarray, "operator candidate"],
) -> Bool[np.ndarray, " candidate"]:
    """Return which answers a pool rejects: none if it has no operator.

    Args:
        flags: which operator flags which answer; an abstention is no flag.
    """
    if not len(flags):
        return np.zeros(flags.shape[1], np.bool_)
    return flags.sum(axis=0) >= votes_needed(len(flags))


def pick_chances(
    tasks: Tasks, rejected: Bool[np.ndarray, "set member"]
) -> Float[np.ndarray, "set member"]:
    """Return the chance of each single sample to be picked in its task.

    The pick is uniform over the samples that are kept, or over all that pass the visible
    checks where none is. Selection accuracy is linear in the truth given these chances:
    one matrix product scores many sets of operators under many labellings.

    Args:
        tasks: of the panel.
        rejected: for each of many sets of operators, which members it rejects.
    """
    kept = ~rejected
    if not len(tasks.start):
        return np.zeros(rejected.shape)
    sizes = tasks.sizes()
    total = np.add.reduceat(kept * tasks.count, tasks.start, axis=1)
    everything = np.add.reduceat(tasks.count, tasks.start)
    divisor = np.repeat(np.where(total > 0, total, everything), sizes, axis=1)
    return (kept | np.repeat(total == 0, sizes, axis=1)) / divisor


def task_gains(
    tasks: Tasks, rejected: Bool[np.ndarray, "set member"]
) -> Float[np.ndarray, "set task"]:
    """Return by how much each decidable task's chance of a right pick changes.

    Args:
        tasks: of the panel.
        rejected: for each set of operators, which members it rejects.
    """
    if not len(tasks.start):
        return np.zeros((len(rejected), 0))
    nothing = pick_chances(tasks, np.zeros((1, len(tasks.member)), np.bool_))
    change = pick_chances(tasks, rejected) - nothing  # exactly 0 where nothing changes
    right = np.where(tasks.right, tasks.count, 0)
    return np.add.reduceat(change * right, tasks.start, axis=1)


def splits(
    flags: Bool[np.ndarray, "set candidate"], task: Int[np.ndarray, " candidate"]
) -> Int[np.ndarray, " set"]:
    """Return in how many tasks flags tell answers apart.

    Truth plays no part: a choice by this number is none that luck could profit from.

    Args:
        flags: of many operators.
        task: of each answer, never falling.
    """
    if not len(task):
        return np.zeros(len(flags), np.int64)
    start = np.nonzero(np.diff(task, prepend=task[0] - 1))[0]
    sizes = np.diff(np.append(start, len(task)))
    flagged = np.add.reduceat(flags.astype(np.int32), start, axis=1)
    return ((flagged > 0) & (flagged < sizes)).sum(axis=1)


def deltas(
    tasks: Tasks,
    rejected: Bool[np.ndarray, "set member"],
    right: Bool[np.ndarray, "labelling member"],
) -> Float[np.ndarray, "set labelling"]:
    """Return the change of selection accuracy of many sets under many labellings.

    Args:
        tasks: of the panel.
        rejected: for each set, which members it rejects.
        right: truths, such as the real one and shuffled ones.
    """
    found = np.empty((len(rejected), len(right)))
    nothing = pick_chances(tasks, np.zeros((1, len(tasks.member)), np.bool_))
    samples = (right * tasks.count).T.astype(np.float64)
    block = max(1, _BLOCK // max(1, len(tasks.member)))
    for first in range(0, len(rejected), block):
        part = slice(first, first + block)
        found[part] = (pick_chances(tasks, rejected[part]) - nothing) @ samples
    return found / tasks.n_task


def gain(panel: Panel, flags: Bool[np.ndarray, "operator candidate"]) -> Gain:
    """Return what a pool's vote does to selection accuracy.

    Args:
        panel: labelled answers.
        flags: which operator of the pool flags which answer.

    Raises:
        ValueError: the panel has no task.
    """
    if not panel.task_ids:
        raise ValueError("There is no task to score on.")
    tasks = decidable(panel)
    change = task_gains(tasks, rejected(flags)[None, tasks.member])[0]
    none = (tasks.settled + float(tasks.base.sum())) / tasks.n_task
    headroom = float((1 - tasks.base).sum()) / tasks.n_task
    delta = float(change.sum()) / tasks.n_task
    return Gain(
        none + delta,
        delta,
        # A change is a difference of two ratios of whole numbers: rounding is far below.
        int((change > 1e-12).sum()),
        int((change < -1e-12).sum()),
        headroom,
        delta / headroom if headroom > 0 else float("nan"),
    )


def select_tasks(panel: Panel, names: Sequence[str]) -> Panel:
    """Return the part of a panel that belongs to some tasks, in their order there.

    Args:
        panel: labelled answers.
        names: ids of tasks of the panel.

    Raises:
        ValueError: an id that the panel does not have.
    """
    wanted = set(names)
    unknown = wanted - set(panel.task_ids)
    if unknown:
        raise ValueError(f"The panel has no task {min(unknown)}.")
    place = np.full(len(panel.task_ids), -1)
    kept = [number for number, name in enumerate(panel.task_ids) if name in wanted]
    place[kept] = np.arange(len(kept))
    inside = place[panel.task] >= 0
    return Panel(
        place[panel.task[inside]],
        panel.count[inside],
        panel.right[inside],
        panel.candidate[inside],
        tuple(panel.task_ids[number] for number in kept),
    )
