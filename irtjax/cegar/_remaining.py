"""The answers that a pool still keeps: what the next operator can work on."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Int

from ._panel import Panel
from ._vote import rejected


class Remaining(NamedTuple):
    """A panel without the answers that a pool rejects.

    Attributes:
        panel: the answers that are kept; all of a task whose answers are all rejected.
        member: index of each kept answer into the whole panel's candidates.
    """

    panel: Panel
    member: Int[np.ndarray, " kept"]


def remaining(panel: Panel, pool: Bool[np.ndarray, "operator candidate"]) -> Remaining:
    """Return what is left of a panel after a pool's vote.

    Args:
        panel: labelled answers.
        pool: which operator of the pool flags which answer.
    """
    kept = ~rejected(pool)
    n_kept = np.bincount(panel.task, kept, minlength=len(panel.task_ids))
    (member,) = np.nonzero(kept | (n_kept[panel.task] == 0))
    left = Panel(
        panel.task[member],
        panel.count[member],
        panel.right[member],
        panel.candidate[member],
        panel.task_ids,
    )
    return Remaining(left, member)
