"""How good estimates and picks are, in one table of named metrics."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from jaxtyping import Float

LEVEL = 0.95
"""Share of truths that the intervals are to hold."""


def absolute_error(
    error: Float[np.ndarray, "*run"], half_width: Float[np.ndarray, "*run"]
) -> Float[np.ndarray, "*run"]:
    """Return the size of each estimate's error.

    Args:
        error: estimate less truth, in errors.
        half_width: not looked at.
    """
    return np.abs(error)


def covered(
    error: Float[np.ndarray, "*run"], half_width: Float[np.ndarray, "*run"]
) -> Float[np.ndarray, "*run"]:
    """Return 1 where the interval holds the truth, 0 where not, NaN without one.

    Args:
        error: estimate less truth, in errors.
        half_width: of the interval. An error of rounding alone is held.
    """
    slack = 64 * np.finfo(error.dtype).eps
    inside = (np.abs(error) <= half_width + slack).astype(error.dtype)
    return np.where(np.isnan(half_width), np.nan, inside)


def half_width(
    error: Float[np.ndarray, "*run"], half_width: Float[np.ndarray, "*run"]
) -> Float[np.ndarray, "*run"]:
    """Return the half-widths, in errors.

    Args:
        error: not looked at.
        half_width: of each interval.
    """
    return half_width


def interval_score(
    error: Float[np.ndarray, "*run"], half_width: Float[np.ndarray, "*run"]
) -> Float[np.ndarray, "*run"]:
    r"""Return width plus $2/\alpha$ times the distance of a truth outside; low is good.

    Args:
        error: estimate less truth, in errors.
        half_width: of the 95 % interval.

    References:
        Gneiting & Raftery (2007), Strictly proper scoring rules, prediction, and
        estimation, JASA 102, equation 43.
    """
    outside = np.maximum(np.abs(error) - half_width, 0)
    return 2 * half_width + 2 / (1 - LEVEL) * outside


ESTIMATE_METRICS: Mapping[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = (
    MappingProxyType(
        {
            "mae": absolute_error,
            "coverage": covered,
            "half_width": half_width,
            "interval_score": interval_score,
        }
    )
)
"""Metrics of estimates, by name; each a mean over runs and targets."""


def samples_to(
    budgets: tuple[int, ...], mean_error: Float[np.ndarray, " budget"], goal: float
) -> int | None:
    """Return the smallest budget from which the mean error stays within a goal.

    A mean over targets, so that no run's luck counts, and one that stays there: a first
    crossing rewards noise.

    Args:
        budgets: ascending.
        mean_error: the absolute error's mean over targets, at each.
        goal: in errors.

    Returns:
        None where the largest budget is not enough.
    """
    within = np.asarray(mean_error) <= goal
    if not within[-1]:
        return None
    outside = np.flatnonzero(~within)
    return budgets[0 if outside.size == 0 else int(outside[-1]) + 1]
