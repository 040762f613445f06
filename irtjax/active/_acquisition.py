"""What an acquisition is: a score for every item that could be asked next."""

import abc

import equinox as eqx
from jaxtyping import Array, Bool, Float

from ._belief import AbstractBelief


class AbstractAcquisition(eqx.Module):
    """Scores items under a belief about their outcomes."""

    @abc.abstractmethod
    def __call__(
        self, belief: AbstractBelief, seen: Bool[Array, " item"]
    ) -> Float[Array, " item"]:
        """Return one score per item, higher is better.

        Args:
            belief: at present.
            seen: items that may not be asked again; they get `-inf`.
        """
