"""The plain mean of each system, with an interval clustered by item."""

from typing import NamedTuple

import numpy as np
import scipy.special
from jaxtyping import Bool, Float, Float64

from irtjax.data import AbstractResponses, BinomialResponses, LongResponses

# A variance that only rounding leaves between equal outcomes.
_EQUAL = 1e-24


class AverageInterval(NamedTuple):
    """Each system's mean outcome over the items it ran, each item weighing the same.

    All on the scale of the outcome, from 0 to 1; NaN for a system with no data.

    Attributes:
        mean: the mean of the item means.
        se: its standard error from the spread of the item means, with n - 1; NaN for a
            system with one item, whose spread cannot be seen.
        lower: lower end of the Wilson interval.
        upper: upper end; above `lower` also where every outcome is the same.
    """

    mean: Float64[np.ndarray, " system"]
    se: Float64[np.ndarray, " system"]
    lower: Float64[np.ndarray, " system"]
    upper: Float64[np.ndarray, " system"]


def average_interval(
    responses: AbstractResponses, *, level: float | int = 0.95
) -> AverageInterval:
    r"""Return each system's plain mean with its interval, clustered by item.

    Items are the clusters: the spread of a system's $m$ item means $p_i$ around their
    mean $\bar p$ already holds the noise of the trials within them, so it is not added
    again and $k$ repeats of an item do not count as $k$ items. The standard error is
    $\sqrt{\sum_i (p_i - \bar p)^2 / (m (m - 1))}$.

    The interval is Wilson's for $m / d$ trials, where the design effect $d = \sum_i
    (p_i - \bar p)^2 / (m \bar p (1 - \bar p))$ is how much the item means spread
    compared with single right/wrong answers. For those $d = 1$ and the interval is the
    textbook one. If all outcomes are 0, or all 1, or there is one item, $d = 1$ too:
    nothing shows how alike further items would be. Otherwise $m / d$ is at most $m$
    times the harmonic mean of the trials, and $d$ being an estimate, the normal
    quantile becomes Student's with $(m - 1) / (1 - d)$ degrees of freedom.

    Args:
        responses: of one table, of any kind.
        level: coverage, within (0, 1).

    Raises:
        ValueError: if the level is out of range.

    References:
        Wilson (1927), *Probable Inference, the Law of Succession, and Statistical
        Inference*; Korn & Graubard (1998), *Confidence Intervals for Proportions with
        Small Expected Number of Positive Counts Estimated from Survey Data*, for the
        effective count.
    """
    if not 0 < level < 1:
        raise ValueError(f"The level must lie between 0 and 1, got {level}.")
    observed = np.asarray(responses.observed())
    outcome = np.where(observed, np.asarray(responses.mean_score(), np.float64), 0)
    items = observed.sum(axis=1).astype(np.float64)
    at_least_one = np.maximum(items, 1)
    mean = np.where(items > 0, outcome.sum(axis=1) / at_least_one, np.nan)
    deviation = np.where(observed, outcome - mean[:, None], 0)
    spread = (deviation**2).sum(axis=1) / at_least_one
    se = np.sqrt(spread / np.where(items > 1, items - 1, np.nan))

    longest = _harmonic_trials(responses, observed)
    single = mean * (1 - mean)
    # Equal outcomes tell how alike items are only where each is a mean of many trials.
    blind = (items < 2) | ~(single > 0) | ((spread < _EQUAL) & np.isnan(longest))
    effect = np.where(blind, 1, np.minimum(spread / np.where(blind, 1, single), 1))
    count = items / np.maximum(effect, 1 / np.where(longest > 0, longest, np.inf))
    freedom = np.maximum(items - 1, 1) / np.maximum(1 - effect, 1e-12)
    quantile = scipy.special.stdtrit(freedom, (1 + level) / 2)
    lower, upper = wilson_interval(mean, count, quantile)
    return AverageInterval(mean, se, lower, upper)


def wilson_interval(
    share: Float[np.ndarray, " system"],
    count: Float[np.ndarray, " system"],
    quantile: Float[np.ndarray, " system"],
) -> tuple[Float[np.ndarray, " system"], Float[np.ndarray, " system"]]:
    """Return both ends of Wilson's score interval for a share of `count` trials.

    Args:
        share: from 0 to 1; NaN gives NaN.
        count: the trials, not necessarily whole.
        quantile: standard errors on each side, 1.96 for 95 %.
    """
    weight = quantile**2 / np.where(count > 0, count, np.nan)
    center = (share + weight / 2) / (1 + weight)
    half = np.sqrt(weight * share * (1 - share) + weight**2 / 4) / (1 + weight)
    return np.maximum(center - half, 0), np.minimum(center + half, 1)


def _harmonic_trials(
    responses: AbstractResponses, observed: Bool[np.ndarray, "system item"]
) -> Float64[np.ndarray, " system"]:
    """Return each system's harmonic mean of trials a cell; NaN where not known."""
    if isinstance(responses, LongResponses):
        responses = responses.dense()
    if not isinstance(responses, BinomialResponses):
        return np.full(observed.shape[0], np.nan)
    trials = np.asarray(responses.trials, np.float64)
    inverse = np.where(observed, 1 / np.where(observed, trials, 1), 0).sum(axis=1)
    return observed.sum(axis=1) / np.where(inverse > 0, inverse, np.nan)
