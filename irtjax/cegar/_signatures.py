"""What a pool cannot tell apart: classes of answers on which it says the same."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Int

from ._panel import Panel


class BlindSpot(NamedTuple):
    """Answers that a pool gives the same verdicts, right and wrong ones among them.

    Attributes:
        verdicts: of each operator, the same for all members.
        member: indices into the panel's candidates.
        samples: of all members together.
        mixed_tasks: tasks with right and wrong members in here; only these can change
            what is picked.
    """

    verdicts: Int[np.ndarray, " operator"]
    member: Int[np.ndarray, " member"]
    samples: int
    mixed_tasks: int


def signatures(
    verdicts: Int[np.ndarray, "operator candidate"],
) -> Int[np.ndarray, " candidate"]:
    """Return a class for each answer, equal where all operators say the same.

    Args:
        verdicts: FLAG, PASS or ABSTAIN.

    Returns:
        Numbers from 0, in the order of the classes' first members.
    """
    n_candidate = verdicts.shape[1]
    if not n_candidate:
        return np.zeros(0, np.int64)
    columns = np.concatenate([np.zeros((1, n_candidate), verdicts.dtype), verdicts])
    _, first, found = np.unique(columns, axis=1, return_index=True, return_inverse=True)
    order = np.argsort(np.argsort(first))
    return order[found.reshape(-1)]


def blind_spots(
    panel: Panel, verdicts: Int[np.ndarray, "operator candidate"]
) -> list[BlindSpot]:
    """Return the classes that mix right and wrong inside a task, largest first.

    Args:
        panel: labelled answers.
        verdicts: of the pool that defines the classes.
    """
    classes = signatures(verdicts)
    found = []
    for number in range(int(classes.max(initial=-1)) + 1):
        (member,) = np.nonzero(classes == number)
        right, task = panel.right[member], panel.task[member]
        mixed = np.intersect1d(task[right], task[~right])
        if len(mixed):
            samples = int(panel.count[member].sum())
            found.append(BlindSpot(verdicts[:, member[0]], member, samples, len(mixed)))
    return sorted(found, key=lambda spot: (-spot.samples, int(spot.member[0])))


def specification(
    panel: Panel, spot: BlindSpot, most: int
) -> tuple[Int[np.ndarray, " right"], Int[np.ndarray, " wrong"]]:
    """Return right and wrong members of a blind spot to show a generator.

    Tasks take turns, those that mix inside the spot first, so that no task with many
    answers fills the request and none is left out while there is room.

    Args:
        panel: labelled answers.
        spot: of the panel.
        most: of each kind; one of each is the pair that a lookup table can meet.

    Returns:
        Indices into the panel's candidates.
    """
    right = spot.member[panel.right[spot.member]]
    wrong = spot.member[~panel.right[spot.member]]
    mixed = np.intersect1d(panel.task[right], panel.task[wrong])
    shown = [_in_turns(panel, part, mixed)[:most] for part in (right, wrong)]
    return shown[0], shown[1]


def _in_turns(
    panel: Panel, member: Int[np.ndarray, " part"], mixed: Int[np.ndarray, " task"]
) -> Int[np.ndarray, " part"]:
    """Return members so that the first of each task come before any second."""
    task = panel.task[member]
    turn = np.zeros(len(member), np.int64)
    for name in np.unique(task):
        inside = np.nonzero(task == name)[0]
        ordered = inside[np.argsort(-panel.count[member[inside]], kind="stable")]
        turn[ordered] = np.arange(len(ordered))
    return member[np.lexsort((task, turn, ~np.isin(task, mixed)))]
