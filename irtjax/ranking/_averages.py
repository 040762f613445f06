"""Rankers that average outcomes: the plain mean and its two corrections for difficulty.

All three weigh every observed cell of a system the same, however many trials it holds.
"""

from typing import ClassVar

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from irtjax.data import AbstractResponses

from ._metrics import average_ranks
from ._ranker import AbstractRanker, RankerScores, closed_form_scores


def masked_mean(
    values: Float[Array, "row column"], observed: Bool[Array, "row column"]
) -> Float[Array, " row"]:
    """Return each row's mean over its observed columns; NaN where there is none."""
    count = jnp.sum(observed, axis=1, dtype=values.dtype)
    total = jnp.sum(jnp.where(observed, values, 0), axis=1)
    return jnp.where(count > 0, total / jnp.maximum(count, 1), jnp.nan)


class SimpleAverage(AbstractRanker):
    """The mean outcome over the items that a system ran: what most leaderboards show.

    It compares systems on different items as if those were equally hard. Takes
    responses of any kind; the score is on the scale of the outcome, from 0 to 1.
    """

    scale: ClassVar[str] = "mean outcome"

    def score(self, responses: AbstractResponses) -> Float[Array, " system"]:
        return masked_mean(responses.mean_score(), responses.observed())

    def score_many(self, responses: AbstractResponses) -> RankerScores:
        return closed_form_scores(self, responses)


class ItemCentredAverage(AbstractRanker):
    """The mean of a system's outcomes less the means of the items that it ran.

    One step towards equal footing: an item's mean still depends on who ran it. Takes
    responses of any kind; the score is a difference of outcomes, from -1 to 1.
    """

    scale: ClassVar[str] = "mean outcome above the item's mean"

    def score(self, responses: AbstractResponses) -> Float[Array, " system"]:
        observed = responses.observed()
        outcome = responses.mean_score()
        item_mean = masked_mean(outcome.T, observed.T)
        return masked_mean(outcome - item_mean[None, :], observed)

    def score_many(self, responses: AbstractResponses) -> RankerScores:
        return closed_form_scores(self, responses)


class WithinItemRank(AbstractRanker):
    r"""The mean share of the systems on the same item that a system stands above.

    On an item that $n$ systems ran, a system of average rank $r$ (1 = worst, ties
    share) counts $(r - 1/2) / n$. Any increasing change of an item's scale leaves it
    the same. Takes responses of any kind; the score lies between 0 and 1.
    """

    scale: ClassVar[str] = "mean share of systems beaten on an item"

    def score(self, responses: AbstractResponses) -> Float[Array, " system"]:
        observed = responses.observed()
        outcome = jnp.where(observed, responses.mean_score(), jnp.nan)
        rank = jax.vmap(average_ranks, in_axes=1, out_axes=1)(outcome)
        count = jnp.sum(observed, axis=0, dtype=rank.dtype)
        return masked_mean((rank - 0.5) / jnp.maximum(count, 1)[None, :], observed)

    def score_many(self, responses: AbstractResponses) -> RankerScores:
        return closed_form_scores(self, responses)
