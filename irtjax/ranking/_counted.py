"""How many trials a score is worth when the table does not say."""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Float64

from irtjax.data import (
    AbstractResponses,
    BinomialResponses,
    LongResponses,
    ResponseTable,
    ScoreResponses,
)
from irtjax.irt import RESULTS, effective_trials

from ._metrics import average_ranks
from ._model_ranker import ModelRanker
from ._ranker import AbstractRanker

RESOLUTION = 1e-8
"""Scores closer than this, relative to the largest, tie: fits agree far better."""

SETTLED = 0.01
"""The last relative change of an estimated number of trials that errors do not feel."""


class Counted(NamedTuple):
    """A table's responses, in the kind that a ranker takes.

    Attributes:
        responses: with trial counts if the ranker needs them.
        declared: whether the counts were declared by the user rather than counted.
        trials: what a score of weight 1 was taken to be worth; None where known.
        dispersion: 1 / `trials` where that was estimated.
        notes: what was assumed, a sentence each.
    """

    responses: AbstractResponses
    declared: bool = False
    trials: float | None = None
    dispersion: float | None = None
    notes: tuple[str, ...] = ()


class Band(NamedTuple):
    """How ranks move with the declared number of trials; None if none was declared."""

    lower: Float64[np.ndarray, " system"] | None
    upper: Float64[np.ndarray, " system"] | None
    notes: tuple[str, ...]


def with_trials(
    table: ResponseTable, ranker: AbstractRanker, trials: float | int | None
) -> Counted:
    """Return a table's responses with trial counts where the ranker needs them.

    Scores without counts become shares of `trials` if that is given. For a model of
    right and wrong they become shares of the number of trials that explains their
    scatter around the model: quasi-likelihood, with the dispersion 1 over that number.

    Raises:
        ValueError: if trials are given and the table has them, or are not positive.
    """
    responses = jax.tree.map(_in_default_precision, table.responses)
    if isinstance(responses, LongResponses):
        responses = responses.dense()
    if trials is not None:
        if not trials > 0:
            raise ValueError(f"`trials` must be positive, got {trials}.")
        if not isinstance(responses, ScoreResponses):
            raise ValueError(
                f"{table.source} has trial counts ({table.trials_from}), so `trials` "
                "must not be given."
            )
        note = (
            f"Each score was taken to be the share of successes in {trials:g} trials."
        )
        declared = responses.as_binomial(jnp.full((1, 1), float(trials)))
        return Counted(declared, True, float(trials), None, (note,))
    if not isinstance(responses, ScoreResponses) or not isinstance(ranker, ModelRanker):
        return Counted(responses, table.trials_from.startswith("declared"))
    if ranker.model.response is not BinomialResponses:
        return Counted(responses)
    found = effective_trials(ranker.model, responses, estimator=ranker.estimator)
    worth = float(found.trials)
    notes = (_how_counted(worth),)
    # Written so that NaN counts as not settled.
    if not (found.code == RESULTS.successful and found.change < SETTLED):
        notes += (
            "That number had not settled when its estimation ended, so errors are "
            "rough: pass `trials` if the number is known.",
        )
    binomial = responses.as_binomial(jnp.full((1, 1), worth))
    return Counted(binomial, False, worth, 1 / worth, notes)


def _how_counted(worth: float) -> str:
    return (
        f"The number of trials behind a score is not known. The scores scatter "
        f"around the fit as if each were the mean of {worth:.3g} right/wrong answers "
        f"(dispersion {1 / worth:.3g}), and errors were computed from that."
    )


def trials_band(
    table: ResponseTable,
    ranker: AbstractRanker,
    counted: Counted,
    score: Float[Array, " system"],
) -> Band:
    """Return the range of each rank over half, once and twice the declared trials."""
    responses = counted.responses
    if not (counted.declared and isinstance(responses, BinomialResponses)):
        return Band(None, None, ())
    score_of = eqx.filter_jit(ranker.score)
    others = [
        score_of(
            BinomialResponses(responses.successes * factor, responses.trials * factor)
        )
        for factor in (0.5, 2.0)
    ]
    ranks = np.stack([np.asarray(ranks_from_best(each)) for each in (score, *others)])
    ranks = ranks.astype(np.float64)
    move = np.nan_to_num(np.abs(ranks - ranks[0]).max(axis=0))
    most = int(np.argmax(move))
    note = (
        "With half and with twice the declared trials no rank changes."
        if move[most] == 0
        else f"With half or twice the declared trials {np.count_nonzero(move)} systems "
        f"change rank, {table.system_ids[most]} the most, by {move[most]:g}."
    )
    return Band(ranks.min(axis=0), ranks.max(axis=0), (note,))


def ranks_from_best(score: Float[Array, " system"]) -> Float[Array, " system"]:
    """Return ranks from 1 = best, ties shared; NaN for a system without a score."""
    ranks = average_ranks(score, resolution=RESOLUTION)
    return jnp.sum(~jnp.isnan(ranks), dtype=ranks.dtype) + 1 - ranks


def _in_default_precision(array: Array) -> Array:
    """Return floats in JAX's present default precision and other arrays as they are."""
    return (
        jnp.asarray(array, float)
        if jnp.issubdtype(array.dtype, jnp.floating)
        else array
    )
