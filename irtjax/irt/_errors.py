"""Errors by parameter, made from a covariance or from the blocks of an information."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ._blocks import Blocks, Factor, Vector, factorise
from ._dense import cholesky, cholesky_solve
from ._derived import derived_errors, item_covariance, item_covariance_of_dense
from ._model import AbstractResponseModel, Estimate
from ._parameter import Parameter, transform_slopes


class Uncertainty(eqx.Module):
    """Standard errors by parameter, each on the parameter's own scale.

    Where the information is not positive definite, every entry is not a number.

    Attributes:
        system: one array over systems for each parameter.
        item: one array over items; by the delta method where a transform is in between.
        shared: one scalar for each.
        ability_covariance: joint covariance of the first system parameter (logits
            squared), from which differences and rankings follow.
        derived: one array over items for each value that `derived` returns, by the
            delta method; empty for a model that derives nothing.
    """

    system: dict[str, Float[Array, " system"]]
    item: dict[str, Float[Array, " item"]]
    shared: dict[str, Float[Array, ""]]
    ability_covariance: Float[Array, "system system"]
    derived: dict[str, Float[Array, " item"]] = eqx.field(default_factory=dict)


def inverse(matrix: Float[Array, "all all"]) -> Float[Array, "all all"]:
    """Return the inverse; not a number where it is not positive definite."""
    identity = jnp.eye(matrix.shape[0], dtype=matrix.dtype)
    return cholesky_solve(cholesky(matrix), identity)


def from_blocks(
    blocks: Blocks,
) -> tuple[Vector, Float[Array, "system system"], Float[Array, "item r r"]]:
    """Return every variance, the first system parameter's covariance, each item's."""
    factor = factorise(blocks)
    outer = factor.outer_covariance()
    items = item_covariance(factor, outer)
    return variances(factor, outer), ability_covariance(factor, outer), items


def variances(factor: Factor, outer: Float[Array, "outer outer"]) -> Vector:
    """Return every parameter's variance.

    Args:
        factor: of the information.
        outer: what its `outer_covariance` returns.
    """
    rows, n_outer = factor.n_outer
    size = rows * n_outer
    kept = jnp.reshape(jnp.diagonal(outer)[:size], (rows, n_outer))
    shared = jnp.diagonal(outer)[size:]
    eliminated = jnp.einsum("kki->ki", factor.inner_covariance(outer))
    sides = (eliminated, kept) if factor.items_outer else (kept, eliminated)
    return Vector(*sides, shared)


def ability_covariance(
    factor: Factor, outer: Float[Array, "outer outer"]
) -> Float[Array, "system system"]:
    """Return the joint covariance of the first system parameter.

    Args:
        factor: of the information.
        outer: what its `outer_covariance` returns.
    """
    if not factor.items_outer:
        n_system = factor.n_outer[1]
        return outer[:n_system, :n_system]
    weights = factor.weights[:, 0, :]
    return jnp.diag(factor.inner_inverse[0, 0]) + weights.T @ outer @ weights


def ability_shared_covariance(
    factor: Factor, outer: Float[Array, "outer outer"]
) -> Float[Array, "system s"]:
    """Return the covariances of the first system parameter with the shared ones.

    Args:
        factor: of the information.
        outer: what its `outer_covariance` returns.
    """
    rows, n_outer = factor.n_outer
    shared = outer[:, rows * n_outer :]
    if not factor.items_outer:
        return shared[:n_outer]
    return -(factor.weights[:, 0, :].T @ shared)


def from_dense(
    covariance: Float[Array, "all all"], estimate: Estimate
) -> tuple[Vector, Float[Array, "system system"], Float[Array, "item r r"]]:
    (n_system, p), (n_item, q) = estimate.system.shape, estimate.item.shape
    variance = jnp.diagonal(covariance)
    ends = p * n_system, p * n_system + q * n_item
    parts = Vector(
        jnp.reshape(variance[: ends[0]], (p, n_system)),
        jnp.reshape(variance[ends[0] : ends[1]], (q, n_item)),
        variance[ends[1] :],
    )
    items = item_covariance_of_dense(covariance, estimate)
    return parts, covariance[:n_system, :n_system], items


def by_name(
    model: AbstractResponseModel,
    estimate: Estimate,
    variance: Vector,
    ability_covariance: Float[Array, "system system"],
    item_covariances: Float[Array, "item r r"],
) -> Uncertainty:
    """Return variances on the unconstrained scale as errors on each parameter's own.

    Args:
        model: names the parameters.
        estimate: where the transforms' slopes are taken.
        variance: of each parameter.
        ability_covariance: of the first system parameter.
        item_covariances: of each item's parameters and the shared ones, for what the
            model derives from them.
    """

    def errors(
        kinds: tuple[Parameter, ...],
        values: Float[Array, "row k"],
        variances: Float[Array, "k row"],
    ) -> dict[str, Float[Array, " row"]]:
        slopes = jax.vmap(lambda row: transform_slopes(kinds, row))(values)
        spread = jnp.sqrt(variances.T) * slopes
        return {kind.name: spread[:, k] for k, kind in enumerate(kinds)}

    shared = errors(
        model.shared_parameters, estimate.shared[None, :], variance.shared[:, None]
    )
    return Uncertainty(
        errors(model.system_parameters, estimate.system, variance.system),
        errors(model.item_parameters, estimate.item, variance.item),
        {name: value[0] for name, value in shared.items()},
        ability_covariance,
        derived_errors(model, estimate, item_covariances),
    )
