"""Draws from the posterior of one table."""

import equinox as eqx
import jax
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray

from irtjax.data import AbstractResponses

from .._estimator import AbstractEstimator, JointMAP
from .._fit import posterior
from .._model import AbstractResponseModel
from .._posterior import Posterior
from ._nuts import NUTS
from ._sampler import AbstractSampler, Draws, SampleResult


def sample_posterior(
    model: AbstractResponseModel,
    responses: AbstractResponses,
    *,
    sampler: AbstractSampler = NUTS(),
    estimator: AbstractEstimator = JointMAP(),
    system_features: Float[Array, "system f"] | None = None,
    item_features: Float[Array, "item g"] | None = None,
    key: PRNGKeyArray,
) -> SampleResult:
    """Draw from the posterior of one table.

    Args:
        model: how a response arises; all its priors must be proper.
        responses: of the kind that the model takes; a long table is spread out first.
        sampler: what draws.
        estimator: what finds the start; the draws do not depend on it in the end.
        system_features: what is known of each system, if the model uses it.
        item_features: what is known of each item.
        key: the same key gives the same bits.

    Returns:
        NumPy arrays with leading chain and draw axes, and a code to read first.

    Raises:
        ValueError: if the kind of responses is not the model's, or features do not fit.
    """
    problem = posterior(model, responses, system_features, item_features)
    draws = _sample(sampler, estimator, problem, key)
    return sampler.judge(jax.tree.map(np.asarray, draws))


@eqx.filter_jit
def _sample(
    sampler: AbstractSampler,
    estimator: AbstractEstimator,
    problem: Posterior,
    key: PRNGKeyArray,
) -> Draws:
    start = estimator.estimate(problem).value
    return sampler.sample(problem, start, key=key)
