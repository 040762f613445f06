"""Intervals and standard deviations read off draws of all parameters."""

import math
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ._errors import Uncertainty
from ._model import AbstractResponseModel, Estimate, NamedParameters, named


class Intervals(NamedTuple):
    """The ends of an interval for every parameter, by name and on its own scale.

    Attributes:
        lower: lower ends.
        upper: upper ends.
    """

    lower: NamedParameters
    upper: NamedParameters


@eqx.filter_jit
def quantile_intervals(
    model: AbstractResponseModel,
    draws: Estimate,
    *,
    level: float | Float[Array, ""] = 0.95,
) -> Intervals:
    """Return the central interval of each parameter's draws.

    For draws from a posterior it is the credible interval with equal tails, for refits
    of a bootstrap the percentile interval.

    Args:
        model: what was fitted.
        draws: unconstrained, with one leading axis or, as samplers return them, chain
            and draw. A draw that is not a number is left out.
        level: share of the draws inside, within (0, 1).

    References:
        Efron & Tibshirani (1993), *An Introduction to the Bootstrap*, ch. 13.
    """
    flat = one_draw_axis(draws)
    tail = (1 - level) / 2

    def end(share) -> NamedParameters:
        # Transforms increase, so they take quantiles to quantiles.
        return named(
            model,
            jax.tree.map(
                lambda leaf: jnp.nanquantile(
                    leaf, jnp.asarray(share, leaf.dtype), axis=0
                ),
                flat,
            ),
        )

    return Intervals(end(tail), end(1 - tail))


@eqx.filter_jit
def spread_of(model: AbstractResponseModel, draws: Estimate) -> Uncertainty:
    """Return standard deviations and the abilities' covariance over draws.

    Args:
        model: what was fitted.
        draws: as for `quantile_intervals`.
    """
    flat = one_draw_axis(draws)
    values = jax.vmap(lambda draw: named(model, draw))(flat)
    spread = jax.tree.map(lambda leaf: jnp.nanstd(leaf, axis=0, ddof=1), values)
    ability = flat.system[:, :, 0]
    kept = jnp.all(jnp.isfinite(ability), axis=1)[:, None]
    count = jnp.sum(kept, dtype=ability.dtype)
    mean = jnp.sum(jnp.where(kept, ability, 0), axis=0) / count
    gap = jnp.where(kept, ability - mean[None, :], 0)
    covariance = gap.T @ gap / jnp.where(count > 1, count - 1, jnp.nan)
    return Uncertainty(spread.system, spread.item, spread.shared, covariance)


def one_draw_axis(draws: Estimate) -> Estimate:
    """Return draws with chains one after another; those with one axis unchanged."""
    leading = draws.shared.ndim - 1
    count = math.prod(draws.shared.shape[:leading])
    return jax.tree.map(
        lambda leaf: jnp.reshape(leaf, (count, *leaf.shape[leading:])), draws
    )
