"""One function of one system, over all systems of a table."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PyTree

from .._model import Estimate
from .._posterior import Posterior
from ._scores import SystemScore
from ._system import SystemPosterior

OneSystem = Callable[[SystemPosterior], SystemScore]


def each_system(
    function: Callable[[SystemPosterior], PyTree], problem: Posterior, items: Estimate
) -> PyTree:
    """Return a function's result for every system, with a leading system axis."""

    def at(item: Float[Array, "item q"], shared: Float[Array, " s"], *row: Array):
        return function(_system(problem, item, shared, *row))

    return _over_rows(at, problem, items)


def each_slope(
    function: OneSystem, problem: Posterior, items: Estimate
) -> Float[Array, "system p free"]:
    """Return the derivative of every system's score by item and shared parameters.

    The last axis holds the items' first parameters, their second ones, ..., then the
    shared ones. 0 where a score is not finite: it does not move with the items.
    """

    def value(item: Float[Array, "item q"], shared: Float[Array, " s"], *row: Array):
        scored = function(_system(problem, item, shared, *row)).value
        return scored, scored

    def at(item: Float[Array, "item q"], shared: Float[Array, " s"], *row: Array):
        (by_item, by_shared), scored = jax.jacrev(value, (0, 1), has_aux=True)(
            item, shared, *row
        )
        major = jnp.swapaxes(by_item, 1, 2)
        flat = jnp.reshape(major, (major.shape[0], -1))
        slopes = jnp.concatenate([flat, by_shared], axis=1)
        return jnp.where(jnp.isfinite(scored)[:, None], slopes, 0)

    return _over_rows(at, problem, items)


def _over_rows(
    at: Callable[..., PyTree], problem: Posterior, items: Estimate
) -> PyTree:
    terms = problem.responses.terms()
    outcome_axis = 0 if terms.outcome.ndim == 3 else None
    return jax.vmap(at, (None, None, outcome_axis, 0, 0))(
        items.item,
        items.shared,
        terms.outcome,
        terms.weight,
        problem.system_features,
    )


def _system(
    problem: Posterior,
    item: Float[Array, "item q"],
    shared: Float[Array, " s"],
    outcome: Float[Array, "*#item term"],
    weight: Float[Array, "item term"],
    features: Float[Array, " f"],
) -> SystemPosterior:
    if outcome.ndim == 1:
        outcome = outcome[None, :]
    return SystemPosterior(
        problem.model, outcome, weight, item, shared, features, problem.item_features
    )
