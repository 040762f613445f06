"""What a fit returns: the estimate, how it ended and how good it is."""

import enum

import equinox as eqx
from jaxtyping import Array, Float, Int

from ._model import Estimate


class RESULTS(enum.IntEnum):
    """How a fit ended. Read it before the estimate: a failed fit may hold its start."""

    successful = 0
    max_steps_reached = 1
    stalled = 2
    not_finite = 3


MESSAGES = {
    RESULTS.successful: "converged",
    RESULTS.max_steps_reached: "took the largest number of steps; raise `max_steps`",
    RESULTS.stalled: "no step lowers the objective, yet the gradient is not small",
    RESULTS.not_finite: "the data or the model gave a value that is not finite",
}


class FitStats(eqx.Module):
    """How a fit went.

    Attributes:
        objective: minus the log posterior, in nats, constants of the data left out.
        gradient_norm: the largest derivative, each divided by 1 + the number of
            observations that bear on its parameter.
        iterations: steps tried, accepted or not.
    """

    objective: Float[Array, ""]
    gradient_norm: Float[Array, ""]
    iterations: Int[Array, ""]


class FitResult(eqx.Module):
    """A fit of one table; with a leading axis on every array, of a batch of tables.

    Attributes:
        value: the parameters, unconstrained; see `named` for their own scale.
        code: one of `RESULTS`.
        stats: the objective reached, the gradient there, the steps taken.
    """

    value: Estimate
    code: Int[Array, ""]
    stats: FitStats
