"""A search for failures in a pool of items."""

from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from irtjax.active import SourceErrors, Target, run_episode

from ._methods import AbstractFailureMethod


class Found(NamedTuple):
    """What was asked, in order, and what came of it.

    Attributes:
        item: that was asked.
        outcome: its error, from 0 to 1.
    """

    item: Int[Array, " pick"]
    outcome: Float[Array, " pick"]


def find_failures(
    method: AbstractFailureMethod,
    sources: SourceErrors,
    target: Target,
    budget: int,
    *,
    key: PRNGKeyArray,
) -> Found:
    """Return a search on a target whose outcomes are on record. Pure.

    Args:
        method: chooses the items; it sees an outcome only after it was asked.
        sources: errors of the other systems.
        target: of the system under test.
        budget: how many items are asked, at most as many as have an outcome.
        key: of whatever the method draws.
    """
    belief, acquisition = method.start(sources, budget, key=key)
    count = sources.shape[0]
    weights = jnp.full(count, 1 / count, target.error.dtype)
    episode = run_episode(belief, acquisition, target, weights, budget)
    return Found(episode.item, episode.outcome)
