"""Standard errors of a marginal fit."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from irtjax.data import AbstractResponses

from .._errors import Uncertainty, inverse
from .._fit import posterior
from .._model import AbstractResponseModel, Estimate
from .._posterior import Posterior
from .._uncertainty import AbstractUncertainty
from ._covariance import errors_of, full_covariance
from ._louis import Louis
from ._objective import prior_precision
from ._quadrature import AbstractQuadrature, AdaptiveQuadrature


class MarginalFisher(AbstractUncertainty):
    """Inverse of the exact observed information of the marginal posterior.

    What Oakes' and Louis' identities give, and the second derivatives of the marginal
    log-likelihood. Errors of abilities hold the posterior's own spread and what the
    items' errors add to it. Forms a dense matrix over the items' parameters.

    Attributes:
        quadrature: how abilities are integrated out.

    References:
        Louis (1982), J. Royal Statistical Society B 44, eq. 3.1. Oakes (1999), Direct
        calculation of the information matrix via the EM algorithm, J. Royal Statistical
        Society B 61. Pritikin (2017), A comparison of parameter covariance estimation
        methods for item response models in an EM framework, Cogent Psychology 4.
    """

    quadrature: AbstractQuadrature = AdaptiveQuadrature()

    def errors(self, problem: Posterior, estimate: Estimate) -> Uncertainty:
        found = self.quadrature.exact(problem, estimate)
        return errors_of(
            problem.model, estimate, found, _observed(problem, estimate, found)
        )


class MarginalCrossproduct(AbstractUncertainty):
    """Inverse of the summed outer products of the systems' scores, and the priors' part.

    Needs no second derivatives of the likelihood. With fewer systems than parameters
    and no priors it does not exist: then every error is not a number.

    Attributes:
        quadrature: how abilities are integrated out.

    References:
        Mislevy & Sheehan (1989), Information matrices in latent-variable models,
        Journal of Educational Statistics 14.
    """

    quadrature: AbstractQuadrature = AdaptiveQuadrature()

    def errors(self, problem: Posterior, estimate: Estimate) -> Uncertainty:
        found = self.quadrature.exact(problem, estimate)
        spread = found.score.T @ found.score + prior_precision(problem, estimate)
        return errors_of(problem.model, estimate, found, inverse(spread))


class MarginalSandwich(AbstractUncertainty):
    r"""Errors that allow for a wrong model: $H^{-1} (\sum_j s_j s_j^\top + P) H^{-1}$.

    A system is one draw: its answers may depend on each other as they like. $P$ is the
    priors' precision. An ability's own spread is still the model's.

    Attributes:
        quadrature: how abilities are integrated out.

    References:
        White (1982), Maximum likelihood estimation of misspecified models, Econometrica
        50, theorem 3.2. Yuan, Cheng & Patton (2014), Information matrices and standard
        errors for MLEs of item parameters in IRT, Psychometrika 79.
    """

    quadrature: AbstractQuadrature = AdaptiveQuadrature()

    def errors(self, problem: Posterior, estimate: Estimate) -> Uncertainty:
        found = self.quadrature.exact(problem, estimate)
        covariance = _sandwich(problem, estimate, found, found.score)
        return errors_of(problem.model, estimate, found, covariance)


class MarginalClusteredSandwich(AbstractUncertainty):
    """`MarginalSandwich` with clusters of systems as the independent draws.

    For systems that are variants of one another: checkpoints, seeds, fine-tunings of
    one base. There should be many clusters; with one, the errors say nothing.

    Attributes:
        cluster: each system's, any whole number.
        quadrature: how abilities are integrated out.

    References:
        Liang & Zeger (1986), Longitudinal data analysis using generalized linear
        models, Biometrika 73.
    """

    cluster: Int[Array, " system"]
    quadrature: AbstractQuadrature = AdaptiveQuadrature()

    def errors(self, problem: Posterior, estimate: Estimate) -> Uncertainty:
        n_system = problem.responses.shape[0]
        if self.cluster.shape != (n_system,):
            raise ValueError(
                f"`cluster` must have one entry for each of {n_system} systems, got "
                f"shape {self.cluster.shape}."
            )
        found = self.quadrature.exact(problem, estimate)
        _, label = jnp.unique(self.cluster, return_inverse=True, size=n_system)
        score = jax.ops.segment_sum(found.score, label, n_system)
        covariance = _sandwich(problem, estimate, found, score)
        return errors_of(problem.model, estimate, found, covariance)


@eqx.filter_jit
def marginal_covariance(
    model: AbstractResponseModel,
    responses: AbstractResponses,
    estimate: Estimate,
    *,
    quadrature: AbstractQuadrature = AdaptiveQuadrature(),
    system_features: Float[Array, "system f"] | None = None,
    item_features: Float[Array, "item g"] | None = None,
) -> Float[Array, "all all"]:
    """Return the covariance of abilities, items and shared parameters, unconstrained.

    By the observed information of the marginal posterior, in the order of
    `parameter_labels`. Memory grows with the square of the number of parameters. Not a
    number where the information is not positive definite.

    Raises:
        ValueError: as `fit`.
    """
    problem = posterior(model, responses, system_features, item_features)
    found = quadrature.exact(problem, estimate)
    return full_covariance(found, _observed(problem, estimate, found))


def _observed(
    problem: Posterior, estimate: Estimate, found: Louis
) -> Float[Array, "n n"]:
    return inverse(found.information + prior_precision(problem, estimate))


def _sandwich(
    problem: Posterior,
    estimate: Estimate,
    found: Louis,
    score: Float[Array, "draw n"],
) -> Float[Array, "n n"]:
    bread = _observed(problem, estimate, found)
    spread = score.T @ score + prior_precision(problem, estimate)
    return bread @ spread @ bread
