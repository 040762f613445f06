"""Where each system's own posterior lies, the items given: its mode and its width."""

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from .._cells import cell_jet
from .._model import Estimate
from .._posterior import Posterior
from .._prior_jets import prior_jets
from ._small import cholesky, inverse_lower

Scalar = Float[Array, ""]


class SystemCurve(NamedTuple):
    """Each system's log posterior at a point, to second order.

    Attributes:
        value: in nats.
        gradient: by the system's parameters.
        information: minus the second derivatives.
    """

    value: Float[Array, " system"]
    gradient: Float[Array, "p system"]
    information: Float[Array, "p p system"]


class Modes(NamedTuple):
    """A normal approximation to each system's posterior.

    Attributes:
        mode: unconstrained.
        scale: lower Cholesky factor of the inverse curvature at the mode.
    """

    mode: Float[Array, "p system"]
    scale: Float[Array, "p p system"]


class _Climb(NamedTuple):
    mode: Float[Array, "p system"]
    here: SystemCurve
    damping: Float[Array, " system"]
    done: Bool[Array, " system"]
    steps: Int[Array, ""]


# In standard deviations: what is left after a Newton step this short is its square.
_CLOSE = 1e-3
_MAX_STEPS = 60


def system_curve(
    problem: Posterior,
    system: Float[Array, "p system"],
    at: Estimate,
    observed_share: Scalar,
) -> SystemCurve:
    """Return each system's log posterior given the items, with its derivatives.

    Args:
        problem: the model and the table.
        system: where, unconstrained.
        at: holds the items and the shared parameters.
        observed_share: 1 for the observed information, 0 for the expected one.
    """
    terms = problem.responses.terms()
    outcome_axis = 0 if terms.outcome.ndim == 3 else None
    cell = functools.partial(cell_jet, problem.model, observed_share)
    over_items = jax.vmap(cell, (None, 0, None, None, 0, outcome_axis, 0))
    cells = jax.vmap(over_items, (0, None, None, 0, None, outcome_axis, 0))(
        system.T,
        at.item,
        at.shared,
        problem.system_features,
        problem.item_features,
        terms.outcome,
        terms.weight,
    )
    prior = prior_jets(
        problem.model.system_parameters,
        system.T,
        problem.model.shared_parameters,
        at.shared,
        problem.system_features,
    )
    p = system.shape[0]
    gradient = jnp.stack([jnp.sum(cells.first[k], axis=1) for k in range(p)])
    information = jnp.stack(
        [
            jnp.stack(
                [
                    -jnp.sum(cells.second[min(k, m)][abs(k - m)], axis=1)
                    - (prior.bend[k] if k == m else 0)
                    for m in range(p)
                ]
            )
            for k in range(p)
        ]
    )
    return SystemCurve(
        jnp.sum(cells.value, axis=1) + jnp.sum(prior.value, axis=0),
        gradient + prior.slope,
        information,
    )


def modes(problem: Posterior, at: Estimate) -> Modes:
    """Return each system's posterior mode and curvature, given items and shared ones.

    Damped Fisher scoring, every system on its own, from `at.system`. The curvature is
    the observed one; where that is not positive definite, as a posterior with two tops
    may have it, the expected one.

    Args:
        problem: the model and the table.
        at: the items and shared parameters, and where to start.
    """
    zero = jnp.zeros((), at.system.dtype)
    curve = functools.partial(system_curve, problem, at=at)

    def step(state: _Climb) -> _Climb:
        p = state.mode.shape[0]
        damped = state.here.information + _diagonal(
            state.damping[None, :] * (1 + jnp.abs(_diagonals(state.here.information)))
        )
        root = inverse_lower(cholesky(damped))
        white = jnp.einsum("kmj,mj->kj", root, state.here.gradient)
        move = jnp.einsum("kmj,kj->mj", root, white)
        there = state.mode + move
        ahead = curve(there, observed_share=zero)
        slack = 10 * jnp.finfo(zero.dtype).eps * (1 + jnp.abs(state.here.value))
        taken = ahead.value >= state.here.value - slack
        short = jnp.sum(white**2, axis=0) < p * _CLOSE**2
        eased = jnp.where(state.damping < 1e-3, 0, state.damping / 10)
        raised = jnp.where(state.damping > 0, 10 * state.damping, 1e-1)
        update = taken & ~state.done
        mode, here = jax.tree.map(
            lambda new, old: jnp.where(
                jnp.reshape(update, (1,) * (old.ndim - 1) + (-1,)), new, old
            ),
            (there, ahead),
            (state.mode, state.here),
        )
        return _Climb(
            mode,
            here,
            jnp.where(taken, eased, raised),
            state.done | (taken & short) | (state.damping > 1e8),
            state.steps + 1,
        )

    start = at.system.T
    state = _Climb(
        start,
        curve(start, observed_share=zero),
        jnp.zeros_like(start[0]),
        jnp.zeros(start.shape[1], bool),
        jnp.zeros((), jnp.int32),
    )
    state = jax.lax.while_loop(
        lambda s: jnp.any(~s.done) & (s.steps < _MAX_STEPS), step, state
    )
    observed = cholesky(curve(state.mode, observed_share=zero + 1).information)
    expected = cholesky(state.here.information)
    good = jnp.all(jnp.isfinite(observed), axis=(0, 1))
    lower = jnp.where(good, observed, expected)
    # The inverse's lower factor is that of the flipped matrix, flipped back.
    inverse = inverse_lower(lower)
    covariance = jnp.einsum("mkj,mlj->klj", inverse, inverse)
    return Modes(state.mode, cholesky(covariance))


def _diagonals(matrix: Float[Array, "p p row"]) -> Float[Array, "p row"]:
    return jnp.einsum("kkj->kj", matrix)


def _diagonal(values: Float[Array, "p row"]) -> Float[Array, "p p row"]:
    eye = jnp.eye(values.shape[0], dtype=values.dtype)
    return eye[:, :, None] * values[None, :, :]
