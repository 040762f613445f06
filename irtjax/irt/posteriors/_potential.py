"""Minus the log posterior as numpyro takes it: of one vector, cheap to differentiate."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from .._posterior import Posterior
from ._whitening import Whitening


def potential_by_z(
    problem: Posterior, whitening: Whitening
) -> Callable[[Float[Array, " all"]], Float[Array, ""]]:
    """Return minus the log posterior by z, its gradient from the same pass."""

    def both(z: Float[Array, " all"]):
        share = jnp.ones((), z.dtype)  # of a matrix that is not used
        here = problem.evaluate(whitening.forward(z), share)
        return here.value, whitening.pull(here.gradient)

    @jax.custom_vjp
    def potential(z: Float[Array, " all"]) -> Float[Array, ""]:
        return both(z)[0]

    potential.defvjp(both, lambda gradient, change: (change * gradient,))
    return potential
