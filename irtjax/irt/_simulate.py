"""Responses drawn from a model with given parameters."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from irtjax.data import (
    AbstractResponses,
    BinomialResponses,
    CategoricalResponses,
    ScoreResponses,
)

from ._model import AbstractResponseModel, Estimate, named
from ._traits import AbstractCategoricalModel, AbstractSampled

# Midpoints at which a density on [0, 1] is tabulated to draw from it.
GRID = 512


@eqx.filter_jit
def simulate(
    model: AbstractResponseModel,
    parameters: Estimate,
    trials: Float[Array, "system item"],
    *,
    n_category: int | None = None,
    system_features: Float[Array, "system f"] | None = None,
    item_features: Float[Array, "item g"] | None = None,
    key: PRNGKeyArray,
) -> AbstractResponses:
    """Draw one table from a model.

    Args:
        model: says which kind of responses comes back.
        parameters: unconstrained; `unnamed` makes them from parameters by name.
        trials: observations a cell, 0 where there is none; for scores their weight,
            which does not change the spread of the draw.
        n_category: how many categories there are, for a model of categorical responses
            that does not say so itself.
        system_features: one row a system, if the model uses it.
        item_features: one row an item, if the model uses it.
        key: every cell's draw depends on it and on the cell's place alone.

    Returns:
        Responses of the model's kind, with as many observations a cell as asked for. A
        score is drawn by the model if it can, else by inverting its distribution
        function, tabulated at 512 points.

    Raises:
        ValueError: if the model's kind of responses cannot be drawn, or the number of
            categories is not known.
    """
    n_system, n_item = trials.shape
    dtype = trials.dtype
    values = named(model, parameters)
    if system_features is None:
        system_features = jnp.zeros((n_system, 0), dtype)
    if item_features is None:
        item_features = jnp.zeros((n_item, 0), dtype)

    def log_probs(outcomes: Float[Array, " outcome"]):
        def one(outcome, system, item, features, item_features):
            return model.log_prob(
                outcome, system, item, values.shared, features, item_features
            )

        over_outcomes = jax.vmap(one, (0, None, None, None, None))
        over_items = jax.vmap(over_outcomes, (None, None, 0, None, 0))
        over_systems = jax.vmap(over_items, (None, 0, None, 0, None))
        return over_systems(
            outcomes, values.system, values.item, system_features, item_features
        )

    if model.response is BinomialResponses:
        log_success = log_probs(jnp.ones(1, dtype))[..., 0]
        drawn = _binomial(key, trials, jnp.exp(log_success))
        return BinomialResponses(drawn, trials)
    if model.response is CategoricalResponses:
        if isinstance(model, AbstractCategoricalModel):
            n_category = model.n_category
        if n_category is None:
            raise ValueError(
                f"{type(model).__name__} does not say how many categories it has: give "
                "`n_category`."
            )
        probability = jnp.exp(log_probs(jnp.arange(n_category, dtype=dtype)))
        return CategoricalResponses(_multinomial(key, trials, probability))
    if model.response is ScoreResponses and isinstance(model, AbstractSampled):
        keys = jax.random.split(key, trials.shape)

        def drawn_cell(system, item, features, item_features, key):
            return model.sample(
                system, item, values.shared, features, item_features, key=key
            )

        over_items = jax.vmap(drawn_cell, (None, 0, None, 0, 0))
        drawn = jax.vmap(over_items, (0, None, 0, None, 0))(
            values.system, values.item, system_features, item_features, keys
        )
        return ScoreResponses(jnp.where(trials > 0, drawn, 0), trials)
    if model.response is ScoreResponses:
        grid = (jnp.arange(GRID, dtype=dtype) + 0.5) / GRID
        density = jax.nn.softmax(log_probs(grid), axis=-1)
        uniform = jax.random.uniform(key, trials.shape, dtype)
        below = jnp.pad(jnp.cumsum(density, axis=-1), ((0, 0), (0, 0), (1, 0)))
        edges = jnp.linspace(0, 1, GRID + 1, dtype=dtype)
        at = jax.vmap(jax.vmap(jnp.interp, (0, 0, None)), (0, 0, None))(
            uniform, below, edges
        )
        return ScoreResponses(jnp.where(trials > 0, at, 0), trials)
    raise ValueError(f"Responses of kind {model.response.__name__} cannot be drawn.")


def _binomial(
    key: PRNGKeyArray,
    trials: Float[Array, "system item"],
    probability: Float[Array, "system item"],
) -> Float[Array, "system item"]:
    seen = trials > 0
    drawn = jax.random.binomial(
        key, jnp.where(seen, trials, 1), probability, dtype=trials.dtype
    )
    return jnp.where(seen, drawn, 0)


def _multinomial(
    key: PRNGKeyArray,
    trials: Float[Array, "system item"],
    probability: Float[Array, "system item category"],
) -> Float[Array, "system item category"]:
    """Draw each category in turn from what the ones before it left."""
    left, share = trials, jnp.ones_like(trials)
    counts = []
    for category in range(probability.shape[-1] - 1):
        here = probability[..., category]
        conditional = jnp.clip(here / jnp.where(share > 0, share, 1), 0, 1)
        drawn = _binomial(jax.random.fold_in(key, category), left, conditional)
        counts.append(drawn)
        left, share = left - drawn, share - here
    return jnp.stack([*counts, left], axis=-1)
