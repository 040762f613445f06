"""Posterior standard deviations in place of standard errors."""

from jaxtyping import PRNGKeyArray

from .._draw_intervals import spread_of
from .._errors import Uncertainty
from .._model import Estimate
from .._posterior import Posterior
from .._uncertainty import AbstractUncertainty
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

    def errors(self, problem: Posterior, estimate: Estimate) -> Uncertainty:
        draws = self.sampler.sample(problem, estimate, key=self.key)
        return spread_of(problem.model, draws.value)
