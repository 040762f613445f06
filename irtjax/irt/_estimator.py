"""Which objective a fit optimises, and with what."""

import abc

import equinox as eqx
from jaxtyping import Array, Int

from irtjax.data import AbstractResponses

from ._model import AbstractResponseModel, Estimate, origin
from ._newton import BlockNewton
from ._objective import AbstractObjective
from ._posterior import Posterior
from ._results import FitResult
from ._solver import AbstractSolver
from ._traits import AbstractStart


class AbstractEstimator(eqx.Module):
    """Turns a model and observed responses into an estimate."""

    @abc.abstractmethod
    def objective(self, problem: Posterior) -> AbstractObjective:
        """Return what the estimate minimises."""

    @abc.abstractmethod
    def estimate(self, problem: Posterior) -> FitResult:
        """Return the fit of one table. Pure."""

    @abc.abstractmethod
    def estimate_many(
        self,
        problem: Posterior,
        responses: AbstractResponses,
        *,
        size: Int[Array, ""],
        block: int,
    ) -> FitResult:
        """Return the fits of many tables with as many systems and items each. Pure.

        Args:
            problem: the model and features that the tables share; its own responses
                are those of any one table.
            responses: with a leading problem axis.
            size: how many tables are real. The others are empty, and their fits mean
                nothing.
            block: how many tables may be under way at once.
        """


class JointMAP(AbstractEstimator):
    """The mode of all parameters at once, abilities and items alike.

    Every parameter starts at its own `start`, 0 on its unconstrained scale for the
    logistic models, unless the model finds a start in the table. The posterior of a
    logistic model is not concave, but on the published tables no other start finds a
    better mode.

    A mode pays no heed to how much room there is around it: with free discriminations,
    abilities and difficulties come out on a scale that is short, by about a fifth under
    the default priors, however many the trials. Order is not touched, nor are the
    chances of order; intervals for an ability itself are too near to 0 and too narrow.

    Attributes:
        solver: what minimises.

    References:
        Mislevy (1986), Bayes modal estimation in item response models, Psychometrika
        51. Kang (2026), arXiv:2605.11205, section 3.
    """

    solver: AbstractSolver = BlockNewton()

    def objective(self, problem: Posterior) -> AbstractObjective:
        return problem

    def estimate(self, problem: Posterior) -> FitResult:
        return self.solver.solve(problem, start_of(problem))

    def estimate_many(
        self,
        problem: Posterior,
        responses: AbstractResponses,
        *,
        size: Int[Array, ""],
        block: int,
    ) -> FitResult:
        start = eqx.filter_vmap(lambda table: start_of(problem.on(table)))(responses)
        return self.solver.solve_many(
            problem.on, responses, start, size=size, block=block
        )


def start_of(problem: Posterior) -> Estimate:
    """Return where a fit of one table begins."""
    model: AbstractResponseModel = problem.model
    if isinstance(model, AbstractStart):
        return model.start(problem.responses)
    dtype = problem.responses.terms().weight.dtype
    return origin(model, problem.responses.shape, dtype)
