"""Every system in turn the target, seen by all others."""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, PRNGKeyArray

from irtjax.active import AbstractEvaluation, Estimates, SourceErrors, Target


class Results(NamedTuple):
    """What a way of evaluating says of every system.

    Attributes:
        error: estimate less truth.
        half_width: of the 95 % interval.
        truth: each system's mean error over all items.
    """

    error: Float[np.ndarray, "system seed budget"]
    half_width: Float[np.ndarray, "system seed budget"]
    truth: Float[np.ndarray, " system"]


def leave_one_out(
    evaluation: AbstractEvaluation,
    errors: Float[np.ndarray, "item system"],
    budgets: tuple[int, ...],
    seeds: int,
    *,
    key: PRNGKeyArray,
) -> Results:
    """Return what comes of evaluating every system, in one compiled call.

    Args:
        evaluation: the way.
        errors: of all systems, none missing.
        budgets: ascending, at most the number of items.
        seeds: runs a target. A run's draws depend on target, seed and key alone.
        key: of all draws.
    """
    whole = jnp.asarray(errors)
    found = _run(evaluation, whole, budgets, jnp.arange(seeds, dtype=jnp.int32), key)
    truth = errors.mean(axis=0)
    return Results(
        np.asarray(found.mean) - truth[:, None, None],
        np.asarray(found.half_width),
        truth,
    )


@eqx.filter_jit
def _run(
    evaluation: AbstractEvaluation,
    errors: Float[Array, "item system"],
    budgets: tuple[int, ...],
    seeds: Int[Array, " seed"],
    key: PRNGKeyArray,
) -> Estimates:
    whole = SourceErrors(errors, jnp.ones(errors.shape, bool))

    # Targets one after the other: what depends on the target alone, such as a fit, is
    # then computed once for all seeds, and memory does not grow with their number.
    def one(target: Int[Array, ""]) -> Estimates:
        sources = whole.without(target)
        outcome = Target(errors[:, target], jnp.ones(errors.shape[0], bool))

        def run(seed: Int[Array, ""]) -> Estimates:
            own = jax.random.fold_in(jax.random.fold_in(key, target), seed)
            return evaluation(sources, outcome, budgets, key=own)

        return jax.vmap(run)(seeds)

    return jax.lax.map(one, jnp.arange(errors.shape[1], dtype=jnp.int32))
