"""A frozen pool at work: which answers it keeps, why it rejects others, which to pick."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Int

from ._operator import ABSTAIN, FLAG
from ._passing import meeting
from ._pool import Pool
from ._task import Case
from ._vote import rejected
from .operators import Harness, run_operators


class Judged(NamedTuple):
    """What a pool says of one task's answers. No label is needed for it.

    Attributes:
        case: the task with all its answers.
        met: which answers meet the visible checks.
        verdicts: of each operator; `ABSTAIN` where an answer fails a visible check.
        kept: answers among which one is picked: those that meet the checks and are not
            rejected, or all that meet them where all of these are rejected.
        pick: one of them, drawn by its number of samples; None where none is kept.
    """

    case: Case
    met: Bool[np.ndarray, " candidate"]
    verdicts: Int[np.ndarray, "operator candidate"]
    kept: Bool[np.ndarray, " candidate"]
    pick: int | None

    def flagged_by(self, candidate: int) -> tuple[int, ...]:
        """Return which operators flag an answer.

        Args:
            candidate: its number.
        """
        (found,) = np.nonzero(self.verdicts[:, candidate] == FLAG)
        return tuple(map(int, found))


def judge_cases(
    pool: Pool,
    cases: Sequence[Case],
    met: Sequence[Sequence[bool]],
    harness: Harness,
    *,
    seed: int = 0,
) -> tuple[Judged, ...]:
    """Return what a frozen pool says of each task's answers.

    Args:
        pool: as it was frozen.
        cases: tasks with all their answers.
        met: for each case which answers meet the visible checks.
        harness: where operators run; its seed must be the pool's electorate.
        seed: of the picks; with a task's id it decides that task's.

    Raises:
        ValueError: the harness draws other peers than the pool was frozen with.
    """
    if harness.seed != pool.electorate:
        raise ValueError(
            f"The pool was frozen with peers of seed {pool.electorate}, and the harness "
            f"draws those of seed {harness.seed}: other peers give other verdicts."
        )
    kept = meeting(cases, met)
    found = run_operators(pool.operators, kept, harness)
    return tuple(
        _judged(case, np.array(row, np.bool_), said, seed)
        for case, row, said in zip(cases, met, found.by_case, strict=True)
    )


def _judged(case: Case, met: np.ndarray, said: np.ndarray, seed: int) -> Judged:
    verdicts = np.full((len(said), len(met)), ABSTAIN, np.int8)
    verdicts[:, met] = said
    kept = met & ~rejected(verdicts == FLAG)
    kept = kept if kept.any() else met
    return Judged(case, met, verdicts, kept, _pick(case, kept, seed))


def _pick(case: Case, kept: np.ndarray, seed: int) -> int | None:
    if not kept.any():
        return None
    count = np.array([candidate.count for candidate in case.candidates]) * kept
    ticket = hashlib.sha256(f"{seed}\0{case.task.task_id}".encode(errors="replace"))
    draw = np.random.default_rng(int.from_bytes(ticket.digest()[:8]))
    return int(draw.choice(len(count), p=count / count.sum()))
