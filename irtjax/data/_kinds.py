"""Which kind of response a table holds, and its numbers as sums that can be merged.

Whatever the kind, an observation becomes a short vector whose sum over observations of
one cell is the cell: (successes, trials), (score x weight, weight), or category counts.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from ._columns import and_more
from ._observations import Observations, refuse
from ._options import Options, ScoreIs, Values
from ._responses import (
    AbstractResponses,
    BinomialResponses,
    CategoricalResponses,
    ScoreResponses,
)
from ._source import DataError

_ROUNDING = 1e-9  # scores and counts this close to a bound or a whole number are it


class Cells(NamedTuple):
    """Observations in the form of one kind of response.

    Attributes:
        kind: the class of responses.
        seen: where a row holds an observation; the rest are missing or had no trials.
        sums: what a row adds to its cell; harmless numbers where not `seen`.
        trials_from: where the numbers of trials are from, in words.
        notes: on what was guessed or rounded.
    """

    kind: type[AbstractResponses]
    seen: Bool[np.ndarray, " row"]
    sums: Float[np.ndarray, "row part"]
    trials_from: str
    notes: tuple[str, ...]


def binomial_cells(
    observations: Observations, options: Options, score_is: ScoreIs
) -> Cells:
    """Return successes and trials, from counts or from scores with known trials."""
    notes: tuple[str, ...] = ()
    if observations.trials is None:
        score, seen = _scores(observations, options)
        successes, trials = score, np.ones_like(score)
        trials_from = "binary scores"
    else:
        trials, seen = _trials(observations)
        trials_from = observations.trials_from
        values, notes = _values(observations, options, trials)
        if values == "successes":
            successes = np.where(seen, observations.value, 0)
            refuse(
                seen & (successes > trials * (1 + _ROUNDING)),
                observations,
                "{value} successes out of {trials} trials",
                "Are the columns, or trials=, right?",
            )
            successes = np.minimum(successes, trials)
        else:
            score, _ = _scores(observations, options)
            successes, rounding = _whole(np.where(seen, score, 0), trials, observations)
            notes += rounding
        seen = seen & (trials > 0)
    if score_is == "failure":
        successes = trials - successes
    sums = np.stack([successes, trials], axis=1)
    return Cells(BinomialResponses, seen, sums, trials_from, notes)


def score_cells(
    observations: Observations, options: Options, score_is: ScoreIs
) -> Cells:
    """Return scores of weight 1: fractions whose number of trials nobody has told."""
    if observations.values == "successes":
        raise DataError(
            f"{observations.place(0)}: successes without a number of trials. Pass "
            "trials= (a column's name or a number)."
        )
    score, seen = _scores(observations, options)
    score = 1 - score if score_is == "failure" else score
    note = (
        "The scores are fractions and nothing says of how many trials; they count as "
        "one score a cell and their spread is estimated. Pass trials= if the number is "
        "known."
    )
    sums = np.stack([score, np.ones_like(score)], axis=1)
    return Cells(ScoreResponses, seen, sums, "unknown", (note,))


def categorical_cells(
    observations: Observations, options: Options, score_is: ScoreIs
) -> Cells:
    """Return counts of ordered categories, as declared by the caller."""
    wanted = np.array(options.category_values())
    match = observations.value[:, None] == wanted
    seen = ~np.isnan(observations.value)
    listed = ", ".join(f"{value:g}" for value in wanted)
    refuse(
        seen & ~match.any(axis=1),
        observations,
        f"{{value}} is none of the categories {listed}",
        "Pass categories= with the values, lowest first, such as categories=(1, 2, 3, "
        "4).",
    )
    sums = match.astype(float)
    sums = sums[:, ::-1] if score_is == "failure" else sums
    words = f"{len(wanted)} categories"
    return Cells(CategoricalResponses, seen, sums, words, ())


def _scores(
    observations: Observations, options: Options
) -> tuple[Float[np.ndarray, " row"], Bool[np.ndarray, " row"]]:
    score = observations.value / options.out_of
    seen = ~np.isnan(score)
    bound = "1" if options.out_of == 1 else f"out_of={options.out_of:g}"
    refuse(
        score > 1 + _ROUNDING,
        observations,
        f"the score {{value}} is above {bound}",
        "If scores are percentages, pass out_of=100; if they count successes, pass "
        "trials= with values='successes'; if they are ordered categories, pass "
        "categories=.",
    )
    return np.clip(np.where(seen, score, 0), 0, 1), seen


def _trials(
    observations: Observations,
) -> tuple[Float[np.ndarray, " row"], Bool[np.ndarray, " row"]]:
    trials = observations.trials
    assert trials is not None
    seen = ~np.isnan(observations.value)
    help_ = "Trials are whole numbers; 0 means not run."
    refuse(
        seen & np.isnan(trials),
        observations,
        "a result whose number of trials is missing",
        "Fill it in, or remove the result.",
    )
    refuse(
        trials < 0,
        observations,
        "a negative number of trials, {trials} ({trials_from})",
        help_,
    )
    wrong = np.isinf(trials)
    if observations.trials_from.startswith("column"):
        wrong |= trials != np.round(np.where(np.isnan(trials), 0, trials))
        wrong &= ~np.isnan(trials)
    refuse(
        wrong, observations, "{trials} is not a number of trials ({trials_from})", help_
    )
    return np.where(seen, trials, 0), seen


def _values(
    observations: Observations, options: Options, trials: Float[np.ndarray, " row"]
) -> tuple[Values, tuple[str, ...]]:
    """Return whether numbers given with trials are successes or scores."""
    if observations.values is not None:
        return observations.values, ()
    if options.out_of != 1:
        return "score", ()
    seen = ~np.isnan(observations.value)
    value = observations.value[seen]
    if np.any(value > 1):
        return "successes", (
            "Numbers above 1 beside a number of trials were taken as counts of "
            "successes; pass values='score' if they are not.",
        )
    if np.any(value != np.round(value)):
        return "score", (
            "Fractions beside a number of trials were taken as shares of it; pass "
            "values='successes' if they are not.",
        )
    if np.all(trials[seen] <= 1):
        return "successes", ()
    k = int(np.argmax(seen))
    raise DataError(
        f"{observations.place(k)}: every number is 0 or 1 and there are several "
        "trials, so they may be counts or shares. Pass values='successes' or 'score'."
    )


def _whole(
    score: Float[np.ndarray, " row"],
    trials: Float[np.ndarray, " row"],
    observations: Observations,
) -> tuple[Float[np.ndarray, " row"], tuple[str, ...]]:
    """Return score x trials, made whole where the score is a share of them, rounded."""
    raw = score * trials
    near = np.round(raw)
    share = np.divide(near, trials, out=np.zeros_like(near), where=trials > 0)
    exact = np.abs(raw - near) <= _ROUNDING * np.maximum(trials, 1)
    rounded = np.zeros_like(exact)
    for digits in (2, 3, 4):
        short = np.abs(score - np.round(score, digits)) <= _ROUNDING
        rounded |= short & (np.abs(share - score) <= 0.5 * 10.0**-digits + _ROUNDING)
    notes: tuple[str, ...] = ()
    if np.any(rounded & ~exact):
        k = int(np.argmax(rounded & ~exact))
        notes += (
            f"Rounded shares were made whole counts: {score[k]:g} of {trials[k]:g} "
            f"trials is {near[k]:g}{and_more(rounded & ~exact)}.",
        )
    broken = ~(exact | rounded)
    if broken.any():
        k = int(np.argmax(broken))
        notes += (
            f"{observations.place(k)}: {score[k]:g} of {trials[k]:g} trials is not a "
            f"whole number of successes{and_more(broken)}; kept as {raw[k]:g}. Is the "
            "number of trials right?",
        )
    return np.where(exact | rounded, near, raw), notes
