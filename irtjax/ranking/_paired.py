"""The difference of two systems on the items that both ran, from those items alone."""

from typing import NamedTuple

import numpy as np
import scipy.stats
from jaxtyping import Float

_EQUAL = 1e-12


class PairedDifference(NamedTuple):
    """How much better the first of two systems did on the same items.

    Attributes:
        difference: mean over the items of the first's outcome less the second's, from
            -1 to 1; NaN without an item.
        lower: lower end of its interval.
        upper: its upper end.
        p_value: of no difference, two-sided.
        test: what it comes from.
        wins: items on which the first did better.
        losses: items on which the second did.
        items: how many there are.
    """

    difference: float
    lower: float
    upper: float
    p_value: float
    test: str
    wins: int
    losses: int
    items: int


def paired_answers(
    first: Float[np.ndarray, " item"],
    second: Float[np.ndarray, " item"],
    *,
    level: float | int = 0.95,
) -> PairedDifference:
    """Return the difference of two systems that gave one right or wrong answer an item.

    The test is McNemar's, exact. The interval, that of Bonett and Price, takes two
    further items into the mean, one won by each system, so it is never empty.

    Args:
        first: 0 or 1 an item.
        second: the same items' answers of the other system.
        level: coverage of the interval, within (0, 1).

    References:
        McNemar (1947), *Note on the Sampling Error of the Difference Between Correlated
        Proportions or Percentages*; Bonett & Price (2012), *Adjusted Wald Confidence
        Interval for a Difference of Binomial Proportions Based on Paired Data*, eq. 2.
    """
    gap = _gaps(first, second)
    return _paired(gap, _with_one_won_by_each(gap, level), "McNemar, exact", _sign(gap))


def paired_means(
    first: Float[np.ndarray, " item"],
    second: Float[np.ndarray, " item"],
    *,
    level: float | int = 0.95,
) -> PairedDifference:
    """Return the difference of two systems from their mean outcomes on each item.

    Items are the clusters: the spread of their differences already holds the noise of
    the trials within them. The test is Student's. Where the spread cannot be seen, with
    one item or equal differences, the test goes by signs and the interval is that of
    `paired_answers`.

    Args:
        first: mean outcome on each item, from 0 to 1.
        second: that of the other system.
        level: coverage of the interval, within (0, 1).
    """
    gap = _gaps(first, second)
    if len(gap) < 2 or np.ptp(gap) < _EQUAL:
        return _paired(gap, _with_one_won_by_each(gap, level), "sign test", _sign(gap))
    found = scipy.stats.ttest_1samp(gap, 0)
    ends = found.confidence_interval(level)
    p_value = float(found.pvalue)  # pyright: ignore[reportAttributeAccessIssue]
    return _paired(gap, (ends.low, ends.high), "paired t", p_value)


def _gaps(
    first: Float[np.ndarray, " item"], second: Float[np.ndarray, " item"]
) -> Float[np.ndarray, " item"]:
    """Return differences, exactly 0 where only rounding tells the two apart."""
    gap = first - second
    return np.where(np.abs(gap) < _EQUAL, 0, gap)


def _paired(
    gap: Float[np.ndarray, " item"],
    ends: tuple[float, float],
    test: str,
    p_value: float,
) -> PairedDifference:
    if not len(gap):
        nothing = float("nan")
        return PairedDifference(nothing, nothing, nothing, nothing, "none", 0, 0, 0)
    mean = float(np.mean(gap))
    wins, losses = (int(np.count_nonzero(side * gap > 0)) for side in (1, -1))
    lower, upper = max(min(ends[0], mean), -1), min(max(ends[1], mean), 1)
    return PairedDifference(
        mean, float(lower), float(upper), p_value, test, wins, losses, len(gap)
    )


def _sign(gap: Float[np.ndarray, " item"]) -> float:
    """Return the exact two-sided chance of so uneven a split of the unequal items."""
    unequal = int(np.count_nonzero(gap))
    if not unequal:
        return 1.0
    return float(scipy.stats.binomtest(int(np.count_nonzero(gap > 0)), unequal).pvalue)


def _with_one_won_by_each(
    gap: Float[np.ndarray, " item"], level: float | int
) -> tuple[float, float]:
    longer = np.append(gap, (1.0, -1.0))
    half = scipy.stats.norm.ppf((1 + level) / 2) * np.std(longer) / np.sqrt(len(longer))
    return float(np.mean(longer) - half), float(np.mean(longer) + half)
