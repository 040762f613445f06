"""The estimator that integrates abilities out."""

import equinox as eqx

from irtjax.data import AbstractResponses

from .._estimator import AbstractEstimator, start_of
from .._newton import BlockNewton
from .._posterior import Posterior
from .._results import FitResult
from .._solver import AbstractSolver
from ._objective import MarginalPosterior
from ._quadrature import AbstractQuadrature, AdaptiveQuadrature


class MarginalMAP(AbstractEstimator):
    """The mode of items and shared parameters, with abilities integrated out."""

    quadrature: AbstractQuadrature = AdaptiveQuadrature()
    solver: AbstractSolver = BlockNewton(tolerance=1e-7, expected_steps=2)

    def objective(self, problem: Posterior) -> MarginalPosterior:
        return MarginalPosterior(problem, self.quadrature)

    def estimate(self, problem: Posterior) -> FitResult:
        return self.solver.solve(self.objective(problem), start_of(problem))

    def estimate_block(
        self, problem: Posterior, responses: AbstractResponses
    ) -> FitResult:
        def objective_of(table: AbstractResponses) -> MarginalPosterior:
            joint = Posterior(
                problem.model, table, problem.system_features, problem.item_features
            )
            return self.objective(joint)

        start = eqx.filter_vmap(lambda table: start_of(objective_of(table).joint))(
            responses
        )
        return self.solver.solve_block(objective_of, responses, start)
