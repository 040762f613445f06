"""How many places systems gained between two snapshots, and what noise allows."""

from typing import NamedTuple

import jax
import numpy as np
import scipy.stats
from jaxtyping import Float64, Int, PRNGKeyArray

from ._counted import RESOLUTION
from ._joint_scores import JointScores


class RankChanges(NamedTuple):
    """Ranks of systems in two snapshots; NaN = not known.

    Attributes:
        old_rank: among the old snapshot's systems, 1 = best.
        new_rank: among the new one's.
        old_place: among the systems connected in both.
        new_place: the same in the new snapshot.
        rise: places gained among those.
        lower: lower end of its interval.
        upper: its upper end.
    """

    old_rank: Float64[np.ndarray, " system"]
    new_rank: Float64[np.ndarray, " system"]
    old_place: Float64[np.ndarray, " system"]
    new_place: Float64[np.ndarray, " system"]
    rise: Float64[np.ndarray, " system"]
    lower: Float64[np.ndarray, " system"]
    upper: Float64[np.ndarray, " system"]


def rank_changes(
    scores: JointScores,
    part: Int[np.ndarray, " system"],
    *,
    level: float | int,
    draws: int,
    key: PRNGKeyArray,
) -> RankChanges:
    """Return the places that systems gained, with intervals from draws of both scores.

    The two scores of a system are drawn together, so that a cell which both snapshots
    hold moves them alike. An interval is widened to hold the change that was seen. A
    system whose error is not known has none and stays where it is for the others.

    Args:
        scores: of two snapshots.
        part: systems of one label are compared; those of -1 are not.
        level: coverage of the intervals.
        draws: how many.
        key: the same key gives the same bits.
    """
    n_system = len(part)
    old_place, new_place, lower, upper = (np.full(n_system, np.nan) for _ in range(4))
    tail = (1 - level) / 2
    for label in np.unique(part[part >= 0]).tolist():
        rows = np.flatnonzero(part == label)
        before, after = (_ranks(each[rows]) for each in (scores.old, scores.new))
        old_place[rows], new_place[rows] = before, after
        both = np.concatenate([rows, rows + n_system])
        spread = scores.covariance[np.ix_(both, both)]
        known = np.isfinite(np.diag(spread))
        spread = np.where(np.outer(known, known), spread, 0)
        middle = np.concatenate([scores.old[rows], scores.new[rows]])
        noise = jax.random.normal(
            jax.random.fold_in(key, label), (draws, len(both)), float
        )
        drawn = middle + np.asarray(noise) @ _root(spread)
        gained = _ranks(drawn[:, : len(rows)]) - _ranks(drawn[:, len(rows) :])
        ends = np.quantile(gained, (tail, 1 - tail), axis=0)
        own = np.where(known[: len(rows)] & known[len(rows) :], 0, np.nan)
        lower[rows] = np.minimum(np.floor(ends[0]), before - after) + own
        upper[rows] = np.maximum(np.ceil(ends[1]), before - after) + own
    return RankChanges(
        _ranks(scores.old),
        _ranks(scores.new),
        old_place,
        new_place,
        old_place - new_place,
        lower,
        upper,
    )


def _ranks(score: Float64[np.ndarray, "*draw system"]) -> Float64[np.ndarray, "..."]:
    """Return ranks from 1 = best, ties shared; NaN without a score."""
    largest = float(np.max(np.abs(np.nan_to_num(score)), initial=0))
    step = RESOLUTION * max(largest, 1e-300)
    ranks = scipy.stats.rankdata(-np.round(score / step), axis=-1, nan_policy="omit")
    return np.asarray(ranks, np.float64)


def _root(covariance: Float64[np.ndarray, "both both"]) -> Float64[np.ndarray, "..."]:
    """Return a matrix whose product with its transpose is the covariance."""
    value, vector = np.linalg.eigh((covariance + covariance.T) / 2)
    return (np.sqrt(np.maximum(value, 0)) * vector).T
