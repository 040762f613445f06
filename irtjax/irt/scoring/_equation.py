"""Scores that solve one equation in one ability."""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from .._model import AbstractResponseModel
from ._root import Root, falling_root, highest_node
from ._scores import SCORES, SystemScore
from ._system import Extremes, SystemPosterior

Scalar = Float[Array, ""]
Curve = Callable[[SystemPosterior, Scalar], Scalar]


def solve(system: SystemPosterior, height: Curve, equation: Curve) -> SystemScore:
    r"""Return the ability at which a falling equation is zero.

    The variance is $-1 / g'(\theta)$ at the root of the equation $g$.

    Args:
        system: with one ability.
        height: what tells several roots apart; the search begins near its highest.
        equation: $g$, the slope of what is maximised.

    Returns:
        Plus or minus infinity, with an infinite variance, where the equation has no
        root.
    """
    start = highest_node(lambda x: height(system, x), system.weight.dtype)
    root = falling_root(lambda x: equation(system, x), start)
    end = jnp.where(root.up, jnp.inf, -jnp.inf)
    value = jnp.where(root.bracketed, root.value, end)
    steep = root.bracketed & (root.slope < 0)
    variance = jnp.where(steep, -1 / jnp.where(steep, root.slope, -1), jnp.inf)
    code = _code(system.extremes(), root)
    return SystemScore(
        jnp.where(code == SCORES.failed, jnp.nan, value)[None],
        variance[None, None],
        code,
    )


def slope_of_root(
    system: SystemPosterior, score: SystemScore, equation: Curve
) -> Float[Array, "1 free"]:
    r"""Return the root's derivative by the items, $-g_\beta / g_\theta$.

    By the items' first parameters, their second ones, ..., then the shared ones. 0
    where the score is not finite: it does not move with the items.
    """
    finite = jnp.isfinite(score.value[0]) & jnp.isfinite(score.covariance[0, 0])
    at = jnp.where(finite, score.value[0], 0)

    def of(item: Float[Array, "item q"], shared: Float[Array, " s"]) -> Scalar:
        moved = eqx.tree_at(lambda s: (s.item, s.shared), system, (item, shared))
        return equation(moved, at)

    by_item, by_shared = jax.grad(of, (0, 1))(system.item, system.shared)
    slopes = jnp.concatenate([jnp.ravel(by_item.T), by_shared])
    return jnp.where(finite, slopes * score.covariance[0, 0], 0)[None, :]


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
            f"{scorer} scores one ability, {type(model).__name__} has {has}: use EAP or MAP."
        )


def pattern_code(extremes: Extremes) -> Int[Array, ""]:
    """Return the code that the answers alone call for."""
    code = jnp.where(extremes.highest, SCORES.highest, SCORES.ordinary)
    code = jnp.where(extremes.lowest, SCORES.lowest, code)
    return jnp.where(extremes.empty, SCORES.no_data, code).astype(jnp.int32)


def _code(extremes: Extremes, root: Root) -> Int[Array, ""]:
    code = pattern_code(extremes)
    mixed = code == SCORES.ordinary
    code = jnp.where(mixed & ~root.bracketed, SCORES.unbounded, code)
    lost = root.bracketed & ~root.converged
    failed = (lost | ~jnp.isfinite(root.reached)) & (code != SCORES.no_data)
    return jnp.where(failed, SCORES.failed, code).astype(jnp.int32)
