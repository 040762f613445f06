"""Where a falling function of one number crosses zero."""

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

Scalar = Float[Array, ""]

FIRST_REACH = 0.5
DOUBLINGS = 20
MAX_STEPS = 100
START_REACH = 8.0
START_NODES = 33


class Root(NamedTuple):
    """Where the search ended.

    Attributes:
        value: the root; the farthest point tried where none was bracketed.
        up: whether the search went up from its start.
        reached: the function there.
        slope: its derivative there.
        bracketed: whether the function changed its sign within reach.
        converged: whether the root was then found to rounding.
    """

    value: Scalar
    up: Bool[Array, ""]
    reached: Scalar
    slope: Scalar
    bracketed: Bool[Array, ""]
    converged: Bool[Array, ""]


class _Search(NamedTuple):
    """One point after another.

    Attributes:
        at: the next point, or the last one.
        low: the highest point with a value of at least 0; the root is above.
        high: the lowest one with a negative value; the root is below.
        reach: of the next step where the root is not yet between two points.
        up: whether the search went up from its start.
        reached: the function at the last point looked at.
        slope: its derivative there.
        short: whether the last step left nothing to do but look where it led.
        steps: points looked at.
        done: whether the search has ended.
    """

    at: Scalar
    low: Scalar
    high: Scalar
    reach: Scalar
    up: Bool[Array, ""]
    reached: Scalar
    slope: Scalar
    short: Bool[Array, ""]
    steps: Int[Array, ""]
    done: Bool[Array, ""]


def highest_node(height: Callable[[Scalar], Scalar], dtype: jnp.dtype) -> Scalar:
    """Return the best of a few starting points; one after the other, to save memory."""
    nodes = jnp.linspace(-START_REACH, START_REACH, START_NODES, dtype=dtype)
    heights = jax.lax.map(height, nodes)
    return nodes[jnp.argmax(jnp.where(jnp.isnan(heights), -jnp.inf, heights))]


def falling_root(function: Callable[[Scalar], Scalar], start: Scalar) -> Root:
    """Return the first root that lies the way the function points.

    From the start the search goes up where the function is at least 0 and down where it
    is negative, by steps that double, until the sign has changed; Newton steps within
    the bracket follow, and halvings where one would leave it. A function that fades to
    exactly 0 has no root there: there is no bracket. The function stands once in the
    program, so that little is compiled.

    Args:
        function: finite, with a finite derivative.
        start: where to begin.

    References:
        Press et al. (2007), *Numerical Recipes*, 3rd ed., section 9.4.
    """
    enough = 0.01 * jnp.sqrt(jnp.finfo(start.dtype).eps)
    farthest = FIRST_REACH * 2.0**DOUBLINGS

    def step(search: _Search) -> _Search:
        at = search.at
        value, slope = jax.jvp(function, (at,), (jnp.ones_like(at),))
        up = jnp.where(search.steps == 0, value >= 0, search.up)
        # What has faded to 0 on the way has not crossed it.
        above = jnp.where(up, value >= 0, value > 0)
        low = jnp.where(above, at, search.low)
        high = jnp.where(above, search.high, at)
        bracketed = jnp.isfinite(low) & jnp.isfinite(high)
        newton = at - value / jnp.where(slope < 0, slope, -1)
        inside = (slope < 0) & (newton >= low) & (newton <= high)
        between = jnp.where(inside, newton, 0.5 * (low + high))
        beyond = at + jnp.where(above, search.reach, -search.reach)
        there = jnp.where(bracketed, between, beyond)
        # Newton converges quadratically: after a step this short nothing is left.
        close = jnp.abs(there - at) <= enough * (1 + jnp.abs(at))
        lost = ~bracketed & (search.reach > farthest)
        done = search.short | lost | ~jnp.isfinite(value)
        return _Search(
            jnp.where(done, at, there),
            low,
            high,
            2 * search.reach,
            up,
            value,
            slope,
            bracketed & close,
            search.steps + 1,
            done,
        )

    infinite, zero = jnp.full_like(start, jnp.inf), jnp.zeros_like(start)
    search = jax.lax.while_loop(
        lambda s: ~s.done & (s.steps < MAX_STEPS),
        step,
        _Search(
            at=start,
            low=-infinite,
            high=infinite,
            reach=jnp.full_like(start, FIRST_REACH),
            up=jnp.ones((), bool),
            reached=zero,
            slope=zero,
            short=jnp.zeros((), bool),
            steps=jnp.zeros((), jnp.int32),
            done=jnp.zeros((), bool),
        ),
    )
    bracketed = jnp.isfinite(search.low) & jnp.isfinite(search.high)
    return Root(
        search.at,
        search.up,
        search.reached,
        search.slope,
        bracketed,
        search.done & search.short,
    )
