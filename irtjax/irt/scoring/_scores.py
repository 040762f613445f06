"""What scoring returns: abilities with errors, and a code that says how each came."""

import enum

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float, Int


class SCORES(enum.IntEnum):
    """How a system's score came about. Read it before the score."""

    ordinary = 0
    no_data = 1
    lowest = 2
    highest = 3
    unbounded = 4
    failed = 5


SCORE_MESSAGES = {
    SCORES.ordinary: "scored",
    SCORES.no_data: "no observation: what is shown is the prior, if there is one",
    SCORES.lowest: "every answer was the lowest possible: the data give no lower bound",
    SCORES.highest: "every answer was the highest possible: the data give no upper "
    "bound",
    SCORES.unbounded: "the likelihood rises without end though answers are mixed",
    SCORES.failed: "the search did not end, or a value was not finite",
}


class SystemScore(eqx.Module):
    """One system's score given the items, or with a leading axis those of all systems.

    Attributes:
        value: the system's parameters, unconstrained.
        covariance: of `value`.
        code: one of `SCORES`.
    """

    value: Float[Array, "*system p"]
    covariance: Float[Array, "*system p p"]
    code: Int[Array, "*system"]


class Scores(eqx.Module):
    """The scores of the systems of one table.

    Attributes:
        value: each system's parameters, unconstrained; infinite where maximum
            likelihood has no finite answer.
        covariance: of each system's own parameters; with the part due to the items'
            errors where their covariance was given.
        code: one of `SCORES` a system.
        ability_covariance: joint covariance of the systems' first parameters (logits
            squared), which the items' errors make dependent; None where those were not
            given and systems are independent.
    """

    value: Float[Array, "system p"]
    covariance: Float[Array, "system p p"]
    code: Int[Array, " system"]
    ability_covariance: Float[Array, "system system"] | None

    @property
    def ability(self) -> Float[Array, " system"]:
        """Return the parameter that systems are ranked by, in logits."""
        return self.value[:, 0]

    @property
    def se(self) -> Float[Array, " system"]:
        """Return the standard error of `ability`, in logits."""
        return jnp.sqrt(self.covariance[:, 0, 0])
