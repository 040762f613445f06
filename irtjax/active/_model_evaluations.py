"""Evaluations that rest on a belief."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from ._acquisition import AbstractAcquisition
from ._acquisitions import FisherInformation, VarianceReduction
from ._belief import AbstractBelief, AbstractPrior, Total
from ._design import AbstractDesign
from ._episode import run_episode
from ._evaluation import AbstractEvaluation, Estimates
from ._low_rank import LowRankBelief
from ._quadrature import quadrature
from ._sources import SourceErrors, Target

REACH = 1.959963984540054
"""Standard deviations to either side of a normal mean that hold 95 %."""


class Planned(AbstractEvaluation):
    """A plan by a design, and the belief's total once its answers are in.

    Each budget has a plan of its own.

    Attributes:
        prior: what is believed before.
        design: what plans.
    """

    prior: AbstractPrior
    design: AbstractDesign

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
        return _estimates(totals)


class Nested(AbstractEvaluation):
    """One item after the other, the estimate read off at every budget.

    Attributes:
        prior: what is believed before.
    """

    prior: AbstractPrior

    def __call__(
        self,
        sources: SourceErrors,
        target: Target,
        budgets: tuple[int, ...],
        *,
        key: PRNGKeyArray,
    ) -> Estimates:
        weights = uniform_weights(target)
        belief = self.prior(sources)
        if isinstance(belief, LowRankBelief):
            found = quadrature(
                belief, weights, ~target.observed, budgets[-1], target.error
            )
            at = jnp.asarray(budgets) - 1
            return _estimates(Total(found.mean[at], found.variance[at]))
        acquisition = VarianceReduction(weights)
        return _followed(belief, acquisition, target, weights, budgets)


class AdaptiveTest(AbstractEvaluation):
    """Adaptive testing: the most informative item at the present ability, and so on.

    Attributes:
        prior: gives the belief about an ability (`FittedAbility`).
        acquisition: what is asked next.
    """

    prior: AbstractPrior
    acquisition: AbstractAcquisition = FisherInformation()

    def __call__(
        self,
        sources: SourceErrors,
        target: Target,
        budgets: tuple[int, ...],
        *,
        key: PRNGKeyArray,
    ) -> Estimates:
        weights = uniform_weights(target)
        return _followed(
            self.prior(sources), self.acquisition, target, weights, budgets
        )


def _followed(
    belief: AbstractBelief,
    acquisition: AbstractAcquisition,
    target: Target,
    weights: Float[Array, " item"],
    budgets: tuple[int, ...],
) -> Estimates:
    episode = run_episode(belief, acquisition, target, weights, budgets[-1])
    at = jnp.asarray(budgets) - 1
    return _estimates(Total(episode.mean[at], episode.variance[at]))


def planned_totals(
    belief: AbstractBelief,
    design: AbstractDesign,
    target: Target,
    budgets: tuple[int, ...],
    *,
    key: PRNGKeyArray,
) -> Total:
    """Return the total, for every budget, once a plan of that size is answered.

    Args:
        belief: before any answer.
        design: plans for each budget anew.
        target: reveals the outcomes.
        budgets: numbers of items.
        key: of whatever is drawn.

    Returns:
        Mean and variance, each with a budget axis.
    """
    weights = uniform_weights(target)
    totals = []
    for number, budget in enumerate(budgets):
        picks = design(belief, weights, budget, key=jax.random.fold_in(key, number))
        outcomes = target.error[picks]
        given = belief.condition(picks, outcomes, jnp.zeros_like(outcomes))
        totals.append(given.total(weights))
    return Total(*map(jnp.stack, zip(*totals, strict=True)))


def uniform_weights(target: Target) -> Float[Array, " item"]:
    """Return the weights of a plain mean."""
    count = target.error.shape[0]
    return jnp.full(count, 1 / count, target.error.dtype)


def _estimates(total: Total) -> Estimates:
    return Estimates(total.mean, REACH * jnp.sqrt(jnp.maximum(total.variance, 0)))
