"""How sure a fit is: standard errors and covariances of its parameters."""

import abc

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses

from ._blocks import Blocks, Vector, dense, factorise
from ._derived import derived_errors, item_covariance, item_covariance_of_dense
from ._fit import posterior
from ._model import AbstractResponseModel, Estimate
from ._parameter import Parameter, names, transform_slopes
from ._posterior import Posterior


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


class AbstractUncertainty(eqx.Module):
    """Says how sure an estimate is."""

    @abc.abstractmethod
    def __call__(
        self,
        model: AbstractResponseModel,
        responses: AbstractResponses,
        estimate: Estimate,
        *,
        system_features: Float[Array, "system f"] | None = None,
        item_features: Float[Array, "item g"] | None = None,
    ) -> Uncertainty:
        """Return the standard errors of a fit of one table. Pure.

        Args:
            model: the model that was fitted.
            responses: the table that it was fitted to.
            estimate: the fit's value.
            system_features: as given to `fit`.
            item_features: as given to `fit`.

        Raises:
            ValueError: if the parts do not fit together, as in `fit`.
        """


class Fisher(AbstractUncertainty):
    """Inverse of the exact observed information, priors included.

    Nothing is dropped: errors of abilities allow for items being estimated and the
    other way round. Costs about as much as one step of a fit; the whole matrix is never
    formed.

    References:
        Efron & Hinkley (1978), Assessing the accuracy of the maximum likelihood
        estimator: observed versus expected Fisher information, Biometrika 65.
    """

    @eqx.filter_jit
    def __call__(
        self,
        model: AbstractResponseModel,
        responses: AbstractResponses,
        estimate: Estimate,
        *,
        system_features: Float[Array, "system f"] | None = None,
        item_features: Float[Array, "item g"] | None = None,
    ) -> Uncertainty:
        problem = posterior(model, responses, system_features, item_features)
        return _by_name(model, estimate, *_from_blocks(_information(problem, estimate)))


class Sandwich(AbstractUncertainty):
    r"""Errors that allow for a wrong model: $H^{-1} (V + P) H^{-1}$.

    $V = \frac{N}{N - d} \sum_{ji} g_{ji} g_{ji}^\top$ sums the outer products of the
    cells' scores, so it measures the spread that the data show rather than the one that
    the model expects. A cell's observations count as one, since what the model misses
    of a system on an item it misses in all of them. The factor makes up for the $d$
    parameters' worth of freedom that the fit took from the $N$ observed cells. $P$ is
    the priors' precision: with it, and a model that holds, the result is near that of
    `Fisher`. Forms a dense matrix over all parameters.

    References:
        White (1982), Maximum likelihood estimation of misspecified models, Econometrica
        50, theorem 3.2. Liang & Zeger (1986), Longitudinal data analysis using
        generalized linear models, Biometrika 73, for the clusters. MacKinnon & White
        (1985), J. Econometrics 29, HC1, for the factor.
    """

    @eqx.filter_jit
    def __call__(
        self,
        model: AbstractResponseModel,
        responses: AbstractResponses,
        estimate: Estimate,
        *,
        system_features: Float[Array, "system f"] | None = None,
        item_features: Float[Array, "item g"] | None = None,
    ) -> Uncertainty:
        problem = posterior(model, responses, system_features, item_features)
        bread = _inverse(dense(_information(problem, estimate)))
        none_observed = jnp.zeros((), estimate.system.dtype)
        data = dense(problem.expected_information(estimate))
        precision = dense(problem.evaluate(estimate, none_observed).information) - data
        seen = jnp.any(problem.responses.terms().weight > 0, axis=-1)
        n_cell = jnp.maximum(jnp.sum(seen, dtype=data.dtype), 1)
        # The trace of bread @ data; both are symmetric.
        free = jnp.maximum(1 - jnp.sum(bread * data) / n_cell, 1 / n_cell)
        spread = dense(problem.score_products(estimate)) / free + precision
        covariance = bread @ spread @ bread
        return _by_name(model, estimate, *_from_dense(covariance, estimate))


@eqx.filter_jit
def joint_covariance(
    model: AbstractResponseModel,
    responses: AbstractResponses,
    estimate: Estimate,
    *,
    system_features: Float[Array, "system f"] | None = None,
    item_features: Float[Array, "item g"] | None = None,
) -> Float[Array, "all all"]:
    """Return the inverse observed information over all parameters, unconstrained.

    The order is every system's first parameter, every system's second, ..., the items'
    likewise, then the shared ones: see `parameter_labels`. Memory grows with the square
    of the number of parameters. Not a number where the information is not positive
    definite.

    Raises:
        ValueError: as `fit`.
    """
    problem = posterior(model, responses, system_features, item_features)
    return _inverse(dense(_information(problem, estimate)))


def parameter_labels(
    model: AbstractResponseModel, shape: tuple[int, int]
) -> list[tuple[str, int | None]]:
    """Return the name and the row of every parameter in `joint_covariance`'s order."""
    systems = [(n, j) for n in names(model.system_parameters) for j in range(shape[0])]
    items = [(n, i) for n in names(model.item_parameters) for i in range(shape[1])]
    return [*systems, *items, *((n, None) for n in names(model.shared_parameters))]


def _information(problem: Posterior, estimate: Estimate) -> Blocks:
    one = jnp.ones((), estimate.system.dtype)
    return problem.evaluate(estimate, one).information


def _inverse(matrix: Float[Array, "all all"]) -> Float[Array, "all all"]:
    """Return the inverse; not a number where it is not positive definite."""
    factor = jax.scipy.linalg.cho_factor(matrix, lower=True)
    identity = jnp.eye(matrix.shape[0], dtype=matrix.dtype)
    return jax.scipy.linalg.cho_solve(factor, identity)


def _from_blocks(
    blocks: Blocks,
) -> tuple[Vector, Float[Array, "system system"], Float[Array, "item r r"]]:
    """Return every variance, the first system parameter's covariance, each item's."""
    factor = factorise(blocks)
    outer = factor.outer_covariance()
    rows, n_outer = factor.n_outer
    size = rows * n_outer
    kept = jnp.reshape(jnp.diagonal(outer)[:size], (rows, n_outer))
    shared = jnp.diagonal(outer)[size:]
    eliminated = jnp.einsum("kki->ki", factor.inner_covariance(outer))
    items = item_covariance(factor, outer)
    if not factor.items_outer:
        ability = outer[:n_outer, :n_outer]
        return Vector(kept, eliminated, shared), ability, items
    weights = factor.weights[:, 0, :]
    own = jnp.diag(factor.inner_inverse[0, 0])
    ability = own + weights.T @ outer @ weights
    return Vector(eliminated, kept, shared), ability, items


def _from_dense(
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


def _by_name(
    model: AbstractResponseModel,
    estimate: Estimate,
    variance: Vector,
    ability_covariance: Float[Array, "system system"],
    item_covariances: Float[Array, "item r r"],
) -> Uncertainty:
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
