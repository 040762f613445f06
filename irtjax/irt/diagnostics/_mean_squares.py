"""Infit and outfit: do residuals vary as much as the model says?"""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from irtjax.data import AbstractResponses

from .._fit import posterior
from .._model import AbstractResponseModel, Estimate
from ._outcomes import Moments, moments

# R mirt's bound on one observation's variance: next to certainty a single surprise
# would otherwise decide an outfit.
LEAST_VARIANCE = 10**-2.5
LARGEST_SPREAD = 2**0.5  # R mirt's bound on the spread of a mean square


class MeanSquares(eqx.Module):
    """Mean squared standardised residuals, 1 where the model holds.

    Below 1, responses are more regular than the model says (a slope is too flat); above
    1, less. Not a number for a row without data.

    Attributes:
        infit: squared residuals over their variances, both summed: what counts is cells
            whose outcome was open.
        infit_z: the same as a standard normal deviate, by Wilson and Hilferty.
        outfit: the mean of squared standardised residuals: surprises count.
        outfit_z: the same as a standard normal deviate.
    """

    infit: Float[Array, " row"]
    infit_z: Float[Array, " row"]
    outfit: Float[Array, " row"]
    outfit_z: Float[Array, " row"]


@eqx.filter_jit
def item_mean_squares(
    model: AbstractResponseModel,
    responses: AbstractResponses,
    estimate: Estimate,
    *,
    system_features: Float[Array, "system f"] | None = None,
    item_features: Float[Array, "item g"] | None = None,
) -> MeanSquares:
    r"""Return each item's infit and outfit over the systems that ran it.

    With residual $r_{ji}$ of a cell's total score and its variance $v_{ji}$ under the
    model, outfit is the mean of $r^2 / v$ and infit $\sum r^2 / \sum v$. A cell of
    several trials counts as one total; a cell without any counts for nothing. Abilities
    are taken as known, so that values lie a little below 1 where items are few, and z is
    approximate. R mirt's numbers come out with abilities that are posterior means.

    Args:
        model: the model that was fitted.
        responses: right and wrong answers, or categories (scored by their index).
        estimate: the fit's value.
        system_features: as given to `fit`.
        item_features: as given to `fit`.

    Raises:
        ValueError: if the responses are not counts of outcomes, and as `fit`.

    References:
        Wright & Masters (1982), *Rating Scale Analysis*, ch. 5: mean squares, p. 99-100,
        and their standardisation, p. 101.
    """
    problem = posterior(model, responses, system_features, item_features)
    found = moments(problem, estimate, "Infit", LEAST_VARIANCE)
    return mean_squares(Moments(*(part.T for part in found)))


@eqx.filter_jit
def system_mean_squares(
    model: AbstractResponseModel,
    responses: AbstractResponses,
    estimate: Estimate,
    *,
    system_features: Float[Array, "system f"] | None = None,
    item_features: Float[Array, "item g"] | None = None,
) -> MeanSquares:
    """Return each system's infit and outfit over the items that it ran.

    As `item_mean_squares`, with systems and items exchanged.

    Raises:
        ValueError: if the responses are not counts of outcomes, and as `fit`.
    """
    problem = posterior(model, responses, system_features, item_features)
    return mean_squares(moments(problem, estimate, "Infit", LEAST_VARIANCE))


def mean_squares(found: Moments) -> MeanSquares:
    """Return the mean squares of each row of cells."""
    seen = found.count > 0
    variance = jnp.where(seen, found.variance, 1)
    squared = jnp.where(seen, (found.score - found.mean) ** 2, 0)
    fourth = jnp.where(seen, found.fourth, 0)
    number = jnp.sum(seen, axis=1, dtype=variance.dtype)
    total = jnp.sum(jnp.where(seen, variance, 0), axis=1)
    outfit = jnp.sum(squared / variance, axis=1) / number
    infit = jnp.sum(squared, axis=1) / total
    kurtosis = jnp.sum(fourth / variance**2, axis=1)
    excess = jnp.sum(jnp.where(seen, fourth - variance**2, 0), axis=1)
    return MeanSquares(
        infit,
        _normal_deviate(infit, excess / total**2, number > 0),
        outfit,
        _normal_deviate(outfit, kurtosis / number**2 - 1 / number, number > 0),
    )


def _normal_deviate(
    square: Float[Array, " row"],
    variance: Float[Array, " row"],
    known: Bool[Array, " row"],
) -> Float[Array, " row"]:
    """Return a mean square's cube root, standardised (Wilson & Hilferty)."""
    spread = jnp.sqrt(jnp.maximum(variance, 0))
    spread = jnp.where(known, jnp.minimum(spread, LARGEST_SPREAD), jnp.nan)
    return (jnp.cbrt(square) - 1) * (3 / spread) + spread / 3
