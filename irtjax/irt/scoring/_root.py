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
        direction: 1 if the search went up from its start, -1 if it went down.
        bracketed: whether the function changed its sign within reach.
        converged: whether the root was then found to rounding.
    """

    value: Scalar
    direction: Scalar
    bracketed: Bool[Array, ""]
    converged: Bool[Array, ""]


class _Search(NamedTuple):
    low: Scalar
    high: Scalar
    at: Scalar
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
    exactly 0 has no root there: there is no bracket.

    Args:
        function: finite, with a finite derivative.
        start: where to begin.

    References:
        Press et al. (2007), *Numerical Recipes*, 3rd ed., section 9.4.
    """
    direction = jnp.where(function(start) >= 0, 1, -1).astype(start.dtype)

    def ahead(distance: Scalar) -> Scalar:
        return direction * function(start + direction * distance)

    def reach_on(state: tuple[Scalar, Scalar, Int[Array, ""]]):
        _, far, count = state
        return far, 2 * far, count + 1

    near, far, _ = jax.lax.while_loop(
        lambda s: (ahead(s[1]) >= 0) & (s[2] < DOUBLINGS),
        reach_on,
        (
            jnp.zeros_like(start),
            jnp.full_like(start, FIRST_REACH),
            jnp.zeros((), jnp.int32),
        ),
    )
    bracketed = ahead(far) < 0
    enough = 0.01 * jnp.sqrt(jnp.finfo(start.dtype).eps)

    def step(search: _Search) -> _Search:
        value, slope = jax.jvp(ahead, (search.at,), (jnp.ones_like(search.at),))
        low = jnp.where(value >= 0, search.at, search.low)
        high = jnp.where(value >= 0, search.high, search.at)
        newton = search.at - value / jnp.where(slope < 0, slope, -1)
        inside = (slope < 0) & (newton >= low) & (newton <= high)
        there = jnp.where(inside, newton, 0.5 * (low + high))
        # Newton converges quadratically: after a step this short nothing is left.
        short = enough * (1 + jnp.abs(start + direction * there))
        done = jnp.abs(there - search.at) <= short
        return _Search(low, high, there, search.steps + 1, done)

    search = jax.lax.while_loop(
        lambda s: ~s.done & (s.steps < MAX_STEPS),
        step,
        _Search(near, far, 0.5 * (near + far), jnp.zeros((), jnp.int32), ~bracketed),
    )
    end = jnp.where(bracketed, search.at, far)
    return Root(start + direction * end, direction, bracketed, bracketed & search.done)
