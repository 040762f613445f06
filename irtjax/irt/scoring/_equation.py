"""Scores that solve one equation in one ability."""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from .._model import AbstractResponseModel
from ._root import Root, falling_root, highest_node
from ._scores import SCORES, SystemScore
from ._system import Extremes, SystemPosterior

Scalar = Float[Array, ""]
Curve = Callable[[SystemPosterior, Scalar], Scalar]


def solve(system: SystemPosterior, height: Curve, equation: Curve) -> SystemScore:
    r"""Return the ability at which a falling equation is zero.

    The variance is $-1 / g'(\theta)$ at the root of the equation $g$. By the items the
    root has the derivative $-g_\beta / g_\theta$, whatever the search did to get there.

    Args:
        system: with one ability.
        height: what tells several roots apart; the search begins near its highest.
        equation: $g$, the slope of what is maximised.

    Returns:
        Plus or minus infinity, with an infinite variance, where the equation has no
        root.
    """
    frozen = jax.tree.map(
        lambda leaf: jax.lax.stop_gradient(leaf) if eqx.is_array(leaf) else leaf, system
    )
    start = highest_node(lambda x: height(frozen, x), system.weight.dtype)
    root = falling_root(lambda x: equation(frozen, x), start)
    at = root.value
    reached, slope = jax.jvp(lambda x: equation(frozen, x), (at,), (jnp.ones_like(at),))
    curvature = jnp.where(slope < 0, -slope, 0)
    lag = equation(system, at)
    # Zero in value and not in derivative.
    change = (lag - jax.lax.stop_gradient(lag)) / jnp.where(slope < 0, -slope, 1)
    value = jnp.where(root.bracketed, at + change, root.direction * jnp.inf)
    variance = jnp.where(root.bracketed & (slope < 0), 1 / curvature, jnp.inf)
    code = _code(system.extremes(), root, jnp.isfinite(reached))
    return SystemScore(
        jnp.where(code == SCORES.failed, jnp.nan, value)[None],
        variance[None, None],
        code,
    )


def without_prior(system: SystemPosterior, score: SystemScore) -> SystemScore:
    """Return a score that says "not a number" where there are no data to go by."""
    value = jnp.where(system.extremes().empty, jnp.nan, score.value)
    variance = jnp.where(system.extremes().empty, jnp.inf, score.covariance)
    return SystemScore(value, variance, score.code)


def need_one_ability(model: AbstractResponseModel, scorer: str) -> None:
    """Raise unless a system has one parameter.

    Raises:
        ValueError: with the model's parameters.
    """
    if len(model.system_parameters) != 1:
        has = ", ".join(parameter.name for parameter in model.system_parameters)
        raise ValueError(
            f"{scorer} scores one ability, {type(model).__name__} has {has}: use EAP."
        )


def pattern_code(extremes: Extremes) -> Int[Array, ""]:
    """Return the code that the answers alone call for."""
    code = jnp.where(extremes.highest, SCORES.highest, SCORES.ordinary)
    code = jnp.where(extremes.lowest, SCORES.lowest, code)
    return jnp.where(extremes.empty, SCORES.no_data, code).astype(jnp.int32)


def _code(extremes: Extremes, root: Root, finite: Bool[Array, ""]) -> Int[Array, ""]:
    code = pattern_code(extremes)
    mixed = code == SCORES.ordinary
    code = jnp.where(mixed & ~root.bracketed, SCORES.unbounded, code)
    lost = root.bracketed & ~root.converged
    failed = (lost | ~finite) & (code != SCORES.no_data)
    return jnp.where(failed, SCORES.failed, code).astype(jnp.int32)
