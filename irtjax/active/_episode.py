"""Episodes: asking one item after the other, answers included, as one scan."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from ._acquisition import AbstractAcquisition
from ._acquisitions import best
from ._belief import AbstractBelief
from ._sources import Target
from ._stopping import AbstractStoppingRule, Progress


class Episode(NamedTuple):
    """What came of asking, step by step.

    Attributes:
        item: what was asked at each step.
        outcome: the error that was seen.
        mean: of the total after each step, in errors.
        variance: of the total after each step, in squared errors.
        stopped: after how many steps the stopping rule was met; later steps are there
            all the same. The number of steps where it never was.
        belief: after the last step.
    """

    item: Int[Array, " step"]
    outcome: Float[Array, " step"]
    mean: Float[Array, " step"]
    variance: Float[Array, " step"]
    stopped: Int[Array, ""]
    belief: AbstractBelief


def run_episode(
    belief: AbstractBelief,
    acquisition: AbstractAcquisition,
    target: Target,
    weights: Float[Array, " item"],
    budget: int,
    *,
    noise: Float[Array, " item"] | None = None,
    stop: AbstractStoppingRule | None = None,
    cost: Float[Array, " item"] | None = None,
) -> Episode:
    """Return an episode on a target whose outcomes are on record. Pure.

    Only items with an outcome are asked. `jax.vmap` it over targets or over beliefs.

    Args:
        belief: before any answer.
        acquisition: the item of its highest score is asked next.
        target: reveals the outcome of what is asked, and nothing else.
        weights: of the items in the mean that is wanted.
        budget: how many items, at most as many as have an outcome.
        noise: variance of each outcome, in squared errors; 0 where None.
        stop: tells after which step it would have been enough.
        cost: of running each item, in any unit; 1 where None.
    """
    count = weights.shape[0]
    noise = jnp.zeros(count, weights.dtype) if noise is None else noise
    cost = jnp.ones(count, weights.dtype) if cost is None else cost

    def step(
        carry: tuple[AbstractBelief, Bool[Array, " item"], Float[Array, ""]], number
    ):
        belief, seen, spent = carry
        item = best(acquisition(belief, seen))
        outcome = target.error[item]
        belief = belief.update(item, outcome, noise[item])
        total = belief.total(weights)
        spent = spent + cost[item]
        enough = jnp.asarray(False)
        if stop is not None:
            enough = stop(Progress(number + 1, total, spent))
        carry = belief, seen.at[item].set(True), spent
        return carry, (item, outcome, total, enough)

    start = belief, ~target.observed, jnp.zeros((), weights.dtype)
    (belief, _, _), (item, outcome, total, enough) = jax.lax.scan(
        step, start, jnp.arange(budget)
    )
    stopped = jnp.where(jnp.any(enough), jnp.argmax(enough) + 1, budget)
    return Episode(item, outcome, total.mean, total.variance, stopped, belief)
