"""The marginal log-likelihood of a table at given items."""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses

from .._fit import posterior
from .._model import AbstractResponseModel, Estimate
from ._quadrature import AbstractQuadrature, AdaptiveQuadrature


@eqx.filter_jit
def marginal_log_likelihood(
    model: AbstractResponseModel,
    responses: AbstractResponses,
    estimate: Estimate,
    *,
    quadrature: AbstractQuadrature = AdaptiveQuadrature(),
    system_features: Float[Array, "system f"] | None = None,
    item_features: Float[Array, "item g"] | None = None,
) -> Float[Array, ""]:
    """Return the log-likelihood of items and shared parameters, abilities integrated out.

    Abilities weigh by their prior; priors of items and shared parameters do not enter.
    One observation's constant is that of the model's `log_prob`; the binomial one of
    counts is left out. Differentiable by items and shared parameters.

    Args:
        model: how a response arises.
        responses: of the kind that the model takes.
        estimate: the items and shared parameters; its abilities only start a search.
        quadrature: how abilities are integrated out.
        system_features: as for `fit`.
        item_features: as for `fit`.

    Returns:
        Nats.

    Raises:
        ValueError: as `fit`, and if the rule cannot take the model's systems.
    """
    problem = posterior(model, responses, system_features, item_features)
    return jnp.sum(quadrature.log_likelihood(problem, estimate))
