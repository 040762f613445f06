"""The estimator that moves a marginal mode to the posterior's mean."""

import math

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from irtjax.data import AbstractResponses

from .._errors import inverse
from .._estimator import AbstractEstimator
from .._model import Estimate
from .._posterior import Posterior
from .._results import RESULTS, FitResult
from ._estimator import MarginalMAP
from ._objective import MarginalPosterior, prior_precision
from ._quadrature import AbstractQuadrature


class MarginalMean(AbstractEstimator):
    r"""Posterior means of items and shared parameters, abilities integrated out.

    To first order in the posterior's width: with $\hat\eta$ the mode that `MarginalMAP`
    finds and $H(\eta)$ the observed information of the marginal posterior,

    $$\mathrm{E}[\eta] \approx \hat\eta - \tfrac12 H^{-1}(\hat\eta)\, \nabla \log
    \lvert H \rvert (\hat\eta).$$

    Abilities come back as their posterior means given these items. Where posteriors of
    items are skewed, as of difficulties with few systems, a mode lies to one side and
    the information is larger there than around it. With `MarginalFisher` taken at the
    mean, intervals of ability, difficulty and discrimination hold as many truths as
    they say already on 20 x 20 tables of one trial; from the mode they do not.

    The number of steps and the objective are those of the mode. A table on which the
    information at the mode is not positive definite keeps its mode and gets the code
    `not_finite`. Under `Flat` priors a posterior may be so wide that it has no mean;
    what comes back is then of no use.

    Beside the fit it takes a dense information matrix and the gradient of one.

    Attributes:
        mode: finds the mode.

    References:
        Lindley (1980), Approximate Bayesian methods, Trabajos de Estadística 31.
        Tierney & Kadane (1986), Accurate approximations for posterior moments and
        marginal densities, J. American Statistical Association 81.
    """

    mode: MarginalMAP = MarginalMAP()

    def objective(self, problem: Posterior) -> MarginalPosterior:
        return self.mode.objective(problem)

    def estimate(self, problem: Posterior) -> FitResult:
        return _moved(problem, self.mode.quadrature, self.mode.estimate(problem))

    def estimate_many(
        self,
        problem: Posterior,
        responses: AbstractResponses,
        *,
        size: Int[Array, ""],
        block: int,
    ) -> FitResult:
        def one(table: AbstractResponses, found: FitResult) -> FitResult:
            return _moved(problem.on(table), self.mode.quadrature, found)

        found = self.mode.estimate_many(problem, responses, size=size, block=block)
        # In blocks that fill up, for the memory that an information matrix takes.
        number = found.code.shape[0]
        at_once = number if number <= block else math.gcd(number, block)

        def cut(leaf: Array) -> Array:
            return jnp.reshape(leaf, (number // at_once, at_once, *leaf.shape[1:]))

        blocks = jax.tree.map(cut, (responses, found))
        moved = jax.lax.map(lambda block: jax.vmap(one)(*block), blocks)
        return jax.tree.map(
            lambda leaf: jnp.reshape(leaf, (number, *leaf.shape[2:])), moved
        )


def _moved(
    problem: Posterior, quadrature: AbstractQuadrature, found: FitResult
) -> FitResult:
    """Return a mode moved to the mean."""
    mode = found.value
    split, (n_item, q) = mode.item.size, mode.item.shape

    def at(calibration: Float[Array, " n"]) -> Estimate:
        item = jnp.reshape(calibration[:split], (q, n_item)).T
        return Estimate(mode.system, item, calibration[split:])

    def information(calibration: Float[Array, " n"]) -> Float[Array, "n n"]:
        here = at(calibration)
        exact = quadrature.exact(problem, here).information
        return exact + prior_precision(problem, here)

    centre = jnp.concatenate([jnp.ravel(mode.item.T), mode.shared])
    covariance = inverse(information(centre))
    # With the inverse held fixed, the gradient of a trace is that of log |H|.
    slope = jax.grad(lambda here: jnp.sum(covariance * information(here)))(centre)
    mean = at(centre - covariance @ slope / 2)
    mean = MarginalPosterior(problem, quadrature).settled(mean)
    finite = jnp.all(
        jnp.stack([jnp.all(jnp.isfinite(leaf)) for leaf in jax.tree.leaves(mean)])
    )
    value = jax.tree.map(lambda new, old: jnp.where(finite, new, old), mean, mode)
    failed = (found.code == RESULTS.successful) & ~finite
    code = jnp.where(failed, int(RESULTS.not_finite), found.code)
    return FitResult(value, code.astype(found.code.dtype), found.stats)
