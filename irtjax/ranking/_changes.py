"""Which systems' scores changed between two snapshots by more than noise."""

from typing import NamedTuple

import numpy as np
import scipy.stats
from jaxtyping import Bool, Float64, Int

from ._joint_scores import JointScores

# A variance that only rounding leaves of a change of nothing.
_NOTHING = 1e-9
_MOST_ROUNDS = 10
# Systems that a change of unit can be seen from.
_FEWEST = 3


class Changes(NamedTuple):
    """Changes of scores, relative to the systems that did not move; NaN = not known.

    Attributes:
        old: scores in the old snapshot.
        new: in the new one.
        change: their difference.
        se: its standard error, with what both share cancelled.
        p_value: of no change, two-sided; 1 where nothing could change.
        p_adjusted: Holm's, for all systems together.
        moved: whether that is below 1 less the level.
    """

    old: Float64[np.ndarray, " system"]
    new: Float64[np.ndarray, " system"]
    change: Float64[np.ndarray, " system"]
    se: Float64[np.ndarray, " system"]
    p_value: Float64[np.ndarray, " system"]
    p_adjusted: Float64[np.ndarray, " system"]
    moved: Bool[np.ndarray, " system"]


def changes_beyond_noise(
    scores: JointScores, part: Int[np.ndarray, " system"], level: float | int
) -> Changes:
    """Return the changes of scores, and which of them are beyond noise.

    Only differences between systems are known, so a change is relative to a reference:
    the mean of those that did not move, and for a fitted model, which leaves the unit
    open, their spread. They are found in rounds, from the half of the
    systems whose changes are the most alike; systems found to move leave the reference,
    others come back, until it stays.

    Args:
        scores: of two snapshots.
        part: systems of one label are compared; those of -1 are not.
        level: of all verdicts together.

    References:
        Candell & Drasgow (1988), *An Iterative Procedure for Linking Metrics and
        Assessing Item Bias in Item Response Theory*, for the rounds; Holm (1979), *A
        Simple Sequentially Rejective Multiple Test Procedure*.
    """
    still = _most_alike(scores.new - scores.old, part)
    found = _against(scores, part, still, level)
    for _ in range(_MOST_ROUNDS):
        again = (part >= 0) & ~found.moved
        if np.array_equal(again, still):
            break
        still = again
        found = _against(scores, part, still, level)
    return found


def _most_alike(
    change: Float64[np.ndarray, " system"], part: Int[np.ndarray, " system"]
) -> Bool[np.ndarray, " system"]:
    """Return the half of each part whose changes are nearest to their median."""
    still = np.zeros(len(part), bool)
    for label in np.unique(part[part >= 0]):
        rows = np.flatnonzero((part == label) & np.isfinite(change))
        if not rows.size:
            continue  # a failed fit has no scores
        off = np.abs(change[rows] - np.median(change[rows]))
        still[rows] = off <= np.median(off)
    return still


def _against(
    scores: JointScores,
    part: Int[np.ndarray, " system"],
    still: Bool[np.ndarray, " system"],
    level: float | int,
) -> Changes:
    """Return the changes relative to the mean of the systems that stood still."""
    old, new, se = (np.full(len(part), np.nan) for _ in range(3))
    for label in np.unique(part[part >= 0]):
        rows = np.flatnonzero(part == label)
        both = np.concatenate([rows, rows + len(part)])
        linked = _link(scores, rows, still[rows])
        old[rows], new[rows] = linked.old, linked.new
        spread = scores.covariance[np.ix_(both, both)]
        variance = _diagonal(linked.contrast, spread)
        total = _diagonal(np.abs(linked.contrast), np.diag(np.diag(spread)))
        se[rows] = np.sqrt(np.where(variance <= _NOTHING * total, 0, variance))
    change = np.where(se == 0, 0.0, new - old)
    z = np.abs(change) / np.where(se > 0, se, np.nan)
    p_value = np.where(se == 0, 1.0, 2 * scipy.stats.norm.sf(z))
    adjusted = _holm(p_value)
    moved = np.nan_to_num(adjusted, nan=1) < 1 - level
    return Changes(old, new, change, se, p_value, adjusted, moved)


class _Linked(NamedTuple):
    """Scores of one part on the old snapshot's scale, and how the change varies."""

    old: Float64[np.ndarray, " system"]
    new: Float64[np.ndarray, " system"]
    contrast: Float64[np.ndarray, "system both"]  # the change's derivative


def _link(
    scores: JointScores,
    rows: Int[np.ndarray, " system"],
    still: Bool[np.ndarray, " system"],
) -> _Linked:
    """Return scores less the mean of the still systems, in units of their old spread.

    The unit is changed only where the ranker leaves it open; what its estimation adds
    to the errors is carried by the delta method.
    """
    reference = still if still.any() else np.ones(len(rows), bool)
    count = np.count_nonzero(reference)
    centre = np.eye(len(rows)) - reference[None, :] / count
    old, new = centre @ scores.old[rows], centre @ scores.new[rows]
    before, after = (np.sqrt(np.mean(each[reference] ** 2)) for each in (old, new))
    if not scores.free_unit or count < _FEWEST or not (before > 0 and after > 0):
        return _Linked(old, new, np.concatenate([-centre, centre], axis=1))
    unit = before / after
    by_old = (old * reference / count) @ centre / (before * after)
    by_new = -unit * ((new * reference / count) @ centre) / after**2
    contrast = np.concatenate(
        [-centre + np.outer(new, by_old), unit * centre + np.outer(new, by_new)], axis=1
    )
    return _Linked(old, unit * new, contrast)


def _diagonal(
    contrast: Float64[np.ndarray, "row both"], spread: Float64[np.ndarray, "both both"]
) -> Float64[np.ndarray, " row"]:
    """Return the contrasts' variances; NaN where one of a system's own is not known."""
    n_row = len(contrast)
    known = np.isfinite(np.diag(spread))
    # Where others' errors are not known, the mean that they enter is taken as exact.
    filled = np.where(np.outer(known, known), spread, 0)
    variance = np.einsum("rb,bc,rc->r", contrast, filled, contrast, optimize=True)
    return np.where(known[:n_row] & known[n_row:], variance, np.nan)


def _holm(p_value: Float64[np.ndarray, " system"]) -> Float64[np.ndarray, " system"]:
    # Imported here: half a second that only this needs.
    from statsmodels.stats.multitest import multipletests

    known = np.isfinite(p_value)
    adjusted = np.full(len(p_value), np.nan)
    if known.any():
        adjusted[known] = multipletests(p_value[known], method="holm")[1]
    return adjusted
