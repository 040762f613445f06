"""Limited-memory BFGS from optimistix: a slower, independent check of `BlockNewton`."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
import optimistix as optx
from jaxtyping import Array, Int

from irtjax.data import AbstractResponses

from ._blocks import Vector
from ._model import Estimate
from ._newton import scaled_gradient
from ._objective import AbstractObjective
from ._results import RESULTS, FitResult, FitStats
from ._solver import AbstractSolver


class LBFGS(AbstractSolver):
    """Minimise the objective from its value and its gradient by autodiff alone.

    It shares no derivative and no linear algebra with `BlockNewton`, so that agreement
    of the two means something.

    Attributes:
        rtol: relative change of parameters and objective at which it stops. Never taken
            below ten times the precision in use.
        atol: absolute change.
        gradient_tolerance: a fit whose scaled gradient ends above this is not called
            converged (raised to ten thousand times the precision in use).
        max_steps: steps at the most.

    References:
        Liu & Nocedal (1989), On the limited memory BFGS method for large scale
        optimization, Math. Program. 45.
    """

    rtol: float = 1e-13
    atol: float = 1e-10
    gradient_tolerance: float = 1e-6
    max_steps: int = 5000

    def solve(self, problem: AbstractObjective, start: Estimate) -> FitResult:
        eps = float(jnp.finfo(start.system.dtype).eps)
        found = optx.minimise(
            lambda at, _: problem.value(at),
            optx.LBFGS(max(self.rtol, 10 * eps), self.atol),
            start,
            max_steps=self.max_steps,
            throw=False,
        )
        value, slope = jax.value_and_grad(problem.value)(found.value)
        gradient = Vector(slope.system.T, slope.item.T, slope.shared)
        norm = scaled_gradient(problem, gradient)
        limit = found.result == optx.RESULTS.nonlinear_max_steps_reached
        code = jnp.where(
            ~jnp.isfinite(value),
            RESULTS.not_finite,
            jnp.where(
                norm <= max(self.gradient_tolerance, 1e4 * eps),
                RESULTS.successful,
                jnp.where(limit, RESULTS.max_steps_reached, RESULTS.stalled),
            ),
        )
        steps = jnp.asarray(found.stats["num_steps"], jnp.int32)
        at = problem.evaluate(found.value, jnp.ones_like(value)).at
        return FitResult(at, code.astype(jnp.int32), FitStats(value, norm, steps))

    def solve_many(
        self,
        problem_of: Callable[[AbstractResponses], AbstractObjective],
        responses: AbstractResponses,
        starts: Estimate,
        *,
        size: Int[Array, ""],
        block: int,
    ) -> FitResult:
        # All at once, whatever `block` says: it is a check, on few tables.
        return jax.vmap(lambda r, start: self.solve(problem_of(r), start))(
            responses, starts
        )
