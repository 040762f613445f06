"""Posterior standard deviations in place of standard errors."""

import equinox as eqx
from jaxtyping import Array, Float, PRNGKeyArray

from irtjax.data import AbstractResponses

from .._draw_intervals import spread_of
from .._fit import posterior
from .._model import AbstractResponseModel, Estimate
from .._uncertainty import AbstractUncertainty, Uncertainty
from ._sampler import AbstractSampler


class PosteriorSpread(AbstractUncertainty):
    """Posterior standard deviations, each on its parameter's own scale, from draws.

    They are those of a normal approximation nowhere: skewed posteriors give what they
    have. Whether the chains mixed is not looked at here; `sample_posterior` does.

    Attributes:
        sampler: what draws.
        key: the same key gives the same bits. Give each table of a batch its own.
    """

    sampler: AbstractSampler
    key: PRNGKeyArray

    @eqx.filter_jit
    def __call__(
        self,
        model: AbstractResponseModel,
        responses: AbstractResponses,
        estimate: Estimate,
        *,
        system_features: Float[Array, "system f"] | None = None,
        item_features: Float[Array, "item g"] | None = None,
    ) -> Uncertainty:
        problem = posterior(model, responses, system_features, item_features)
        draws = self.sampler.sample(problem, estimate, key=self.key)
        return spread_of(model, draws.value)
