"""Errors that allow for cells that depend on each other in known clusters."""

import functools

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from ._cells import cell_jet
from ._errors import Uncertainty
from ._model import Estimate
from ._posterior import Posterior
from ._uncertainty import AbstractUncertainty, sandwich


class ClusteredSandwich(AbstractUncertainty):
    r"""`Sandwich` with clusters of cells, not single cells, as the independent draws.

    A cluster holds the cells of one cluster of systems on one cluster of items: the
    questions on one text for one system, or one question for the checkpoints of one
    model. With every system and every item on its own it is `Sandwich`. An ability's
    error comes from the spread over clusters of items, so there should be many of them,
    and likewise for items. Forms a dense matrix over all parameters.

    Attributes:
        system_cluster: each system's, any whole number.
        item_cluster: each item's.

    References:
        Liang & Zeger (1986), Longitudinal data analysis using generalized linear
        models, Biometrika 73. MacKinnon & White (1985), J. Econometrics 29, HC1.
    """

    system_cluster: Int[Array, " system"]
    item_cluster: Int[Array, " item"]

    def errors(self, problem: Posterior, estimate: Estimate) -> Uncertainty:
        shapes = self.system_cluster.shape, self.item_cluster.shape
        wanted = tuple((n,) for n in problem.responses.shape)
        if shapes != wanted:
            raise ValueError(
                "`system_cluster` and `item_cluster` must have one entry a system and "
                f"an item: shapes {wanted}, got {shapes}."
            )
        system, item = _labels(self.system_cluster), _labels(self.item_cluster)
        return sandwich(problem, estimate, *_products(problem, estimate, system, item))


def _labels(cluster: Int[Array, " n"]) -> Int[Array, " n"]:
    """Return the clusters renumbered from 0."""
    _, label = jnp.unique(cluster, return_inverse=True, size=cluster.shape[0])
    return label


def _products(
    problem: Posterior,
    at: Estimate,
    system: Int[Array, " system"],
    item: Int[Array, " item"],
) -> tuple[Float[Array, "all all"], Float[Array, ""]]:
    """Return the summed outer products of the clusters' scores, and their number."""
    terms = problem.responses.terms()
    (n_system, n_item), dtype = problem.responses.shape, terms.weight.dtype
    outcome_axis = 0 if terms.outcome.ndim == 3 else None
    cell = functools.partial(cell_jet, problem.model, jnp.zeros((), dtype))
    over_items = jax.vmap(cell, (None, 0, None, None, 0, outcome_axis, 0))
    first = jax.vmap(over_items, (0, None, None, 0, None, outcome_axis, 0))(
        at.system,
        at.item,
        at.shared,
        problem.system_features,
        problem.item_features,
        terms.outcome,
        terms.weight,
    ).first
    p, q = at.system.shape[1], at.item.shape[1]
    of_system = jax.nn.one_hot(system, n_system, dtype=dtype)  # system, its cluster
    of_item = jax.nn.one_hot(item, n_item, dtype=dtype)
    rows = [slope @ of_item for slope in first[:p]]
    columns = [of_system.T @ slope for slope in first[p : p + q]]
    common = [of_system.T @ slope @ of_item for slope in first[p + q :]]
    same_system, same_item = of_system @ of_system.T, of_item @ of_item.T

    def block(one: tuple[str, Array], other: tuple[str, Array]) -> Float[Array, "r c"]:
        (kind, a), (other_kind, b) = one, other
        match kind, other_kind:
            case "system", "system":
                return (a @ b.T) * same_system
            case "system", "item":
                return (a @ of_item.T) * (of_system @ b)
            case "system", "shared":
                return jnp.sum(a * (of_system @ b), axis=1, keepdims=True)
            case "item", "item":
                return (a.T @ b) * same_item
            case "item", "shared":
                return jnp.sum(a * (b @ of_item.T), axis=0)[:, None]
            case "shared", "shared":
                return jnp.sum(a * b)[None, None]
            case _:
                return block(other, one).T

    parts = [
        *(("system", row) for row in rows),
        *(("item", column) for column in columns),
        *(("shared", whole) for whole in common),
    ]
    matrix = jnp.block([[block(one, other) for other in parts] for one in parts])
    seen = jnp.any(terms.weight > 0, axis=-1).astype(dtype)
    clusters = of_system.T @ seen @ of_item > 0
    return matrix, jnp.maximum(jnp.sum(clusters, dtype=dtype), 1)
