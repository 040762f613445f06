"""Item curves as functions of one ability, and where each rises."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import BinomialResponses

from .._model import AbstractLogitModel, AbstractResponseModel
from .._parameter import constrain
from ._equation import need_one_ability
from ._root import falling_root
from ._system import FAR

Scalar = Float[Array, ""]


class Item(NamedTuple):
    """What an item's curve depends on.

    Attributes:
        item: its parameters, unconstrained.
        shared: those of all items, unconstrained.
        features: what is known of it.
    """

    item: Float[Array, " q"]
    shared: Float[Array, " s"]
    features: Float[Array, " g"]


class Bend(NamedTuple):
    """Where an item's expected score is half way up, and how steep it is there.

    Attributes:
        location: in logits; the difficulty of a 2PL, 3PL or 4PL item.
        slope: four times the slope over the height, the discrimination of such items.
    """

    location: Scalar
    slope: Scalar


def outcomes(model: AbstractResponseModel, dtype: jnp.dtype) -> Float[Array, " term"]:
    """Return the outcomes that an item of the model may have.

    Raises:
        ValueError: if a system has several abilities, or outcomes are a continuum.
    """
    need_one_ability(model, "Linking")
    count = 2
    if model.response is not BinomialResponses:
        logit = isinstance(model, AbstractLogitModel)
        count = getattr(model, "n_category", 2 if logit else 0)
    if count < 2:
        raise ValueError(
            f"Linking compares the chances of outcomes, and {type(model).__name__} "
            "does not say by `n_category` how many there are."
        )
    return jnp.arange(count, dtype=dtype)


def log_chances(
    model: AbstractResponseModel, item: Item, ability: Scalar
) -> Float[Array, " term"]:
    """Return the log-probability of each outcome of one item at one ability."""
    system = constrain(model.system_parameters, ability[None])
    own = constrain(model.item_parameters, item.item)
    shared = constrain(model.shared_parameters, item.shared)
    nothing = jnp.zeros(0, ability.dtype)
    return jax.vmap(
        lambda o: model.log_prob(o, system, own, shared, nothing, item.features)
    )(outcomes(model, ability.dtype))


def chances(
    model: AbstractResponseModel, item: Item, ability: Scalar
) -> Float[Array, " term"]:
    """Return the probability of each outcome of one item at one ability."""
    return jnp.exp(log_chances(model, item, ability))


def expected_score(model: AbstractResponseModel, item: Item, ability: Scalar) -> Scalar:
    """Return one item's expected outcome at one ability, from 0 to the highest."""
    return jnp.sum(chances(model, item, ability) * outcomes(model, ability.dtype))


def bend(model: AbstractResponseModel, item: Item) -> Bend:
    """Return where an item's curve bends; differentiable by the item.

    Both move with the scale as they must: the location with the abilities, the slope
    against their unit. That holds for any model of one ability, whatever its items'
    parameters are.
    """
    far = jnp.asarray(FAR, item.item.dtype)
    low, high = (expected_score(model, item, end) for end in (-far, far))
    middle, height = 0.5 * (low + high), high - low

    def missing(at: Item, ability: Scalar) -> Scalar:
        return (middle - expected_score(model, at, ability)) / height

    still = jax.tree.map(jax.lax.stop_gradient, item)
    root = falling_root(lambda x: missing(still, x), jnp.zeros_like(far))
    at = jax.lax.stop_gradient(root.value)
    fall = jax.grad(missing, 1)(still, at)
    lag = missing(item, at)
    location = at - (lag - jax.lax.stop_gradient(lag)) / jax.lax.stop_gradient(fall)
    steepness = jax.grad(lambda x: expected_score(model, item, x))(location)
    return Bend(location, 4 * steepness / height)
