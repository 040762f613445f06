"""What a solver is: something that minimises a posterior's objective."""

import abc
from collections.abc import Callable

import equinox as eqx

from irtjax.data import AbstractResponses

from ._model import Estimate
from ._objective import AbstractObjective
from ._results import FitResult


class AbstractSolver(eqx.Module):
    """Minimises minus the log posterior of one table, or of a block of tables."""

    @abc.abstractmethod
    def solve(self, problem: AbstractObjective, start: Estimate) -> FitResult:
        """Return the fit of one table. Pure: it composes with jit, vmap and grad."""

    @abc.abstractmethod
    def solve_block(
        self,
        problem_of: Callable[[AbstractResponses], AbstractObjective],
        responses: AbstractResponses,
        starts: Estimate,
    ) -> FitResult:
        """Return the fits of a block of tables of one size.

        Args:
            problem_of: gives the problem of one table's responses.
            responses: with a leading problem axis.
            starts: with a leading problem axis.
        """
