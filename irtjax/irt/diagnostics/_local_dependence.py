"""Q3: do two items go together beyond what the ability explains?"""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses

from .._fit import posterior
from .._model import AbstractResponseModel, Estimate
from ._outcomes import moments


class Q3(eqx.Module):
    """Correlations of two items' residuals over the systems that ran both.

    Not a number for a pair that fewer than two systems ran, or whose residuals do not
    vary there.

    Attributes:
        correlation: Yen's Q3, 1 on the diagonal.
        corrected: the same less the mean over pairs, about 0 where items are locally
            independent; 0.2 above is a common warning sign.
        mean: over pairs. Under independence about -1 / (items - 1), since an ability is
            fitted to the very responses whose residuals are correlated.
    """

    correlation: Float[Array, "item item"]
    corrected: Float[Array, "item item"]
    mean: Float[Array, ""]


@eqx.filter_jit
def q3(
    model: AbstractResponseModel,
    responses: AbstractResponses,
    estimate: Estimate,
    *,
    system_features: Float[Array, "system f"] | None = None,
    item_features: Float[Array, "item g"] | None = None,
) -> Q3:
    """Return the correlation of residuals for every pair of items.

    A residual is a cell's mean score less what the model expects; each pair is taken
    over the cells that both items have. With unequal trials a cell counts as one
    residual, whatever its trials.

    Args:
        model: the model that was fitted.
        responses: right and wrong answers, or categories (scored by their index).
        estimate: the fit's value.
        system_features: as given to `fit`.
        item_features: as given to `fit`.

    Raises:
        ValueError: if the responses are not counts of outcomes, and as `fit`.

    References:
        Yen (1984), Effects of local item dependence on the fit and equating performance
        of the three-parameter logistic model, Applied Psychological Measurement 8, eq.
        8. Christensen, Makransky & Horton (2017), Critical values for Yen's Q3, Applied
        Psychological Measurement 41, for the correction.
    """
    problem = posterior(model, responses, system_features, item_features)
    found = moments(problem, estimate, "Q3", 0.0)
    seen = (found.count > 0).astype(found.mean.dtype)
    residual = (found.score - found.mean) / jnp.where(seen > 0, found.count, 1)
    # Centred by item: sums of products lose fewer digits.
    centre = jnp.sum(residual, axis=0) / jnp.maximum(jnp.sum(seen, axis=0), 1)
    residual = seen * (residual - centre[None, :])
    both = seen.T @ seen
    number = jnp.maximum(both, 1)
    first = residual.T @ seen  # an item's sum over the cells that it shares
    square = (residual**2).T @ seen
    covariance = residual.T @ residual - first * first.T / number
    spread = square - first**2 / number
    scale = spread * spread.T
    known = (both > 1) & (scale > 0)
    correlation = jnp.where(
        known, covariance / jnp.sqrt(jnp.where(known, scale, 1)), jnp.nan
    )
    pair = known & ~jnp.eye(known.shape[0], dtype=bool)
    mean = jnp.sum(jnp.where(pair, correlation, 0)) / jnp.maximum(
        jnp.sum(pair, dtype=correlation.dtype), 1
    )
    corrected = jnp.where(pair, correlation - mean, jnp.nan)
    return Q3(correlation, corrected, mean)
