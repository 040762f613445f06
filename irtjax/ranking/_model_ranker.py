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
    scores_of,
)

from ._ranker import AbstractRanker, RankerScores


class ModelRanker(AbstractRanker):
    """Each system's ability under a response model, read off a fit.

    Takes the kind of responses that the model takes. The score is the one that the
    model compares systems by (see `irtjax.irt.AbstractScored`), else its first system
    parameter; for the models here an ability in logits.

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
        score = self.score_of(responses, result.value)
        return jnp.where(result.code == RESULTS.successful, score, jnp.nan)

    def score_many(self, responses: AbstractResponses) -> RankerScores:
        result = fit_many(self.model, responses, estimator=self.estimator)
        score = jax.vmap(self.score_of)(responses, result.value)
        return RankerScores(score, result.code)

    def score_of(
        self, responses: AbstractResponses, estimate: Estimate
    ) -> Float[Array, " system"]:
        """Return the scores of one table's estimate, see `irtjax.irt.scores_of`.

        NaN for a system with nothing observed.
        """
        score = scores_of(self.model, responses, estimate)
        return jnp.where(jnp.any(responses.observed(), axis=1), score, jnp.nan)
