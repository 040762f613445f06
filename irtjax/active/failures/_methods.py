"""The ways to look for failures, in one table."""

import abc
from typing import NamedTuple

import equinox as eqx
import jax
from jaxtyping import PRNGKeyArray

from irtjax.active import (
    AbstractAcquisition,
    AbstractBelief,
    AbstractPrior,
    PriorMean,
    ScoreFeature,
    SourceErrors,
    SuperlevelSet,
)

from ._acquisitions import FollowingSuperlevel, WorthOfFailure, failure_worth


class Start(NamedTuple):
    """What a search begins with.

    Attributes:
        belief: before any answer.
        acquisition: picks what is asked.
    """

    belief: AbstractBelief
    acquisition: AbstractAcquisition


class AbstractFailureMethod(eqx.Module):
    """A way to choose the items on which a system is likely to fail."""

    @abc.abstractmethod
    def start(self, sources: SourceErrors, budget: int, *, key: PRNGKeyArray) -> Start:
        """Return what is believed at first, and what is picked by.

        Args:
            sources: errors of the other systems.
            budget: how many items will be asked.
            key: of whatever is drawn.
        """


class Worthwhile(AbstractFailureMethod):
    """Asks where the expected worth of a failure is largest.

    Attributes:
        trade: 0 looks for failures, 1 for failures where most sources are right.
        prior: makes the belief; the published `ScoreFeature` where None.
    """

    trade: float = 0.0
    prior: AbstractPrior | None = None

    def start(self, sources: SourceErrors, budget: int, *, key: PRNGKeyArray) -> Start:
        worth = failure_worth(sources.mean(), self.trade)
        return Start(_belief(self.prior, sources), WorthOfFailure(worth))


class Surprising(AbstractFailureMethod):
    """Asks where the expected surprise of a failure is largest.

    A failure counts by the share of the sources that get its item right.

    Attributes:
        prior: makes the belief; the published `ScoreFeature` where None.
    """

    prior: AbstractPrior | None = None

    def start(self, sources: SourceErrors, budget: int, *, key: PRNGKeyArray) -> Start:
        return Start(_belief(self.prior, sources), WorthOfFailure(1 - sources.mean()))


class Superlevel(AbstractFailureMethod):
    """Asks the least known of the items that may err more than a level.

    Attributes:
        level: an error, from 0 to 1; None = it follows the data.
        prior: makes the belief; the published `ScoreFeature` where None.
        beta: how many standard deviations of doubt count in an item's favour.

    References:
        ProEval (2026), arXiv 2604.23099, superlevel-set sampling, at level .5.
    """

    level: float | None = None
    prior: AbstractPrior | None = None
    beta: float = 1.96

    def start(self, sources: SourceErrors, budget: int, *, key: PRNGKeyArray) -> Start:
        if self.level is None:
            return Start(
                _belief(self.prior, sources), FollowingSuperlevel(budget, self.beta)
            )
        return Start(_belief(self.prior, sources), SuperlevelSet(self.level, self.beta))


class PriorOrder(AbstractFailureMethod):
    """Asks in the order of the sources' mean error; answers change nothing."""

    def start(self, sources: SourceErrors, budget: int, *, key: PRNGKeyArray) -> Start:
        return Start(ScoreFeature()(sources), PriorMean(sources.mean()))


class RandomOrder(AbstractFailureMethod):
    """Asks in random order."""

    def start(self, sources: SourceErrors, budget: int, *, key: PRNGKeyArray) -> Start:
        order = jax.random.uniform(key, sources.shape[:1], sources.error.dtype)
        return Start(ScoreFeature()(sources), PriorMean(order))


def _belief(prior: AbstractPrior | None, sources: SourceErrors) -> AbstractBelief:
    # Not a default of the class: its array would be made at import, in 32 bits.
    return (ScoreFeature() if prior is None else prior)(sources)


FAILURE_METHODS: dict[str, AbstractFailureMethod] = {
    "failures": Worthwhile(0.0),
    "surprise": Surprising(),
    "novelty": Worthwhile(1.0),
    "superlevel": Superlevel(),
    "superlevel_published": Superlevel(0.5),
    "prior_mean": PriorOrder(),
    "random": RandomOrder(),
}
"""Every method, by the name that settings take. "failures" is the greedy posterior mean;
"surprise" and "novelty" give up failures for novel ones; "superlevel_published" is what
ProEval does."""
