"""What a solver minimises: a function of a table's parameters, to second order."""

import abc

import equinox as eqx
from jaxtyping import Array, Float

from ._blocks import Vector
from ._model import Estimate

Scalar = Float[Array, ""]


class AbstractEvaluation(eqx.Module):
    """An objective at one point: its value, its gradient and a damped Newton step.

    Attributes:
        at: the point, with what follows from the rest of it filled in: where abilities
            are integrated out, their posterior means.
        value: in nats.
        gradient: by the unconstrained parameters.
    """

    at: eqx.AbstractVar[Estimate]
    value: eqx.AbstractVar[Scalar]
    gradient: eqx.AbstractVar[Vector]

    @abc.abstractmethod
    def move(self, damping: Scalar) -> Vector:
        r"""Return the step $-(H + \lambda (I + |\mathrm{diag} H|))^{-1} g$.

        Args:
            damping: $\lambda$; 0 for a full Newton step.

        Returns:
            Not a number where the damped matrix is not positive definite.
        """


class AbstractObjective(eqx.Module):
    """Minus a log posterior of one table, as a function of an `Estimate`."""

    @abc.abstractmethod
    def value(self, at: Estimate) -> Scalar:
        """Return the objective, in nats, as one differentiable expression."""

    @abc.abstractmethod
    def evaluate(self, at: Estimate, observed_share: Scalar) -> AbstractEvaluation:
        """Return the objective to second order.

        Args:
            at: where.
            observed_share: 1 for the observed information, 0 for one that is safe far
                from an optimum.
        """

    @abc.abstractmethod
    def settled(self, at: Estimate) -> Estimate:
        """Return the point with what follows from the rest of it filled in.

        One differentiable expression: where abilities are integrated out, their
        posterior means.
        """

    @abc.abstractmethod
    def solve(self, at: Estimate, right: Vector) -> Vector:
        """Return the inverse of the exact second derivatives times a vector.

        Not a number where they are not positive definite.
        """

    @abc.abstractmethod
    def idle(
        self, at: Estimate
    ) -> tuple[Float[Array, " system"], Float[Array, " item"]]:
        """Return what each system, and each item, adds to the value without data."""

    @abc.abstractmethod
    def trials(self) -> Vector:
        """Return how many observations bear on each parameter."""
