"""A batch of items at once, from one score an item."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, ScalarLike

SHORTLIST = 3
"""How many times as many items are shortlisted as are chosen for being far apart."""


def top_n(score: Float[Array, " item"], count: int) -> Int[Array, " pick"]:
    """Return the items of the highest scores, the highest first.

    Args:
        score: as an acquisition gives it.
        count: how many.
    """
    return jax.lax.top_k(score, count)[1]


def above_threshold(
    score: Float[Array, " item"], threshold: ScalarLike
) -> Bool[Array, " item"]:
    """Return which items score at least a threshold.

    Args:
        score: as an acquisition gives it; an item of `-inf` never counts.
        threshold: on the score's scale.
    """
    return (score >= threshold) & jnp.isfinite(score)


def farthest_first(
    score: Float[Array, " item"], feature: Float[Array, "item feature"], count: int
) -> Int[Array, " pick"]:
    """Return items of high score that lie far from each other.

    The shortlist has three times as many items as are wanted, by score. Its best comes
    first; each next one is the farthest from those chosen so far.

    Args:
        score: as an acquisition gives it.
        feature: of the items; distances are Euclidean.
        count: how many.

    References:
        Gonzalez (1985), Clustering to minimize the maximum intercluster distance,
        Theoretical Computer Science 38.
    """
    listed = top_n(score, min(SHORTLIST * count, score.shape[0]))
    place = feature[listed]

    def step(nearest: Float[Array, " listed"], _: None):
        chosen = jnp.argmax(nearest)
        distance = jnp.linalg.norm(place - place[chosen][None], axis=1)
        # -1, so that an item is not chosen twice where several lie in one place.
        return jnp.minimum(nearest, distance).at[chosen].set(-1), listed[chosen]

    first = jnp.full(listed.shape[0], jnp.inf, place.dtype)
    return jax.lax.scan(step, first, None, length=count)[1]


SELECTIONS: dict[str, Callable[..., Array]] = {
    "top_n": top_n,
    "threshold": above_threshold,
    "greedy": farthest_first,
}
"""The ways to select a batch, by name."""
