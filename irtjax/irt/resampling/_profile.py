"""Intervals from the profile of the posterior or the likelihood."""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from irtjax.data import AbstractResponses

from .._blocks import Vector, factorise
from .._fit import posterior
from .._loops import carried_while
from .._model import AbstractResponseModel, Estimate
from .._newton import _moved, _relative_length
from .._parameter import Parameter, names
from .._posterior import Posterior
from .._results import RESULTS

Scalar = Float[Array, ""]


class ProfileInterval(eqx.Module):
    """Intervals of one parameter for some rows, on its own scale.

    Attributes:
        lower: lower ends; the end of the parameter's range where `lower_open`.
        upper: upper ends.
        lower_open: whether the profile never falls by enough on that side.
        upper_open: likewise above.
        code: one of `RESULTS` a row; anything but `successful` means that a refit did
            not converge, and the ends are then not to be used.
    """

    lower: Float[Array, " row"]
    upper: Float[Array, " row"]
    lower_open: Bool[Array, " row"]
    upper_open: Bool[Array, " row"]
    code: Int[Array, " row"]


class ProfileIntervals(eqx.Module):
    r"""Where refits with one parameter held still lose $\chi^2_1 / 2$ nats.

    Made for what a standard error describes badly: items that all got right, extreme
    scorers, slopes near 0. With proper priors it is the posterior that is profiled; with
    `Flat` ones the likelihood, and the interval of an item that all got right is open on
    one side. Each interval takes about ten refits of a few Newton steps.

    Attributes:
        level: of coverage, within (0, 1).
        reach: how far from the estimate an end is looked for, on the unconstrained
            scale; nothing there means an open side.
        max_steps: of each refit.

    References:
        Venzon & Moolgavkar (1988), A method for computing profile-likelihood-based
        confidence intervals, Applied Statistics 37, eq. 1.
    """

    level: float | Scalar = 0.95
    reach: float = 40.0
    max_steps: int = 300

    @eqx.filter_jit
    def __call__(
        self,
        model: AbstractResponseModel,
        responses: AbstractResponses,
        estimate: Estimate,
        parameter: str,
        rows: Int[Array, " row"],
        *,
        system_features: Float[Array, "system f"] | None = None,
        item_features: Float[Array, "item g"] | None = None,
    ) -> ProfileInterval:
        """Return the intervals of a parameter for some rows. Pure.

        Args:
            model: the model that was fitted.
            responses: the table that it was fitted to.
            estimate: its joint mode.
            parameter: a system's, item's or shared parameter, by name.
            rows: which systems or items; 0 for a shared parameter.
            system_features: as given to `fit`.
            item_features: as given to `fit`.

        Raises:
            ValueError: if there is no such parameter, or the parts do not fit together.
        """
        problem = posterior(model, responses, system_features, item_features)
        side, k, kind = _find(model, parameter)
        z = jax.scipy.stats.norm.ppf(0.5 + jnp.asarray(self.level, float) / 2)
        fall = (z**2 / 2).astype(estimate.system.dtype)

        def ends(row: Int[Array, ""]):
            pin = _pin(estimate, side, k, row)
            return tuple(
                self._end(problem, estimate, pin, fall, sign) for sign in (-1.0, 1.0)
            )

        # One row after another: factorisations of a program must not run side by side.
        below, above = jax.lax.map(ends, rows)
        forward = jax.vmap(kind.transform.forward)
        return ProfileInterval(
            forward(jnp.where(below.open, -jnp.inf, below.at)),
            forward(jnp.where(above.open, jnp.inf, above.at)),
            below.open,
            above.open,
            jnp.where(
                below.converged & above.converged,
                RESULTS.successful,
                RESULTS.stalled,
            ).astype(jnp.int32),
        )

    def _end(
        self,
        problem: Posterior,
        mode: Estimate,
        pin: Vector,
        fall: Scalar,
        sign: float,
    ) -> "_End":
        """Return one end: step outward until it is passed, then close in."""
        one = jnp.ones((), fall.dtype)
        best = problem.evaluate(mode, one)
        variance = _dot(pin, factorise(best.information).solve(pin))
        guess = jnp.sqrt(2 * fall * variance)
        stride = jnp.where(jnp.isfinite(guess), jnp.clip(guess, 1e-3, 2.0), 1.0)
        middle = _dot(pin, _as_vector(mode))

        def excess(distance: Scalar, start: Estimate):
            """Return how far the profile has fallen past what is allowed."""
            held = middle + sign * distance
            gap = held - _dot(pin, _as_vector(start))
            there = _moved(start, jax.tree.map(lambda e: e * gap, pin))
            refit = _refit(problem, there, pin, self.max_steps)
            return refit.value - best.value - fall, refit

        def outward(state: _Search) -> _Search:
            distance = jnp.minimum(2 * state.far, self.reach)
            over, refit = excess(distance, state.point)
            return _Search(
                state.far,
                state.far_over,
                distance,
                over,
                refit.point,
                state.converged & refit.converged,
                state.steps + 1,
            )

        nothing = jnp.zeros((), fall.dtype)
        over, refit = excess(stride, mode)
        first = _Search(
            nothing,
            -fall,
            stride,
            over,
            refit.point,
            refit.converged,
            jnp.zeros((), jnp.int32),
        )
        found = jax.lax.while_loop(
            lambda s: (s.far_over < 0) & (s.far < self.reach), outward, first
        )
        is_open = found.far_over < 0

        def inward(state: _Search) -> _Search:
            # Regula falsi, now and then halving so that neither end stands still.
            share = -state.near_over / (state.far_over - state.near_over)
            share = jnp.where(state.steps % 3 == 2, 0.5, jnp.clip(share, 0.01, 0.99))
            middle = state.near + share * (state.far - state.near)
            over, refit = excess(middle, state.point)
            inside = over < 0
            return _Search(
                jnp.where(inside, middle, state.near),
                jnp.where(inside, over, state.near_over),
                jnp.where(inside, state.far, middle),
                jnp.where(inside, state.far_over, over),
                refit.point,
                state.converged & refit.converged,
                state.steps + 1,
            )

        tolerance = 100 * jnp.finfo(fall.dtype).eps

        def going(state: _Search) -> Bool[Array, ""]:
            width = state.far - state.near
            apart = width > tolerance * (1 + jnp.abs(middle) + state.far)
            loose = jnp.minimum(-state.near_over, state.far_over) > 1e3 * tolerance
            return apart & loose & ~is_open & (state.steps < 100)

        found = carried_while(
            going, inward, found._replace(steps=jnp.zeros((), jnp.int32))
        )
        nearer = -found.near_over < found.far_over
        distance = jnp.where(nearer, found.near, found.far)
        return _End(middle + sign * distance, is_open, found.converged)


class _End(NamedTuple):
    at: Scalar
    open: Bool[Array, ""]
    converged: Bool[Array, ""]


class _Search(NamedTuple):
    """A bracket: distances from the mode, and the profile's fall past what is allowed."""

    near: Scalar
    near_over: Scalar
    far: Scalar
    far_over: Scalar
    point: Estimate
    converged: Bool[Array, ""]
    steps: Int[Array, ""]


class _Refit(NamedTuple):
    point: Estimate
    value: Scalar
    damping: Scalar
    near: Bool[Array, ""]  # the last step was short: the observed information serves
    steps: Int[Array, ""]
    done: Bool[Array, ""]
    converged: Bool[Array, ""]


def _refit(problem: Posterior, start: Estimate, pin: Vector, max_steps: int) -> _Refit:
    """Return the mode with one parameter held where `start` has it.

    Damped Newton steps within the plane: the free step less its part along the column of
    the inverse that belongs to the pinned parameter.
    """
    one = jnp.ones((), start.system.dtype)
    eps = jnp.finfo(one.dtype).eps

    def step(state: _Refit) -> _Refit:
        # A jump of the pinned parameter may leave the observed information indefinite.
        here = problem.evaluate(state.point, jnp.where(state.near, one, 0 * one))
        diagonal = here.information.diagonal()
        factor = factorise(
            here.information.add_diagonal(
                jax.tree.map(lambda d: state.damping * (1 + jnp.abs(d)), diagonal)
            )
        )
        free, column = factor.solve(here.gradient), factor.solve(pin)
        share = _dot(pin, free) / _dot(pin, column)
        move = jax.tree.map(
            lambda f, c, e: jnp.where(e > 0, 0, share * c - f), free, column, pin
        )
        there = _moved(state.point, move)
        value = problem.value(there)
        slack = 10 * eps * (1 + jnp.abs(state.value))
        taken = jnp.isfinite(value) & (value <= state.value + slack)
        length = _relative_length(state.point, move)
        short = length <= jnp.sqrt(eps)
        # A flat stretch, such as an item's that everybody solves, has steps of noise:
        # the profile's height, which is all that counts, has come to its end.
        even = jnp.abs(value - state.value) <= slack
        flat = even & (state.damping <= 1e-2)
        last = taken & short & (state.damping == 0) & state.near
        # Rounding forbids any step: nothing lies lower.
        stuck = flat | (~taken & ((state.damping > 1e8) | short))
        eased = jnp.where(state.damping < 1e-10, 0, state.damping / 30)
        raised = jnp.where(state.damping > 0, 10 * state.damping, 1e-2)
        steps = state.steps + 1
        return _Refit(
            jax.tree.map(
                lambda new, old: jnp.where(taken, new, old), there, state.point
            ),
            jnp.where(taken, value, state.value),
            jnp.where(taken, eased, raised).astype(one.dtype),
            taken & (length <= 0.1),
            steps,
            last | stuck | (steps >= max_steps),
            last | stuck,
        )

    never = jnp.zeros((), bool)
    first = _Refit(
        start,
        problem.value(start),
        jnp.zeros_like(one),
        never,
        jnp.zeros((), jnp.int32),
        never,
        never,
    )
    return jax.lax.while_loop(lambda state: ~state.done, step, first)


def _find(model: AbstractResponseModel, name: str) -> tuple[str, int, Parameter]:
    """Return the side, the place and the declaration of a parameter."""
    kinds = {
        "system": model.system_parameters,
        "item": model.item_parameters,
        "shared": model.shared_parameters,
    }
    for side, parameters in kinds.items():
        if name in names(parameters):
            k = names(parameters).index(name)
            return side, k, parameters[k]
    known = [each for parameters in kinds.values() for each in names(parameters)]
    raise ValueError(f"There is no parameter {name!r}; the model has {known}.")


def _as_vector(point: Estimate) -> Vector:
    return Vector(point.system.T, point.item.T, point.shared)


def _pin(like: Estimate, side: str, k: int, row: Int[Array, ""]) -> Vector:
    """Return the vector that is 1 at one parameter of one row and 0 elsewhere."""
    zero = jax.tree.map(jnp.zeros_like, _as_vector(like))
    at = (k,) if side == "shared" else (k, row)
    return zero._replace(**{side: getattr(zero, side).at[at].set(1)})


def _dot(one: Vector, other: Vector) -> Scalar:
    parts = jax.tree.map(lambda x, y: jnp.sum(x * y), one, other)
    return parts.system + parts.item + parts.shared
