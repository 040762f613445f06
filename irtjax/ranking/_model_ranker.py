"""Rankers that fit a response model: any model, any estimator."""

from typing import ClassVar

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses
from irtjax.irt import (
    RESULTS,
    AbstractEstimator,
    AbstractResponseModel,
    Estimate,
    JointMAP,
    fit,
    fit_many,
    named,
)

from ._ranker import AbstractRanker, RankerScores


class ModelRanker(AbstractRanker):
    """Each system's ability under a response model, read off a fit.

    Takes the kind of responses that the model takes. The score is the model's first
    system parameter, for the models here the ability in logits.

    Attributes:
        model: how responses arise.
        estimator: how the model is fitted.
    """

    scale: ClassVar[str] = "ability, logits"
    model: AbstractResponseModel
    estimator: AbstractEstimator = JointMAP()

    def score(self, responses: AbstractResponses) -> Float[Array, " system"]:
        """Return the abilities of one table; NaN throughout if the fit failed."""
        result = fit(self.model, responses, estimator=self.estimator)
        score = _where_data(self.score_of(result.value), responses)
        return jnp.where(result.code == RESULTS.successful, score, jnp.nan)

    def score_many(self, responses: AbstractResponses) -> RankerScores:
        result = fit_many(self.model, responses, estimator=self.estimator)
        score = jax.vmap(self.score_of)(result.value)
        return RankerScores(jax.vmap(_where_data)(score, responses), result.code)

    def score_of(self, estimate: Estimate) -> Float[Array, " system"]:
        """Return the abilities of one table's estimate, on their own scale."""
        ability = self.model.system_parameters[0].name
        return named(self.model, estimate).system[ability]


def _where_data(
    score: Float[Array, " system"], responses: AbstractResponses
) -> Float[Array, " system"]:
    """Return the score, NaN for a system with nothing observed."""
    return jnp.where(jnp.any(responses.observed(), axis=1), score, jnp.nan)
