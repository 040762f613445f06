"""The estimator that integrates abilities out."""

import math

import equinox as eqx
from jaxtyping import Array, Int

from irtjax.data import AbstractResponses

from .._estimator import AbstractEstimator, start_of
from .._newton import BlockNewton
from .._posterior import Posterior
from .._results import FitResult
from .._solver import AbstractSolver
from ._objective import MarginalPosterior
from ._quadrature import AbstractQuadrature, AdaptiveQuadrature


class MarginalMAP(AbstractEstimator):
    """The mode of items and shared parameters, with abilities integrated out.

    Abilities come back as their posterior means, given the items. Unlike a joint mode
    it keeps the scale: abilities and slopes are as far spread as the prior of abilities
    says, however few the items. With `Flat` priors of items and normal abilities it is
    marginal maximum likelihood.

    The gradient is exact and the matrix that a step is divided by all but exact, so the
    directions in which the EM algorithm crawls, such as the scale as a whole, take no
    more steps than others. A few steps of a joint fit, which are cheap, come first.

    Attributes:
        quadrature: how abilities are integrated out.
        solver: what minimises.
        first: takes the joint fit's steps at the beginning. It need not converge.

    References:
        Bock & Aitkin (1981), Marginal maximum likelihood estimation of item parameters:
        application of an EM algorithm, Psychometrika 46. Mislevy (1986), Bayes modal
        estimation in item response models, Psychometrika 51.
    """

    quadrature: AbstractQuadrature = AdaptiveQuadrature()
    solver: AbstractSolver = BlockNewton(
        tolerance=1e-7, close_gradient=1e-9, observed_within=math.inf
    )
    first: AbstractSolver = BlockNewton(max_steps=4)

    def objective(self, problem: Posterior) -> MarginalPosterior:
        if not problem.model.system_parameters:
            raise ValueError(
                f"{type(problem.model).__name__} has no parameters of systems to "
                "integrate out: use `JointMAP()`."
            )
        return MarginalPosterior(problem, self.quadrature)

    def estimate(self, problem: Posterior) -> FitResult:
        start = self.first.solve(problem, start_of(problem)).value
        return self.solver.solve(self.objective(problem), start)

    def estimate_many(
        self,
        problem: Posterior,
        responses: AbstractResponses,
        *,
        size: Int[Array, ""],
        block: int,
    ) -> FitResult:
        def objective_of(table: AbstractResponses) -> MarginalPosterior:
            return self.objective(problem.on(table))

        start = eqx.filter_vmap(lambda table: start_of(problem.on(table)))(responses)
        begun = self.first.solve_many(
            problem.on, responses, start, size=size, block=block
        ).value
        return self.solver.solve_many(
            objective_of, responses, begun, size=size, block=block
        )
