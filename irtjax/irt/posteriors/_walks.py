"""Independent draws from a posterior that is nearly normal: one short walk each.

A normal approximation is wrong a little, in skewness and spread, and a few Hamiltonian
transitions from a draw of it take most of that away. Every draw is a chain of its own,
so draws are independent and no chain has to mix.
"""

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

Point = Float[Array, " all"]


def short_walk(
    potential: Callable[[Point], Float[Array, ""]],
    size: int,
    *,
    transitions: int = 8,
    leapfrogs: int = 5,
    step: float = 0.3,
    key: PRNGKeyArray,
) -> Point:
    """Return where one walk from a standard normal start ends. Pure.

    Args:
        potential: minus the log density, in nats, in coordinates in which it is about
            standard normal, as `Whitening` makes them.
        size: how many coordinates.
        transitions: accepted or refused, so that the density is exactly kept.
        leapfrogs: steps in each; with `step` a quarter of the way round.
        step: mean length of one, in standard deviations; each transition's own is up to
            a fifth shorter or longer, lest a walk come round to where it began.
        key: of the start, the momenta, the steps and the acceptances.

    References:
        Neal (2011), MCMC using Hamiltonian dynamics, in *Handbook of Markov Chain Monte
        Carlo*, sec. 3 and 5.3.2.
    """
    at, onwards = jax.random.split(key)
    start = jax.random.normal(at, (size,), float)
    value_and_slope = jax.value_and_grad(potential)

    def transition(here, key):
        for_momentum, for_step, for_accept = jax.random.split(key, 3)
        momentum = jax.random.normal(for_momentum, (size,), start.dtype)
        length = step * jax.random.uniform(for_step, (), start.dtype, 0.8, 1.2)

        def leap(_, state):
            point, momentum, _, slope = state
            momentum = momentum - length / 2 * slope
            point = point + length * momentum
            value, slope = value_and_slope(point)
            return point, momentum - length / 2 * slope, value, slope

        point, value, slope = here
        ended = jax.lax.fori_loop(0, leapfrogs, leap, (point, momentum, value, slope))
        there, turned, there_value, there_slope = ended
        change = there_value - value + (turned @ turned - momentum @ momentum) / 2
        # Written so that a walk that left the numbers is refused.
        taken = jnp.log(jax.random.uniform(for_accept, (), start.dtype)) < -change
        moved = jax.tree.map(
            lambda new, old: jnp.where(taken, new, old),
            (there, there_value, there_slope),
            here,
        )
        return moved, None

    first = (start, *value_and_slope(start))
    (point, _, _), _ = jax.lax.scan(
        transition, first, jax.random.split(onwards, transitions)
    )
    return point
