"""Admission: may this operator join the pool, or did the best of many just get lucky?"""

import abc
from typing import NamedTuple

import equinox as eqx
import numpy as np
from jaxtyping import Bool, Int

from ._luck import luck
from ._panel import Panel
from ._remaining import remaining
from ._vote import decidable, deltas, splits, task_gains, votes_needed


class Trial(NamedTuple):
    """One operator before the gate, with all that was looked at to find it.

    Attributes:
        panel: labelled training answers.
        pool: which admitted operator flags which answer.
        flags: which answers the operator flags.
        considered: flags of every attempt among which it was chosen, itself included or
            not; the more were tried, the more the best gains by chance alone.
        spot: indices of the answers in the blind spot that was asked about.
        seed: of whatever a gate draws.
    """

    panel: Panel
    pool: Bool[np.ndarray, "operator candidate"]
    flags: Bool[np.ndarray, " candidate"]
    considered: Bool[np.ndarray, "attempt candidate"]
    spot: Int[np.ndarray, " member"]
    seed: int


class Admission(NamedTuple):
    """A gate's answer.

    Attributes:
        admitted: whether the operator joins.
        reason: of a refusal, in words that hold no fact about unseen tasks; of an
            admission, what it rests on.
        delta: gain in selection accuracy of the pool with the operator over none.
        p_value: chance of such a gain by luck; nan from a gate that computes none.
    """

    admitted: bool
    reason: str
    delta: float
    p_value: float


class AbstractGate(eqx.Module):
    """Admits operators to a pool, on training answers alone."""

    @abc.abstractmethod
    def __call__(self, trial: Trial) -> Admission:
        """Return whether an operator may join.

        Args:
            trial: the operator and what it was found among.
        """


class SelectionGate(AbstractGate):
    """The published gate: the vote gains, helps enough tasks, and helps more than it hurts.

    It is far too weak for a generator that looks at thousands of operators and offers
    the best; see `MaximumGate`.

    Attributes:
        least_helped: tasks that the pool with the operator must help.

    References:
        "Metrics That Write Themselves" (2026), arXiv:2608.18744.
    """

    least_helped: int = 3

    def __call__(self, trial: Trial) -> Admission:
        tasks = decidable(trial.panel)
        change = task_gains(tasks, _joined(tasks, trial.pool, trial.flags[None]))[0]
        helped, hurt = int((change > 1e-12).sum()), int((change < -1e-12).sum())
        delta = float(change.sum()) / tasks.n_task
        said = f"gains {delta:+.4f} on the training tasks, helps {helped}, hurts {hurt}"
        passed = delta > 0 and helped >= self.least_helped and helped > hurt
        return Admission(passed, said, delta, float("nan"))


class RecallGate(AbstractGate):
    """An ablation: asks for recall on the blind spot instead of a gain in selection.

    Attributes:
        recall: share of the spot's wrong samples that must be flagged.
        false_flags: largest share of its right samples that may be.
    """

    recall: float = 0.5
    false_flags: float = 0.05

    def __call__(self, trial: Trial) -> Admission:
        panel, spot = trial.panel, trial.spot
        count, flagged = panel.count[spot], trial.flags[spot]
        right = panel.right[spot]
        recall = count[flagged & ~right].sum() / max(1, count[~right].sum())
        false = count[flagged & right].sum() / max(1, count[right].sum())
        tasks = decidable(panel)
        joined = _joined(tasks, trial.pool, trial.flags[None])
        delta = float(deltas(tasks, joined, tasks.right[None])[0, 0])
        said = f"flags {recall:.2f} of the wrong and {false:.2f} of the right answers"
        passed = recall >= self.recall and false <= self.false_flags
        return Admission(bool(passed), said, delta, float("nan"))


class MaximumGate(AbstractGate):
    r"""The published gate's conditions, and a gain beyond the best of as many by luck.

    The operator is judged alone on the answers that the pool still keeps. Truth is
    shuffled among the programs of each task there; every attempt that was considered is
    scored under each shuffle in units of its own spread, and the largest score is kept.
    The operator's own score must exceed almost all of these maxima:
    $p = (1 + \#\{\max \ge score\}) / (shuffles + 1) \le level$.

    Attributes:
        level: largest p-value that is admitted. It holds for one proposal; a run that
            makes a dozen spends it a dozen times.
        shuffles: of the truth; the p-value is at least `1 / (shuffles + 1)`.
        least_helped: as of `SelectionGate`.

    Raises:
        ValueError: so few shuffles that nothing could be admitted.

    References:
        Westfall and Young (1993), *Resampling-Based Multiple Testing*, ch. 2 (maxima
        of studentised statistics over resamples).
    """

    level: float = 0.001
    shuffles: int = 1999
    least_helped: int = 3

    def __check_init__(self):
        if self.level * (self.shuffles + 1) < 1:
            raise ValueError(
                f"With {self.shuffles} shuffles no p-value is below "
                f"{1 / (self.shuffles + 1):.2g}, so a level of {self.level} admits "
                "nothing: raise `shuffles` or `level`."
            )

    def __call__(self, trial: Trial) -> Admission:
        published = SelectionGate(self.least_helped)(trial)
        if not published.admitted:
            return published
        left = remaining(trial.panel, trial.pool)
        tasks = decidable(left.panel)
        inside = left.member[tasks.member]
        others = trial.considered[:, inside]
        # Only these can help so many tasks, whatever the truth.
        others = others[splits(others, tasks.of_member()) >= self.least_helped]
        attempts = np.concatenate([trial.flags[None, inside], others])
        found = luck(tasks, attempts, shuffles=self.shuffles, seed=trial.seed)
        p_value = float(found.p_values()[0])
        said = (
            f"{published.reason}; on what the pool keeps it gains "
            f"{found.gain[0]:+.4f}, {found.score[0]:.1f} times its spread by luck; the "
            f"best of {len(attempts)} reaches {np.quantile(found.maxima, 0.99):.1f} in "
            f"one of 100 shuffles (p {p_value:.4f})"
        )
        return Admission(p_value <= self.level, said, published.delta, p_value)


def _joined(tasks, pool, attempts):
    """Return what the pool rejects with each of many attempts as its next member."""
    votes = pool[:, tasks.member].sum(axis=0)
    return votes + attempts[:, tasks.member] >= votes_needed(len(pool) + 1)
