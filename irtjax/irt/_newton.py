"""Damped Newton steps on a two-way table by block elimination."""

from collections.abc import Callable
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from irtjax.data import AbstractResponses

from ._blocks import Vector
from ._model import Estimate
from ._objective import AbstractEvaluation, AbstractObjective
from ._queue import Iteration, fit_queue
from ._results import RESULTS, FitResult, FitStats
from ._solver import AbstractSolver

Scalar = Float[Array, ""]


class NewtonState(NamedTuple):
    """Where a Newton iteration stands.

    Attributes:
        point: the best parameters so far.
        here: the objective there, to second order.
        observed: whether the information there is the observed one.
        again: whether the next step only takes the expected information here, as the
            first one does, before which nothing is known of the point.
        turned: whether that has happened before: it does once, or two kinds of step
            could take turns for ever.
        damping: of the next step; 0 is a full Newton step.
        steps: steps tried.
        done: whether the iteration has ended.
        code: how, one of `RESULTS`.
    """

    point: Estimate
    here: AbstractEvaluation
    observed: Bool[Array, ""]
    again: Bool[Array, ""]
    turned: Bool[Array, ""]
    damping: Scalar
    steps: Int[Array, ""]
    done: Bool[Array, ""]
    code: Int[Array, ""]


class BlockNewton(AbstractSolver):
    r"""Newton's method with exact second derivatives and Levenberg damping.

    Long steps use the expected information, which is positive definite everywhere; once
    a step is short, and the optimum near, the observed one. A step is taken if it
    lowers the objective or, where that is even to within rounding, the gradient; if
    not, the expected information has its turn, and then the damping $\lambda$ in
    $(H + \lambda (I + |\mathrm{diag} H|)) \delta = -g$ grows. When a full, undamped
    step is shorter than `tolerance` it is taken and is the last: convergence is
    quadratic, so the point is then exact to about the square of `tolerance`.

    Attributes:
        tolerance: length of the last step, relative to 1 + the parameter's size. Never
            taken below the square root of the precision in use.
        gradient_tolerance: a fit whose scaled gradient ends above this is not called
            converged (raised to ten thousand times the precision in use).
        close_gradient: a step that lands on a scaled gradient no larger is the last. By
            default the length of a step decides alone; where the gradient is exact and
            the information is not, as with abilities integrated out, this is surer.
        observed_within: the length of a step, measured as `tolerance` is, from which on
            the observed information is used.
        max_steps: steps tried at the most.

    References:
        Marquardt (1963), An algorithm for least-squares estimation of nonlinear
        parameters, SIAM J. Appl. Math. 11, eq. 25. Nocedal & Wright (2006), *Numerical
        Optimization*, ch. 3. Hager & Zhang (2005), A new conjugate gradient method with
        guaranteed descent and an efficient line search, SIAM J. Optim. 16, for steps
        whose gain rounding hides.
    """

    tolerance: float = 1e-6
    gradient_tolerance: float = 1e-6
    close_gradient: float = 0.0
    observed_within: float = 0.3
    max_steps: int = 200

    def init(self, problem: AbstractObjective, start: Estimate) -> NewtonState:
        """Return the state at a starting point, where the first step looks round."""
        share = jnp.zeros((), start.system.dtype)
        shapes = jax.eval_shape(problem.evaluate, start, share)
        unseen = jax.tree.map(lambda leaf: jnp.zeros(leaf.shape, leaf.dtype), shapes)
        unseen = eqx.tree_at(lambda e: e.value, unseen, jnp.full_like(share, jnp.inf))
        no, yes = jnp.zeros((), bool), jnp.ones((), bool)
        return NewtonState(
            start,
            unseen,
            observed=no,
            again=yes,
            turned=no,
            damping=share,
            steps=jnp.full((), -1, jnp.int32),
            done=no,
            code=jnp.full((), RESULTS.max_steps_reached, jnp.int32),
        )

    def step(self, problem: AbstractObjective, state: NewtonState) -> NewtonState:
        """Return the state after one more step is tried."""
        here, first = state.here, state.steps < 0
        dtype = here.value.dtype
        move = jax.tree.map(
            lambda m: jnp.where(state.again, 0, m), here.move(state.damping)
        )
        there = _moved(state.point, move)
        steps = state.steps + 1
        length = _relative_length(state.point, move)
        near = ~state.again & (length <= self.observed_within)
        ahead = problem.evaluate(there, near.astype(dtype))

        slack = 10 * jnp.finfo(dtype).eps * (1 + jnp.abs(here.value))
        lower = ahead.value <= here.value + slack
        # Terms that cancel make a value coarser than its own size says: what is even to
        # that precision is judged by the gradient.
        norm, norm_ahead = (scaled_gradient(problem, e.gradient) for e in (here, ahead))
        coarse = jnp.finfo(dtype).eps ** (2 / 3) * (1 + jnp.abs(here.value))
        even = (ahead.value <= here.value + coarse) & (norm_ahead < norm)
        taken = jnp.isfinite(ahead.value) & (lower | even)
        floor = jnp.sqrt(jnp.finfo(dtype).eps)
        short = length <= jnp.maximum(self.tolerance, floor)
        full = state.observed & ~state.again & (state.damping == 0)
        last = taken & short & full
        if self.close_gradient > 0:
            close = max(self.close_gradient, 50 * float(jnp.finfo(dtype).eps))
            last |= taken & ~first & (norm_ahead <= close)
        # The smallest step that rounding lets us judge was refused: nothing lies lower.
        stuck = ~taken & (state.damping > 1e8)
        again = ~taken & full & ~state.turned
        # Refused where the gradient is rounding error alone: where the information is
        # singular, as along rotations that leave the objective alone, no step is last.
        least = jnp.maximum(1e-6 * self.gradient_tolerance, 50 * jnp.finfo(dtype).eps)
        settled = ~taken & ~first & (norm <= least)
        nowhere = ~taken & first  # nothing is finite at the start
        point, best = jax.tree.map(
            lambda new, old: jnp.where(taken, new, old),
            (ahead.at, ahead),
            (state.point, here),
        )
        # With many trials the optimum lies in a curved valley along which full steps
        # are refused and steps of damping 1e-2 hardly move: damping falls slowly, and
        # grows from where it stands.
        eased = jnp.where(state.damping < 1e-10, 0, state.damping / 30)
        raised = jnp.where(state.damping > 0, 10 * state.damping, 1e-2)
        return NewtonState(
            point,
            best,
            jnp.where(taken, near, state.observed),
            again,
            state.turned | again,
            jnp.where(taken, eased, jnp.where(again, 0, raised)).astype(dtype),
            steps,
            last | stuck | settled | nowhere | (steps >= self.max_steps),
            jnp.select(
                [last | settled, stuck, nowhere],
                [RESULTS.successful, RESULTS.stalled, RESULTS.not_finite],
                state.code,
            ).astype(jnp.int32),
        )

    def finish(self, problem: AbstractObjective, state: NewtonState) -> FitResult:
        """Return the fit at which an iteration has ended."""
        norm = scaled_gradient(problem, state.here.gradient)
        eps = jnp.finfo(norm.dtype).eps
        small = norm <= jnp.maximum(self.gradient_tolerance, 1e4 * eps)
        stopped = (state.code == RESULTS.successful) | (state.code == RESULTS.stalled)
        code = jnp.where(
            stopped,
            jnp.where(small, RESULTS.successful, RESULTS.stalled),
            state.code,
        )
        return FitResult(
            state.point,
            code.astype(jnp.int32),
            FitStats(state.here.value, norm, state.steps),
        )

    def solve(self, problem: AbstractObjective, start: Estimate) -> FitResult:
        state = jax.lax.while_loop(
            lambda state: ~state.done,
            lambda state: self.step(problem, state),
            self.init(problem, start),
        )
        return self.finish(problem, state)

    def solve_many(
        self,
        problem_of: Callable[[AbstractResponses], AbstractObjective],
        responses: AbstractResponses,
        starts: Estimate,
        *,
        size: Int[Array, ""],
        block: int,
    ) -> FitResult:
        iteration = Iteration(
            jax.vmap(lambda r, start: self.init(problem_of(r), start)),
            jax.vmap(lambda r, state: self.step(problem_of(r), state)),
            lambda states: states.done,
            jax.vmap(lambda r, state: self.finish(problem_of(r), state)),
        )
        return fit_queue(iteration, responses, starts, size=size, block=block)


def _moved(point: Estimate, move: Vector) -> Estimate:
    return Estimate(
        point.system + move.system.T,
        point.item + move.item.T,
        point.shared + move.shared,
    )


def _relative_length(point: Estimate, move: Vector) -> Scalar:
    relative = Vector(
        move.system / (1 + jnp.abs(point.system.T)),
        move.item / (1 + jnp.abs(point.item.T)),
        move.shared / (1 + jnp.abs(point.shared)),
    )
    return relative.largest()


def scaled_gradient(problem: AbstractObjective, gradient: Vector) -> Scalar:
    scaled = jax.tree.map(lambda g, n: g / (1 + n), gradient, problem.trials())
    return scaled.largest()
