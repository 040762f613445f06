"""A belief with room for questions that are yet to be written."""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from irtjax.active import LowRankBelief

from ._features import Featured


def open_belief(pool: Featured, room: int) -> LowRankBelief:
    """Return the belief about a pool, with empty places after its items.

    An empty place has no feature, so that no answer moves it. The size stays the same
    as the places fill, and so does the compiled program.

    Args:
        pool: its items.
        room: how many questions may join.
    """
    mean, feature, residual = (
        jnp.concatenate([part, jnp.zeros((room, *part.shape[1:]), part.dtype)])
        for part in pool
    )
    directions = feature.shape[1]
    return LowRankBelief(
        mean,
        feature,
        jnp.ones(directions, feature.dtype),
        residual,
        jnp.zeros((), mean.dtype),
    )


def placed(
    belief: LowRankBelief, place: Int[Array, ""], question: Featured
) -> LowRankBelief:
    """Return a belief in which a question has an empty place.

    What was learned so far counts for it: its expected error is its prior mean moved
    along its feature.

    Args:
        belief: with room.
        place: an empty one.
        question: a single one.
    """
    feature: Float[Array, " direction"] = question.feature[0]
    spread = feature @ belief.covariance @ feature
    return eqx.tree_at(
        lambda b: (b.offset, b.feature, b.residual, b.spread),
        belief,
        (
            belief.offset.at[place].set(question.mean[0]),
            belief.feature.at[place].set(feature),
            belief.residual.at[place].set(question.residual[0]),
            belief.spread.at[place].set(spread),
        ),
    )
