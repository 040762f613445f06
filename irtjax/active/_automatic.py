"""What to take without a choice: prior, design and interval that need no settings."""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray
from scipy import stats

from ._belief import AbstractBelief, AbstractPrior
from ._design import AbstractDesign
from ._designs import systematic_then_greedy
from ._evaluation import AbstractEvaluation, Estimates
from ._low_rank import LowRankBelief
from ._model_evaluations import planned_totals
from ._population import OWN_DIRECTIONS, LearnedPopulation
from ._sources import SourceErrors, Target


class AutomaticDesign(AbstractDesign):
    """Half systematic and then half greedy while there are few answers a source.

    Up to `half` answers a source half of them are greedy, up to twice as many a quarter,
    and beyond none: what the sources share is then settled by any sample, and only an
    even spread guards against what they do not. A belief that does not rest on sources
    in this way gets a systematic sample.

    Attributes:
        half: answers a source up to which half of them are greedy. `scripts/bars 5 2`
            says which values are best on some matrices and how they do on another.
    """

    half: float = eqx.field(static=True, default=2.0)

    def __call__(
        self,
        belief: AbstractBelief,
        weights: Float[Array, " item"],
        budget: int,
        *,
        key: PRNGKeyArray,
    ) -> Int[Array, " pick"]:
        rest = self.greedy_part(belief, budget)
        return systematic_then_greedy(belief, weights, budget - rest, rest, key=key)

    def greedy_part(self, belief: AbstractBelief, budget: int) -> int:
        """Return how many of the design's items are greedy: its last ones."""
        if not isinstance(belief, LowRankBelief):
            return 0
        few = self.half * (belief.feature.shape[1] - OWN_DIRECTIONS)
        if budget > 2 * few:
            return 0
        return budget // 2 if budget <= few else budget // 4


def interval_reach(sources: int, answers: int, level: float = 0.95) -> float:
    """Return how many standard deviations of a learned belief hold the truth.

    Student's quantile: how wide a new system's errors scatter was learned from so many
    other systems, and each answer is one more observation of it.

    Args:
        sources: how many historical systems.
        answers: how many items were answered.
        level: share of truths that the interval is to hold.
    """
    return float(stats.t.ppf((1 + level) / 2, sources - 1 + answers))


class Automatic(AbstractEvaluation):
    """The default: learned variances, the automatic design, Student's interval.

    Attributes:
        prior: what is believed before.
        design: what plans, for each budget anew.
    """

    prior: AbstractPrior = LearnedPopulation()
    design: AbstractDesign = AutomaticDesign()

    def __call__(
        self,
        sources: SourceErrors,
        target: Target,
        budgets: tuple[int, ...],
        *,
        key: PRNGKeyArray,
    ) -> Estimates:
        belief = self.prior(sources)
        totals = planned_totals(belief, self.design, target, budgets, key=key)
        count = sources.shape[1]
        reach = jnp.asarray([interval_reach(count, budget) for budget in budgets])
        deviation = jnp.sqrt(jnp.maximum(totals.variance, 0))
        return Estimates(totals.mean, reach.astype(deviation.dtype) * deviation)
