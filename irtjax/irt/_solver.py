"""What a solver is: something that minimises a posterior's objective."""

import abc
from collections.abc import Callable

import equinox as eqx
from jaxtyping import Array, Int

from irtjax.data import AbstractResponses

from ._model import Estimate
from ._objective import AbstractObjective
from ._results import FitResult


class AbstractSolver(eqx.Module):
    """Minimises minus the log posterior of one table, or of many tables."""

    @abc.abstractmethod
    def solve(self, problem: AbstractObjective, start: Estimate) -> FitResult:
        """Return the fit of one table. Pure: it composes with jit, vmap and grad."""

    @abc.abstractmethod
    def solve_many(
        self,
        problem_of: Callable[[AbstractResponses], AbstractObjective],
        responses: AbstractResponses,
        starts: Estimate,
        *,
        size: Int[Array, ""],
        block: int,
    ) -> FitResult:
        """Return the fits of many tables with as many systems and items each.

        Args:
            problem_of: gives the problem of one table's responses.
            responses: with a leading problem axis.
            starts: with a leading problem axis.
            size: how many tables are real. The others are empty, and their fits mean
                nothing.
            block: how many tables may be under way at once, a bound on memory.
        """
