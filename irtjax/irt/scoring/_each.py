"""One function of one system, over all systems of a table."""

from collections.abc import Callable

import jax
from jaxtyping import Array, Float, PyTree

from .._model import Estimate
from .._posterior import Posterior
from ._system import SystemPosterior


def each_system(
    function: Callable[..., PyTree],
    problem: Posterior,
    items: Estimate,
    *own: PyTree,
) -> PyTree:
    """Return a function's result for every system, with a leading system axis.

    Args:
        function: of a `SystemPosterior`, and of one system's part of each of `own`.
        problem: the model and the table.
        items: whose `system` is not used.
        own: with a leading system axis.
    """
    terms = problem.responses.terms()
    outcome_axis = 0 if terms.outcome.ndim == 3 else None

    def at(
        outcome: Float[Array, "*#item term"],
        weight: Float[Array, "item term"],
        features: Float[Array, " f"],
        *own: PyTree,
    ) -> PyTree:
        if outcome.ndim == 1:
            outcome = outcome[None, :]
        system = SystemPosterior(
            problem.model,
            outcome,
            weight,
            items.item,
            items.shared,
            features,
            problem.item_features,
        )
        return function(system, *own)

    return jax.vmap(at, (outcome_axis, 0, 0) + (0,) * len(own))(
        terms.outcome, terms.weight, problem.system_features, *own
    )
