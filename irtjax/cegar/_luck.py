"""How far the best of many attempts gets by luck, in units of each one's own spread."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from ._vote import Tasks, deltas

_ATTEMPTS = 4096  # scored at once under all shuffles


class Luck(NamedTuple):
    """Gains of many attempts beside what shuffled truths give them.

    Attributes:
        gain: of each attempt, in selection accuracy.
        sd: of its gain under shuffled truths; 0 where it cannot gain or lose.
        score: `gain / sd`; 0 where `sd` is.
        maxima: under each shuffle the largest score of all attempts.
    """

    gain: Float[np.ndarray, " attempt"]
    sd: Float[np.ndarray, " attempt"]
    score: Float[np.ndarray, " attempt"]
    maxima: Float[np.ndarray, " shuffle"]

    def p_values(self) -> Float[np.ndarray, " attempt"]:
        """Return how often the best of all attempts scores as high by luck."""
        reached = self.maxima[None, :] >= self.score[:, None] - 1e-9
        return (1 + reached.sum(axis=1)) / (len(self.maxima) + 1)

    def bounds(self, level: float) -> Float[np.ndarray, " attempt"]:
        """Return lower bounds of the gains that hold for all attempts at once.

        Args:
            level: chance that some bound is too high; a bound above 0 is a gain beyond
                what luck gives the best of all attempts.
        """
        return self.gain - float(np.quantile(self.maxima, 1 - level)) * self.sd


def shuffled_truths(
    tasks: Tasks, shuffles: int, seed: int
) -> Bool[np.ndarray, "shuffle member"]:
    """Return truths shuffled among the distinct answers of each decidable task.

    Args:
        tasks: of a panel.
        shuffles: how many.
        seed: of the draws.
    """
    rng = np.random.default_rng(seed)
    draws = rng.random((shuffles, len(tasks.member)))
    # Members are grouped by task, so sorting by (task, draw) shuffles inside tasks.
    return tasks.right[np.argsort(tasks.of_member() + draws, axis=1)]


def luck(
    tasks: Tasks,
    flags: Bool[np.ndarray, "attempt member"],
    *,
    shuffles: int,
    seed: int,
) -> Luck:
    """Return what attempts gain alone, and what the best of them gains by luck.

    Gains differ in spread: an attempt that flags half of all answers swings far by
    chance. In units of their own spread a precise attempt is not drowned by such ones.

    Args:
        tasks: of a panel.
        flags: which members each attempt rejects; at least one attempt.
        shuffles: of the truth inside tasks.
        seed: of the shuffles.

    References:
        Westfall and Young (1993), *Resampling-Based Multiple Testing*, ch. 2 (maxima of
        studentised statistics over resamples).
    """
    right = np.concatenate([tasks.right[None], shuffled_truths(tasks, shuffles, seed)])
    gain, sd = np.empty(len(flags)), np.empty(len(flags))
    maxima = np.full(shuffles, -np.inf)
    for first in range(0, len(flags), _ATTEMPTS):
        part = slice(first, first + _ATTEMPTS)
        found = deltas(tasks, flags[part], right)
        gain[part], sd[part] = found[:, 0], found[:, 1:].std(axis=1)
        moves = sd[part] > 1e-12
        sd[part] *= moves
        scores = found[moves, 1:] / sd[part][moves, None]
        maxima = np.maximum(maxima, scores.max(axis=0, initial=-np.inf))
    score = np.divide(gain, sd, out=np.zeros_like(gain), where=sd > 0)
    return Luck(gain, sd, score, np.where(np.isfinite(maxima), maxima, 0.0))
