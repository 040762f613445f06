"""What a belief about a target's errors is, and the prior that it starts from."""

import abc
from typing import NamedTuple

import equinox as eqx
from jaxtyping import Array, Float, Int

from ._sources import SourceErrors


class Total(NamedTuple):
    """A weighted mean error, as a belief sees it.

    Attributes:
        mean: in errors, from 0 to 1; a little outside where the belief is Gaussian.
        variance: in squared errors.
    """

    mean: Float[Array, ""]
    variance: Float[Array, ""]


class AbstractBelief(eqx.Module):
    """What is believed of one target's error on every item, after some answers."""

    @abc.abstractmethod
    def mean(self) -> Float[Array, " item"]:
        """Return each item's expected error."""

    @abc.abstractmethod
    def variance(self) -> Float[Array, " item"]:
        """Return the variance of each item's error, in squared errors."""

    @abc.abstractmethod
    def total(self, weights: Float[Array, " item"]) -> Total:
        """Return mean and variance of the errors' weighted sum.

        Args:
            weights: of the items; they sum to 1 for a mean.
        """

    @abc.abstractmethod
    def gain(self, weights: Float[Array, " item"]) -> Float[Array, " item"]:
        """Return by how much the total's variance is expected to fall, item by item.

        Args:
            weights: as for `total`.

        Returns:
            In squared errors, if the item's outcome were seen next, without noise.
        """

    @abc.abstractmethod
    def update(
        self,
        item: Int[Array, ""],
        outcome: Float[Array, ""],
        noise: Float[Array, ""],
    ) -> "AbstractBelief":
        """Return the belief after one more answer.

        Args:
            item: which.
            outcome: the error that was seen, from 0 to 1.
            noise: variance of the outcome around the item's true error, in squared
                errors; 0 for an exact score, p(1 - p)/k for the mean of k verdicts.
                Infinite = nothing was seen, and nothing changes.
        """

    @abc.abstractmethod
    def condition(
        self,
        items: Int[Array, " pick"],
        outcomes: Float[Array, " pick"],
        noise: Float[Array, " pick"],
    ) -> "AbstractBelief":
        """Return the belief after several answers at once, in any order.

        Args:
            items: each at most once, except those whose noise is infinite.
            outcomes: as for `update`.
            noise: as for `update`; infinite noise leaves a pick out, so that plans of
                several lengths are arrays of one shape.
        """


class AbstractPrior(eqx.Module):
    """Makes a belief out of what other systems got wrong, before any answer.

    Its one argument is of a type that cannot hold the target's outcomes.
    """

    @abc.abstractmethod
    def __call__(self, sources: SourceErrors) -> AbstractBelief:
        """Return what is believed of a new system.

        Args:
            sources: of the other systems.
        """
