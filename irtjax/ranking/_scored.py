"""A ranker's scores on one table together with their joint error."""

import hashlib
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import scipy.special
from jaxtyping import Array, Bool, Float, Int

from irtjax.data import AbstractResponses, BinomialResponses, ScoreResponses
from irtjax.irt import MESSAGES, RESULTS, FittedScores, fit, fitted_scores

from ._jackknife import jackknife_covariance
from ._model_ranker import ModelRanker
from ._ranker import AbstractRanker

MOST_BLOCKS = 100


class Scored(NamedTuple):
    """Scores and what is known of their errors.

    Attributes:
        score: NaN for a system with no data.
        covariance: a NaN variance means that the error is not known.
        codes: how many fits ended how; empty where nothing was fitted.
        method: how the errors came about, in a sentence.
        warnings: what went wrong, in sentences.
        difficulty: of each item on the scores' scale, with its standard error; None if
            the ranker has no such thing.
    """

    score: Float[Array, " system"]
    covariance: Float[Array, "system system"]
    codes: Mapping[str, int]
    method: str
    warnings: tuple[str, ...] = ()
    difficulty: tuple[Float[Array, " item"], Float[Array, " item"]] | None = None


def score_with_errors(
    ranker: AbstractRanker,
    responses: AbstractResponses,
    item_ids: Sequence[Hashable],
    level: float | int,
) -> Scored:
    """Return scores with errors from a fit's information, or else from a jackknife."""
    if isinstance(ranker, ModelRanker):
        return score_by_fit(ranker, responses)
    return score_by_jackknife(ranker, responses, item_ids, level)


def score_by_fit(ranker: ModelRanker, responses: AbstractResponses) -> Scored:
    """Return the abilities of a fit with their covariance from its information.

    A fit that did not succeed gives no scores at all, and says why.
    """
    found, code = _fit(ranker, responses)
    result = RESULTS(int(code))
    some = jnp.any(responses.observed(), axis=1)
    score = jnp.where(some & (code == 0), found.score, jnp.nan)
    method = (
        "Scores are the systems' abilities, fitted together with the items' parameters "
        f"(model `{type(ranker.model).__name__}`, estimator "
        f"`{type(ranker.estimator).__name__}`); their joint errors come from the inverse "
        "of the fit's observed information."
    )
    failed = (
        ()
        if result == RESULTS.successful
        else (f"The fit failed, so there is no ranking: {MESSAGES[result]}.",)
    )
    difficulty = found.difficulty if result == RESULTS.successful else None
    return Scored(score, found.covariance, {result.name: 1}, method, failed, difficulty)


@eqx.filter_jit
def _fit(
    ranker: ModelRanker, responses: AbstractResponses
) -> tuple[FittedScores, Int[Array, ""]]:
    """Return a fit's scores with their errors, and its code."""
    result = fit(ranker.model, responses, estimator=ranker.estimator)
    return fitted_scores(ranker.model, responses, result.value), result.code


def score_by_jackknife(
    ranker: AbstractRanker,
    responses: AbstractResponses,
    item_ids: Sequence[Hashable],
    level: float | int,
) -> Scored:
    r"""Return any ranker's scores with their covariance from leaving out items.

    The jackknife covariance is widened twice. Each standard error is multiplied by the
    ratio of Student's quantile, with one degree of freedom less than the system has
    blocks of items, to the normal one, so that normal intervals have Student's width.
    And the variance of a system with only full marks, or none, which shows no spread to
    learn from, is at least the square of what one item's worth of the opposite outcome
    would change.

    Args:
        ranker: any.
        responses: of one table.
        item_ids: decide the blocks of a table with many items, so that the order of the
            items does not.
        level: of the intervals.
    """
    block = item_blocks(item_ids, MOST_BLOCKS)
    n_block = int(block.max(initial=0)) + 1
    covariance = jackknife_covariance(ranker, responses, jnp.asarray(block), n_block)
    score = eqx.filter_jit(ranker.score)(responses)
    observed = np.asarray(responses.observed())
    blocks = np.array([len(set(block[row])) for row in observed])
    widen = jnp.asarray(student_widening(blocks, level), score.dtype)
    covariance = covariance * widen[:, None] * widen[None, :]
    nudge = jnp.abs(_nudged_score(ranker, responses) - score)
    lacking = jnp.maximum(
        jnp.where(_constant(responses), nudge, 0) ** 2 - jnp.diag(covariance), 0
    )
    covariance = covariance + jnp.diag(lacking)
    what = (
        "one item" if n_block == len(item_ids) else f"one of {n_block} blocks of items"
    )
    method = (
        f"The score is: {ranker.scale}. Joint errors come from a jackknife that "
        f"leaves out {what} at a time, with Student's quantiles."
    )
    return Scored(score, covariance, {}, method)


def student_widening(
    blocks: Int[np.ndarray, " system"], level: float | int
) -> Float[np.ndarray, " system"]:
    """Return Student's quantile over the normal one, with a degree less than blocks."""
    upper = (1 + level) / 2
    student = scipy.special.stdtrit(np.maximum(blocks - 1, 1), upper)
    return student / scipy.special.ndtri(upper)


def item_blocks(item_ids: Sequence[Hashable], most: int) -> Int[np.ndarray, " item"]:
    """Return a block for each item: its own, or one of `most` of nearly equal size.

    Blocks follow the hash of the item's id, so they do not depend on the items' order.
    """
    if len(item_ids) <= most:
        return np.arange(len(item_ids))
    digests = [
        hashlib.sha256(f"{type(each).__name__}:{each}".encode()).hexdigest()
        for each in item_ids
    ]
    place = np.argsort(np.argsort(digests, kind="stable"), kind="stable")
    return place % most


def _constant(responses: AbstractResponses) -> Bool[Array, " system"]:
    """Return which systems have data, all of it 1 or all of it 0."""
    observed, mean = responses.observed(), responses.mean_score()
    right = jnp.all(~observed | (mean == 1), axis=1)
    wrong = jnp.all(~observed | (mean == 0), axis=1)
    return jnp.any(observed, axis=1) & (right | wrong)


@eqx.filter_jit
def _nudged_score(
    ranker: AbstractRanker, responses: AbstractResponses
) -> Float[Array, " system"]:
    """Return each system's score had one item's worth of outcomes been the opposite.

    The change is spread evenly over the system's cells, in its own row alone. Needed,
    and right, only for systems whose outcomes are all 1 or all 0; others get their own
    score.
    """
    constant = _constant(responses)
    observed = responses.observed()
    share = 1 / jnp.maximum(
        jnp.sum(observed, axis=1, dtype=responses.mean_score().dtype), 1
    )

    def nudged(system: Int[Array, ""]) -> Float[Array, ""]:
        change = jnp.where(jnp.arange(observed.shape[0]) == system, share, 0)[:, None]
        return ranker.score(_towards_opposite(responses, change))[system]

    return jnp.where(
        constant,
        jax.lax.map(nudged, jnp.arange(observed.shape[0]), batch_size=8),
        ranker.score(responses),
    )


def _towards_opposite(
    responses: AbstractResponses, share: Float[Array, "system 1"]
) -> AbstractResponses:
    """Return responses with a share of each outcome turned into its opposite."""
    if isinstance(responses, BinomialResponses):
        turned = responses.successes + share * (
            responses.trials - 2 * responses.successes
        )
        return BinomialResponses(turned, responses.trials)
    score = responses.mean_score()
    return ScoreResponses(
        score + share * (1 - 2 * score), responses.observed().astype(score.dtype)
    )
