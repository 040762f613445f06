"""The population that the systems are thought to come from, on a grid of abilities."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from .._model import AbstractResponseModel, Estimate, named
from .._parameter import constrain

NODES = 61  # equally spaced, as R mirt has them for one ability
REACH = 6.0  # standard deviations to either side


class Population(NamedTuple):
    """A discrete distribution of the ability, and success at each of its points.

    Attributes:
        node: unconstrained abilities, equally spaced.
        weight: their shares of the population, in sum 1.
        success: the chance of a right answer.
    """

    node: Float[Array, " node"]
    weight: Float[Array, " node"]
    success: Float[Array, "node item"]


def population(
    model: AbstractResponseModel,
    estimate: Estimate,
    item_features: Float[Array, "item g"],
) -> Population:
    """Return the ability's prior on a grid around its mode, with success at each node.

    The grid reaches six standard deviations to either side, where a standard deviation
    is that of the normal density with the prior's curvature at its mode.
    """
    values = named(model, estimate)
    prior = model.system_parameters[0].prior
    shared = constrain(model.shared_parameters, estimate.shared)
    dtype = estimate.system.dtype
    nothing = jnp.zeros(0, dtype)

    def density(ability):
        return prior.log_prob(ability, shared, nothing)

    slope, bend = jax.grad(density), jax.grad(jax.grad(density))
    # Newton's steps to the mode: one is enough for a normal prior.
    mode = jax.lax.fori_loop(
        0, 8, lambda _, x: x - slope(x) / bend(x), jnp.zeros((), dtype)
    )
    grid = jnp.linspace(-REACH, REACH, NODES, dtype=dtype)
    node = mode + grid / jnp.sqrt(-bend(mode))
    weight = jax.nn.softmax(jax.vmap(density)(node))
    return Population(
        node, weight, success_at(model, values, node, item_features, nothing)
    )


def success_at(model, values, node, item_features, system_features):
    """Return the chance of a right answer to each item at some abilities."""
    kinds = model.system_parameters

    def one(ability, item, features):
        system = constrain(kinds, ability[None])
        return model.log_prob(
            jnp.ones((), ability.dtype),
            system,
            item,
            values.shared,
            system_features,
            features,
        )

    over_items = jax.vmap(one, (None, 0, 0))
    return jnp.exp(
        jax.vmap(over_items, (0, None, None))(node, values.item, item_features)
    )
