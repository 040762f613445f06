"""How sure a fit is: standard errors and covariances of its parameters."""

import abc

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses

from ._blocks import Blocks, dense
from ._errors import Uncertainty, by_name, from_blocks, from_dense, inverse
from ._fit import posterior
from ._model import AbstractResponseModel, Estimate
from ._parameter import names
from ._posterior import Posterior


class AbstractUncertainty(eqx.Module):
    """Says how sure an estimate is."""

    @abc.abstractmethod
    def errors(self, problem: Posterior, estimate: Estimate) -> Uncertainty:
        """Return the standard errors of a fit. Pure.

        Args:
            problem: the model that was fitted and the table that it was fitted to.
            estimate: the fit's value.
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
        problem = posterior(model, responses, system_features, item_features)
        return self.errors(problem, estimate)


class Fisher(AbstractUncertainty):
    """Inverse of the exact observed information, priors included.

    Nothing is dropped: errors of abilities allow for items being estimated and the
    other way round. Costs about as much as one step of a fit; the whole matrix is never
    formed.

    References:
        Efron & Hinkley (1978), Assessing the accuracy of the maximum likelihood
        estimator: observed versus expected Fisher information, Biometrika 65.
    """

    def errors(self, problem: Posterior, estimate: Estimate) -> Uncertainty:
        return by_name(
            problem.model, estimate, *from_blocks(_information(problem, estimate))
        )


class ExpectedFisher(AbstractUncertainty):
    """Inverse of the information that the model expects at the estimate.

    The priors' part is exact. It is positive definite wherever the model tells its
    parameters apart, at a mode or not; `Fisher`, which looks at the data that did
    arise, is the better measure of how much they say. For a score on a continuum the
    data's part is the outer product of the observed scores.

    References:
        Efron & Hinkley (1978), Assessing the accuracy of the maximum likelihood
        estimator: observed versus expected Fisher information, Biometrika 65.
    """

    def errors(self, problem: Posterior, estimate: Estimate) -> Uncertainty:
        none_observed = jnp.zeros((), estimate.system.dtype)
        blocks = problem.evaluate(estimate, none_observed).information
        return by_name(problem.model, estimate, *from_blocks(blocks))


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

    def errors(self, problem: Posterior, estimate: Estimate) -> Uncertainty:
        weight = problem.responses.terms().weight
        n_cell = jnp.sum(jnp.any(weight > 0, axis=-1), dtype=weight.dtype)
        products = dense(problem.score_products(estimate))
        return sandwich(problem, estimate, products, jnp.maximum(n_cell, 1))


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
    return inverse(dense(_information(problem, estimate)))


@eqx.filter_jit
def joint_information(
    model: AbstractResponseModel,
    responses: AbstractResponses,
    estimate: Estimate,
    *,
    system_features: Float[Array, "system f"] | None = None,
    item_features: Float[Array, "item g"] | None = None,
) -> Float[Array, "all all"]:
    """Return the information that the model expects of a table, priors included.

    Unconstrained, in the order of `parameter_labels`. At one estimate it is additive in
    the cells, so it grows as cells are added. Memory grows with the square of the
    number of parameters.

    Raises:
        ValueError: as `fit`.
    """
    problem = posterior(model, responses, system_features, item_features)
    none_observed = jnp.zeros((), estimate.system.dtype)
    return dense(problem.evaluate(estimate, none_observed).information)


def parameter_labels(
    model: AbstractResponseModel, shape: tuple[int, int]
) -> list[tuple[str, int | None]]:
    """Return the name and the row of every parameter in `joint_covariance`'s order."""
    systems = [(n, j) for n in names(model.system_parameters) for j in range(shape[0])]
    items = [(n, i) for n in names(model.item_parameters) for i in range(shape[1])]
    return [*systems, *items, *((n, None) for n in names(model.shared_parameters))]


def sandwich(
    problem: Posterior,
    estimate: Estimate,
    products: Float[Array, "all all"],
    number: Float[Array, ""],
) -> Uncertainty:
    """Return the errors around summed outer products of independent scores.

    Args:
        problem: the model and its table.
        estimate: the fit's value.
        products: the sum, in the order of `parameter_labels`.
        number: how many scores it sums; at least 1.
    """
    bread = inverse(dense(_information(problem, estimate)))
    none_observed = jnp.zeros((), estimate.system.dtype)
    data = dense(problem.expected_information(estimate))
    precision = dense(problem.evaluate(estimate, none_observed).information) - data
    # The trace of bread @ data; both are symmetric.
    free = jnp.maximum(1 - jnp.sum(bread * data) / number, 1 / number)
    covariance = bread @ (products / free + precision) @ bread
    return by_name(problem.model, estimate, *from_dense(covariance, estimate))


def _information(problem: Posterior, estimate: Estimate) -> Blocks:
    one = jnp.ones((), estimate.system.dtype)
    return problem.evaluate(estimate, one).information
