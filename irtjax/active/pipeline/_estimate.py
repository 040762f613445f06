"""A new system's score from its answers to some items, with intervals that hold."""

import dataclasses
from collections.abc import Hashable, Sequence

import jax.numpy as jnp
import numpy as np
import scipy.stats
from jaxtyping import Float, Float64, Int

from irtjax.data import DataError

from .._automatic import interval_reach
from .._belief import AbstractPrior
from .._history import History
from .._population import LearnedPopulation
from ._answers import Answers, padded
from ._items import Categories, Weights, categories_of, normalised
from ._left_out import Totals, reach, totals

FEWEST_SAMPLED = 10
"""With fewer sampled answers, an interval from their scatter alone means little."""


@dataclasses.dataclass(frozen=True)
class Interval:
    """An estimate and its interval, in the user's polarity.

    Attributes:
        method: how it came about, a name out of `METHODS`.
        score: the estimate.
        lower: lower end.
        upper: upper end.
    """

    method: str
    score: float
    lower: float
    upper: float


METHODS = {
    "model": "the belief's own standard deviation, times Student's quantile for what "
    "the history and the answers let it know",
    "left out": "as wide as it had to be for the historical systems, each left out of "
    "the history in turn and asked the same items",
    "sample": "the scatter of the answers around the history's mean on the items that "
    "were drawn by chance; it needs no model, only that sample",
}
"""Intervals by name and what they rest on; the first is the one to read."""


@dataclasses.dataclass(frozen=True)
class CategoryScore:
    """One category's score.

    Attributes:
        category: its name.
        interval: by the model.
        n_item: how many items it has.
        n_answer: how many of them were answered.
    """

    category: Hashable
    interval: Interval
    n_item: int
    n_answer: int


@dataclasses.dataclass(frozen=True)
class ScoreEstimate:
    """What is known of a new system's mean score.

    Attributes:
        intervals: by method; the first is the one to read, `sample` is there only where
            enough items were drawn by chance.
        categories: each one's score; empty where there are none.
        level: coverage of every interval.
        n_item: items of the history that count.
        n_answer: of those, how many were answered.
        missing: items that were listed without a score.
        score_is: what the scores count.
        source: the history's name.
        name: of the answers.
        notes: what to know before the number is used.
    """

    intervals: tuple[Interval, ...]
    categories: tuple[CategoryScore, ...]
    level: float
    n_item: int
    n_answer: int
    missing: tuple[Hashable, ...]
    score_is: str
    source: str
    name: str
    notes: tuple[str, ...]

    @property
    def score(self) -> float:
        """Return the estimate."""
        return self.intervals[0].score

    @property
    def lower(self) -> float:
        """Return the lower end of the interval to read."""
        return self.intervals[0].lower

    @property
    def upper(self) -> float:
        """Return the upper end of the interval to read."""
        return self.intervals[0].upper


def estimate_score(
    history: History,
    answers: Answers,
    *,
    prior: AbstractPrior = LearnedPopulation(),
    weights: Weights = None,
    categories: Categories = None,
    level: float | int = 0.95,
) -> ScoreEstimate:
    """Return a new system's mean score over a history's items.

    Items that were answered count with what they got (drawn towards what was expected
    where verdicts are noisy), the others with what the history leads to expect.

    Args:
        history: of the other systems.
        answers: of the new one, to any of the items.
        prior: what the history lets one believe.
        weights: of the items in the mean; all alike if None.
        categories: of the items, for a score each.
        level: coverage of every interval.

    Raises:
        DataError: if weights or categories do not fit, or the level is out of range.
    """
    check_level(level)
    weight = normalised(history, weights)
    names, number = categories_of(history, categories)
    rows, counted = _rows(weight, names, number)
    found = totals_of(history, answers, prior, rows)
    wide = reach(np.asarray(found.off), np.asarray(found.off_sd), level)
    student = interval_reach(history.sources.shape[1], len(answers.item), float(level))
    mean, sd = np.asarray(found.mean), np.asarray(found.sd)
    intervals = [
        in_polarity(history, "model", mean[0], student * sd[0]),
        in_polarity(history, "left out", mean[0], wide[0] * sd[0]),
    ]
    notes = list(_notes(history, answers, weight))
    sample = _sample(history, answers, weight, level)
    if sample is not None:
        intervals.append(sample)
    answered = np.zeros(len(weight), bool)
    answered[answers.item] = True
    return ScoreEstimate(
        tuple(intervals),
        tuple(
            CategoryScore(
                names[k],
                in_polarity(history, "model", mean[row], student * sd[row]),
                int(np.count_nonzero(number == k)),
                int(np.count_nonzero(answered & (number == k))),
            )
            for row, k in enumerate(counted, start=1)
        ),
        float(level),
        int(np.count_nonzero(weight)),
        int(np.count_nonzero(answered & (weight > 0))),
        answers.missing,
        history.score_is,
        history.source,
        answers.name,
        tuple(notes),
    )


def check_level(level: float | int) -> None:
    """Refuse a coverage that is no probability.

    Raises:
        DataError: if it does not lie between 0 and 1.
    """
    if not 0 < level < 1:
        raise DataError(f"level= must lie between 0 and 1, got {level}.")


def totals_of(
    history: History,
    answers: Answers,
    prior: AbstractPrior,
    rows: Float[np.ndarray, "total item"],
) -> Totals:
    """Return the totals that a system's answers lead to, by rows of weights."""
    items, errors, noise = padded(history, answers)
    dtype = history.sources.error.dtype
    return totals(
        prior, history.sources, items, errors, noise, jnp.asarray(rows, dtype)
    )


def in_polarity(history: History, method: str, error: float, half: float) -> Interval:
    """Return an interval of errors as one of the user's scores, within [0, 1]."""
    ends = np.clip(np.array([error - half, error + half]), 0, 1)
    score = float(history.score_of(np.array([np.clip(error, 0, 1)]))[0])
    lower, upper = sorted(map(float, history.score_of(ends)))
    return Interval(method, score, lower, upper)


def _rows(
    weight: Float[np.ndarray, " item"],
    names: Sequence[Hashable],
    number: Int[np.ndarray, " item"],
) -> tuple[Float64[np.ndarray, "total item"], list[int]]:
    """Return the weights of the whole and of each category that counts."""
    rows, counted = [weight], []
    for k in range(len(names)):
        own = np.where(number == k, weight, 0.0)
        if own.sum() > 0:
            rows.append(own / own.sum())
            counted.append(k)
    return np.stack(rows), counted


def _sample(
    history: History,
    answers: Answers,
    weight: Float[np.ndarray, " item"],
    level: float | int,
) -> Interval | None:
    r"""Return the difference estimator on the sampled items; None if they are few.

    $\sum_i w_i u_i + \overline{(y - u)}_S$ with $u$ the history's mean error and $S$
    drawn with chances in proportion to the weights; Student's interval, with the finite
    population's factor.

    References:
        Särndal, Swensson & Wretman (1992), *Model Assisted Survey Sampling*, section
        6.3. Angelopoulos et al. (2023), Prediction-powered inference, Science 382.
    """
    drawn = answers.sampled & (weight[answers.item] > 0)
    count = int(np.count_nonzero(drawn))
    if count < FEWEST_SAMPLED:
        return None
    expected = np.asarray(history.sources.mean(), np.float64)
    off = answers.error[drawn] - expected[answers.item[drawn]]
    left = 0.0 if answers.noisy else count / np.count_nonzero(weight)
    spread = off.std(ddof=1) * np.sqrt(max(1 - left, 0) / count)
    half = float(scipy.stats.t.ppf((1 + level) / 2, count - 1)) * spread
    return in_polarity(
        history, "sample", float(weight @ expected + off.mean()), float(half)
    )


def _notes(
    history: History, answers: Answers, weight: Float[np.ndarray, " item"]
) -> tuple[str, ...]:
    notes = []
    if answers.missing:
        notes.append(
            f"{len(answers.missing):,} items were listed without a score. If they are "
            "missing because of how hard they are, every interval is too narrow."
        )
    if answers.noisy:
        notes.append(
            "Verdicts were taken as noisy: the score is what the mean over many would "
            "be, and an item with few is drawn towards what was expected of it."
        )
    if not answers.sampled.any():
        notes.append(
            "No item is known to have been drawn by chance, so there is no interval "
            "that does without a model."
        )
    idle = int(np.count_nonzero(weight[answers.item] == 0))
    if idle:
        notes.append(
            f"{idle:,} answers are to items that do not count; they still tell about "
            "the others."
        )
    return tuple(notes)
