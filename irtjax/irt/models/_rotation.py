"""One orientation out of the many that a multidimensional fit leaves open."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from .._model import Estimate
from ._multidimensional import MultidimensionalTwoPL

# Sweeps over all pairs of dimensions. Convergence is quadratic; 5 dimensions take 6.
SWEEPS = 30


def canonical(model: MultidimensionalTwoPL, estimate: Estimate) -> Estimate:
    """Return the same fit in the orientation that all reports use.

    Slopes are turned by `varimax`; dimensions are put in order of their sum of squared
    slopes, largest first; the slopes of each sum to a positive number, so that more of
    an ability means more success on the whole. Probabilities do not change, nor does
    the posterior where priors are equal over dimensions and centred at 0. Doing it
    twice changes nothing.

    Args:
        model: fitted without a pattern of loadings; a pattern settles the orientation.
        estimate: of any orientation.
    """
    slopes = estimate.item[:, 1:]
    return rotated(model, estimate, _ordered(slopes, varimax(slopes)))


def rotated(
    model: MultidimensionalTwoPL,
    estimate: Estimate,
    rotation: Float[Array, "dimension dimension"],
) -> Estimate:
    """Return an estimate with abilities and slopes multiplied by a rotation.

    Args:
        model: says how many dimensions there are.
        estimate: of any orientation.
        rotation: orthogonal; new dimensions are its columns.

    Raises:
        ValueError: if the rotation's size is not the number of dimensions.
    """
    if rotation.shape[0] != model.dimensions:
        raise ValueError(
            f"A rotation of {model.dimensions} dimensions is needed, got one of "
            f"{rotation.shape[0]}."
        )
    slopes = estimate.item[:, 1:] @ rotation
    return Estimate(
        estimate.system @ rotation,
        jnp.concatenate([estimate.item[:, :1], slopes], axis=1),
        estimate.shared,
    )


def varimax(
    loadings: Float[Array, "item dimension"],
) -> Float[Array, "dimension dimension"]:
    """Return the rotation after which each item loads on as few dimensions as it can.

    It makes the variance of squared loadings within each dimension as large as turning
    pairs of dimensions one at a time can make it. Loadings are not normalised by item.

    References:
        Kaiser (1958), The varimax criterion for analytic rotation in factor analysis,
        Psychometrika 23.
    """
    n = loadings.shape[1]
    pairs = [(k, m) for k in range(n) for m in range(k + 1, n)]

    def sweep(_, rotation: Float[Array, "dimension dimension"]):
        for k, m in pairs:
            turned = loadings @ rotation
            rotation = rotation @ _turn(turned[:, k], turned[:, m], k, m, n)
        return rotation

    return jax.lax.fori_loop(0, SWEEPS, sweep, jnp.eye(n, dtype=loadings.dtype))


def _turn(
    x: Float[Array, " item"], y: Float[Array, " item"], k: int, m: int, n: int
) -> Float[Array, "dimension dimension"]:
    """Return the rotation of one pair of dimensions by the best angle."""
    count = x.shape[0]
    u, v = x**2 - y**2, 2 * x * y
    total_u, total_v = jnp.sum(u), jnp.sum(v)
    above = 2 * jnp.sum(u * v) - 2 * total_u * total_v / count
    below = jnp.sum(u**2 - v**2) - (total_u**2 - total_v**2) / count
    angle = jnp.arctan2(above, below) / 4
    cosine, sine = jnp.cos(angle), jnp.sin(angle)
    turn = jnp.eye(n, dtype=x.dtype)
    turn = turn.at[k, k].set(cosine).at[m, m].set(cosine)
    return turn.at[k, m].set(-sine).at[m, k].set(sine)


def _ordered(
    loadings: Float[Array, "item dimension"],
    rotation: Float[Array, "dimension dimension"],
) -> Float[Array, "dimension dimension"]:
    """Return the rotation with its columns in order and of the right sign."""
    turned = loadings @ rotation
    order = jnp.argsort(-jnp.sum(turned**2, axis=0), stable=True)
    sign = jnp.where(jnp.sum(turned[:, order], axis=0) < 0, -1, 1)
    return rotation[:, order] * sign.astype(rotation.dtype)[None, :]
