"""Person fit: is a system's pattern of answers a likely one for its ability?"""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses

from .._fit import posterior
from .._model import AbstractResponseModel, Estimate
from ._outcomes import counted_outcomes, outcome_log_probs


@eqx.filter_jit
def log_likelihood_z(
    model: AbstractResponseModel,
    responses: AbstractResponses,
    estimate: Estimate,
    *,
    system_features: Float[Array, "system f"] | None = None,
    item_features: Float[Array, "item g"] | None = None,
) -> Float[Array, " system"]:
    r"""Return each system's standardised log-likelihood, $l_z$, also called Zh.

    $l_z = (l - \mathrm{E} l) / \sqrt{\mathrm{Var}\, l}$ at the estimated ability, with
    moments under the model. Strongly negative: hard items right and easy ones wrong, as
    after contamination or a broken run. Because the ability is estimated from the same
    answers, the spread is a little below 1. A cell's trials are independent given the
    parameters; cells not observed count for nothing.

    Args:
        model: the model that was fitted.
        responses: right and wrong answers, or categories.
        estimate: the fit's value.
        system_features: as given to `fit`.
        item_features: as given to `fit`.

    Returns:
        Not a number for a system without data.

    Raises:
        ValueError: if the responses are not counts of outcomes, and as `fit`.

    References:
        Drasgow, Levine & Williams (1985), Appropriateness measurement with polychotomous
        item response models and standardized indices, British Journal of Mathematical
        and Statistical Psychology 38, eq. 2 to 6.
    """
    problem = posterior(model, responses, system_features, item_features)
    outcomes = counted_outcomes(problem.responses, "Person fit")
    weight = problem.responses.terms().weight
    log_prob = outcome_log_probs(problem, estimate, outcomes)
    probability = jnp.exp(log_prob)
    count = jnp.sum(weight, axis=-1)
    mean = jnp.sum(probability * log_prob, axis=-1)
    variance = jnp.sum(probability * (log_prob - mean[..., None]) ** 2, axis=-1)
    gap = jnp.sum(weight * log_prob, axis=(1, 2)) - jnp.sum(count * mean, axis=1)
    return gap / jnp.sqrt(jnp.sum(count * variance, axis=1))
