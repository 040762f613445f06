"""The derivative of an optimum by what made its objective."""

from collections.abc import Callable
from typing import TypeVar

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ._blocks import Vector
from ._frozen import frozen
from ._model import Estimate
from ._objective import AbstractObjective

Scalar = Float[Array, ""]
Tree = TypeVar("Tree")


@eqx.filter_custom_jvp
def with_derivative(
    at: Estimate, value: Scalar, objective: AbstractObjective
) -> tuple[Estimate, Scalar]:
    r"""Return an optimum and the objective there, unchanged, with their derivatives.

    At the optimum $g(u, \phi) = 0$, so $\mathrm{d}u/\mathrm{d}\phi = -H^{-1}\, \partial
    g / \partial \phi$, and the objective changes as if $u$ stood still. Costs nothing
    where no derivative is asked for.

    Args:
        at: the optimum; how it was found is not differentiated.
        value: the objective there.
        objective: whose parts may be differentiated by.
    """
    return at, value


@with_derivative.def_jvp
def _(primals, tangents):
    at, value, objective = primals
    at, (_, _, change) = frozen(at), tangents
    slope = _change(lambda o: jax.grad(o.value)(at), (objective,), (change,))
    right = Vector(slope.system.T, slope.item.T, slope.shared)
    step = frozen(objective).solve(at, right)
    moved = Estimate(-step.system.T, -step.item.T, -step.shared)
    full = _change(lambda o, u: o.settled(u), (objective, at), (change, moved))
    return (at, value), (full, _change(lambda o: o.value(at), (objective,), (change,)))


def _change(function: Callable[..., Tree], primals: tuple, tangents: tuple) -> Tree:
    """Return the tangent of a function, 0 where it does not depend on what moves."""
    found, moved = eqx.filter_jvp(function, primals, tangents)
    return jax.tree.map(
        lambda value, tangent: jnp.zeros_like(value) if tangent is None else tangent,
        found,
        moved,
        is_leaf=lambda leaf: leaf is None,
    )
