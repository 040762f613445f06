"""The posterior mode of a system with several parameters."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from .._model import Estimate
from .._posterior import Posterior
from ..marginal._modes import modes
from ._each import each_system
from ._equation import pattern_code
from ._scores import SCORES, SystemScore
from ._system import SystemPosterior

Scalar = Float[Array, ""]


def several_modes(problem: Posterior, items: Estimate) -> SystemScore:
    """Return every system's mode with the inverse curvature there."""
    near = modes(problem, items).mode.T
    return each_system(_polish, problem, items, near)


def several_slopes(
    problem: Posterior, items: Estimate, found: SystemScore
) -> Float[Array, "system p free"]:
    """Return the modes' derivatives by the items, by the implicit function theorem."""
    return each_system(_slopes, problem, items, found)


def _log_posterior(system: SystemPosterior, ability: Float[Array, " p"]) -> Scalar:
    return system.log_likelihood(ability) + system.log_prior(ability)


def _polish(system: SystemPosterior, near: Float[Array, " p"]) -> SystemScore:
    """Return the mode after one full Newton step from very near."""
    slope = jax.grad(_log_posterior, 1)(system, near)
    curvature = -jax.hessian(_log_posterior, 1)(system, near)
    covariance = jnp.linalg.inv(curvature)
    value = near + covariance @ slope
    good = jnp.all(jnp.isfinite(value)) & jnp.all(jnp.diagonal(covariance) > 0)
    code = jnp.where(good, pattern_code(system.extremes()), SCORES.failed)
    return SystemScore(
        jnp.where(good, value, jnp.nan), covariance, code.astype(jnp.int32)
    )


def _slopes(system: SystemPosterior, found: SystemScore) -> Float[Array, "p free"]:
    finite = jnp.all(jnp.isfinite(found.value))
    at = jnp.where(finite, found.value, 0)

    def slope(item: Float[Array, "item q"], shared: Float[Array, " s"]):
        moved = eqx.tree_at(lambda s: (s.item, s.shared), system, (item, shared))
        return jax.grad(_log_posterior, 1)(moved, at)

    by_item, by_shared = jax.jacrev(slope, (0, 1))(system.item, system.shared)
    major = jnp.reshape(jnp.swapaxes(by_item, 1, 2), (by_item.shape[0], -1))
    slopes = found.covariance @ jnp.concatenate([major, by_shared], axis=1)
    return jnp.where(finite, slopes, 0)
