"""Greedy variance reduction on a belief of low rank: one pass over the features a step."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from ._acquisitions import best
from ._low_rank import LowRankBelief


class Quadrature(NamedTuple):
    """What came of asking for the total, step by step.

    Attributes:
        item: what was asked.
        mean: of the total after each step, in errors.
        variance: of the total, in squared errors.
    """

    item: Int[Array, " step"]
    mean: Float[Array, " step"]
    variance: Float[Array, " step"]


def quadrature(
    belief: LowRankBelief,
    weights: Float[Array, " item"],
    seen: Bool[Array, " item"],
    budget: int,
    outcome: Float[Array, " item"] | None = None,
) -> Quadrature:
    r"""Return the items that most reduce the total's variance, one after the other.

    The same as `run_episode` with `VarianceReduction` and no noise. With $t_i$ the
    covariance of item $i$ and the total, and $k$ that of all items with the one picked,
    $t \leftarrow t - k t_j / v$, $K_{ii} \leftarrow K_{ii} - k_i^2 / v$ and the total's
    variance falls by $t_j^2 / v$, where $v$ is the answer's variance; $k$ takes one
    product with the features.

    Args:
        belief: before any of them.
        weights: of the items in the total; those without weight come last.
        seen: items that may not be picked.
        budget: how many; at most as many as are left.
        outcome: of all items, of which those picked are looked at; what the belief
            expects where None.
    """
    along = (weights * belief.share) @ belief.feature
    cross = belief.share * (belief.feature @ (belief.covariance @ along))
    cross = cross + weights * belief.residual
    total = belief.total(weights)

    def step(carry, _):
        covariance, coefficient, variance, cross, seen, mean, spread = carry
        whole = variance + belief.noise
        gain = jnp.square(cross) / jnp.where(whole > 0, whole, jnp.inf)
        item = best(jnp.where(seen, -jnp.inf, jnp.where(weights > 0, gain, -1)))
        # An item is picked once, so its own share and remainder are still the first.
        share, feature = belief.share[item], belief.feature[item]
        answer = whole[item]
        precision = 1 / jnp.where(answer > 0, answer, jnp.inf)
        direction = share * (covariance @ feature)
        column = belief.share * (belief.feature @ direction)
        column = column.at[item].add(belief.residual[item])
        taken = cross[item] * precision
        if outcome is None:
            surprise = jnp.zeros_like(mean)
        else:
            expected = belief.offset[item] + share * (feature @ coefficient)
            surprise = outcome[item] - expected
        mean = mean + taken * surprise
        spread = jnp.maximum(spread - taken * cross[item], 0)
        carry = (
            covariance - precision * jnp.outer(direction, direction),
            coefficient + precision * surprise * direction,
            variance - jnp.square(column) * precision,
            cross - column * taken,
            seen.at[item].set(True),
            mean,
            spread,
        )
        return carry, Quadrature(item, mean, spread)

    start = (
        belief.covariance,
        belief.coefficient,
        belief.variance(),
        cross,
        seen,
        total.mean,
        total.variance,
    )
    return jax.lax.scan(step, start, length=budget)[1]
