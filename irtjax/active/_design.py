"""What a design is: which items to run, settled before any of them is."""

import abc

import equinox as eqx
from jaxtyping import Array, Float, Int, PRNGKeyArray

from ._belief import AbstractBelief


class AbstractDesign(eqx.Module):
    """Chooses the items of a plan. No outcome is looked at."""

    @abc.abstractmethod
    def __call__(
        self,
        belief: AbstractBelief,
        weights: Float[Array, " item"],
        budget: int,
        *,
        key: PRNGKeyArray,
    ) -> Int[Array, " pick"]:
        """Return which items to run, each at most once, in the order to run them.

        Args:
            belief: before any answer.
            weights: of the items in the mean that is wanted; they sum to 1.
            budget: how many items, at most as many as there are.
            key: of whatever is drawn.
        """
