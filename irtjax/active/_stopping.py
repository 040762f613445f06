"""When to stop asking."""

import abc
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, ScalarLike

from ._belief import Total


class Progress(NamedTuple):
    """How far an evaluation has come.

    Attributes:
        count: answers so far.
        total: the weighted mean error as it is believed now.
        spent: what the answers cost, in the unit of the costs.
    """

    count: Int[Array, ""]
    total: Total
    spent: Float[Array, ""]


class AbstractStoppingRule(eqx.Module):
    """Says when an evaluation has gone far enough."""

    @abc.abstractmethod
    def __call__(self, progress: Progress) -> Bool[Array, ""]:
        """Return whether to stop now."""


class BudgetSpent(AbstractStoppingRule):
    """Stops after so many answers.

    Attributes:
        count: how many.
    """

    count: Int[Array, ""]

    def __init__(self, count: int | Int[Array, ""]):
        """Store the number of answers."""
        self.count = jnp.asarray(count)

    def __call__(self, progress: Progress) -> Bool[Array, ""]:
        return progress.count >= self.count


class IntervalNarrow(AbstractStoppingRule):
    """Stops once the interval around the total is no wider than this to either side.

    Attributes:
        half_width: in errors.
        level: share of truths that the interval is to hold.
    """

    half_width: Float[Array, ""]
    level: Float[Array, ""]

    def __init__(self, half_width: ScalarLike, level: ScalarLike = 0.95):
        """Store the settings."""
        self.half_width = jnp.asarray(half_width, float)
        self.level = jnp.asarray(level, float)

    def __call__(self, progress: Progress) -> Bool[Array, ""]:
        reach = jax.scipy.stats.norm.ppf((1 + self.level) / 2)
        return reach * jnp.sqrt(progress.total.variance) <= self.half_width


class CostSpent(AbstractStoppingRule):
    """Stops once the answers have cost this much.

    Attributes:
        cost: in the unit of the costs.
    """

    cost: Float[Array, ""]

    def __init__(self, cost: ScalarLike):
        """Store the limit."""
        self.cost = jnp.asarray(cost, float)

    def __call__(self, progress: Progress) -> Bool[Array, ""]:
        return progress.spent >= self.cost


class FirstOf(AbstractStoppingRule):
    """Stops as soon as one of several rules says so.

    Attributes:
        rules: at least one.
    """

    rules: tuple[AbstractStoppingRule, ...]

    def __call__(self, progress: Progress) -> Bool[Array, ""]:
        return jnp.any(jnp.stack([rule(progress) for rule in self.rules]))
