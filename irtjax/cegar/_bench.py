"""Where operators are put to the test: the one door from the loop to running programs."""

import abc

import equinox as eqx
import numpy as np
from jaxtyping import Float, Int

from ._operator import Operator


class AbstractBench(eqx.Module):
    """Runs operators on the answers of one panel."""

    @abc.abstractmethod
    def verdicts(self, operator: Operator) -> Int[np.ndarray, " candidate"]:
        """Return an operator's verdict on each of the panel's answers.

        Args:
            operator: untrusted.
        """

    @abc.abstractmethod
    def atoms(self, names: tuple[str, ...]) -> Float[np.ndarray, "atom candidate"]:
        """Return the values of atoms; nan where one cannot tell.

        Args:
            names: of `ATOMS`.
        """

    @abc.abstractmethod
    def screen(self, operator: Operator) -> str | None:
        """Return why an operator is not honest, or None.

        Args:
            operator: untrusted.
        """
