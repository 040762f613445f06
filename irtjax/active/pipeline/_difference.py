"""The difference between two new systems that answered items of one history."""

import dataclasses

import numpy as np
import scipy.stats

from .._belief import AbstractPrior
from .._history import History
from .._population import LearnedPopulation
from ._answers import Answers
from ._estimate import check_level, totals_of
from ._items import Weights, normalised


@dataclasses.dataclass(frozen=True)
class ScoreDifference:
    """The first system's mean score less the second's, in the user's polarity.

    Attributes:
        first: name of the first answers.
        second: of the second.
        difference: the estimate.
        lower: lower end of the interval.
        upper: upper end.
        chance_above: chance that the first system's score is truly the higher number.
        level: coverage of the interval.
        n_common: how many items both answered.
        score_is: what the scores count.
    """

    first: str
    second: str
    difference: float
    lower: float
    upper: float
    chance_above: float
    level: float
    n_common: int
    score_is: str


def score_difference(
    history: History,
    first: Answers,
    second: Answers,
    *,
    prior: AbstractPrior = LearnedPopulation(),
    weights: Weights = None,
    level: float | int = 0.95,
) -> ScoreDifference:
    r"""Return how much higher the first system scores, with an interval.

    Each system's total is estimated by itself; given the history their errors are taken
    as independent, which on the items that both answered they need not be, since these
    are known. How far to reach is learned from all pairs of historical systems, each
    system left out and asked the same items: what they have in common cancels there as
    it does here.

    Args:
        history: of the other systems.
        first: answers of one new system.
        second: answers of the other.
        prior: what the history lets one believe.
        weights: of the items in the mean; all alike if None.
        level: coverage of the interval.

    Raises:
        DataError: if the weights do not fit or the level is out of range.
    """
    check_level(level)
    row = normalised(history, weights)[None, :]
    one, other = (totals_of(history, each, prior, row) for each in (first, second))
    upper, lower = np.triu_indices(one.off.shape[0], 1)
    off = np.asarray(one.off)[upper] - np.asarray(other.off)[lower]
    sd_of = np.hypot(np.asarray(one.off_sd)[upper], np.asarray(other.off_sd)[lower])
    sd = float(np.hypot(one.sd[0], other.sd[0]))
    # Pairs share systems, so there are no more of them than systems to learn from.
    known = sd_of > 0
    ratio = np.where(known, off / np.where(known, sd_of, 1), 0.0)
    scale = float(np.sqrt(np.mean(ratio**2)))
    count = one.off.shape[0]
    half = float(reach_by_student(scale, count, level)) * sd
    sign = 1.0 if history.score_is == "failure" else -1.0
    middle = sign * float(one.mean[0] - other.mean[0])
    spread = scale * sd
    chance = 0.5 if spread == 0 else scipy.stats.t.cdf(middle / spread, count)
    if spread == 0 and middle != 0:
        chance = float(middle > 0)
    return ScoreDifference(
        first.name,
        second.name,
        middle,
        max(middle - half, -1.0),
        min(middle + half, 1.0),
        float(chance),
        float(level),
        int(np.intersect1d(first.item, second.item).size),
        history.score_is,
    )


def reach_by_student(scale: float, count: int, level: float | int) -> float:
    """Return the reach of an interval whose scale was learned from so many systems."""
    return scale * float(scipy.stats.t.ppf((1 + level) / 2, count))
