"""Designs: greedy, systematic, both in turn, at random, and the one to take."""

import math

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray

from ._acquisition import AbstractAcquisition
from ._acquisitions import VarianceReduction, best
from ._belief import AbstractBelief
from ._design import AbstractDesign
from ._low_rank import LowRankBelief
from ._quadrature import quadrature


class Greedy(AbstractDesign):
    """Each item the one that most reduces the variance of the total, given those before.

    Ties go to the lowest item; items without weight come last. Nothing is drawn.
    """

    def __call__(
        self,
        belief: AbstractBelief,
        weights: Float[Array, " item"],
        budget: int,
        *,
        key: PRNGKeyArray,
    ) -> Int[Array, " pick"]:
        none = jnp.zeros(weights.shape, bool)
        return _reducing(belief, weights, none, budget)


class Systematic(AbstractDesign):
    """Every N/B-th item in the order of expected error, from a random start.

    Items of equal expected error stand in random order. Steps are in units of weight,
    so that each item's chance is proportional to its weight as long as no weight is
    above 1/B.

    References:
        Madow (1949), On the theory of systematic sampling II, Annals of Mathematical
        Statistics 20.
    """

    def __call__(
        self,
        belief: AbstractBelief,
        weights: Float[Array, " item"],
        budget: int,
        *,
        key: PRNGKeyArray,
    ) -> Int[Array, " pick"]:
        return systematic_picks(belief.mean(), weights, budget, key=key)


class SystematicThenGreedy(AbstractDesign):
    """A systematic sample, then the greedy choice given it.

    The systematic part keeps the whole range of difficulty covered whatever the belief
    gets wrong; the greedy part is spent where the belief says it counts.

    Attributes:
        share: of the budget that goes to the systematic part, rounded up.
    """

    share: float = eqx.field(static=True, default=0.5)

    def __call__(
        self,
        belief: AbstractBelief,
        weights: Float[Array, " item"],
        budget: int,
        *,
        key: PRNGKeyArray,
    ) -> Int[Array, " pick"]:
        first = math.ceil(self.share * budget)
        return systematic_then_greedy(belief, weights, first, budget - first, key=key)


class Uniform(AbstractDesign):
    """Items at random without replacement, all of the same chance."""

    def __call__(
        self,
        belief: AbstractBelief,
        weights: Float[Array, " item"],
        budget: int,
        *,
        key: PRNGKeyArray,
    ) -> Int[Array, " pick"]:
        order = jax.random.permutation(key, weights.shape[0])
        return _weighted_first(order, weights)[:budget]


def greedy_picks(
    belief: AbstractBelief,
    acquisition: AbstractAcquisition,
    seen: Bool[Array, " item"],
    count: int,
) -> Int[Array, " pick"]:
    """Return the items that an acquisition takes one after the other, without outcomes.

    Every outcome is taken to be what the belief expects at the time.

    Args:
        belief: before the first of them.
        acquisition: its highest score is taken.
        seen: items that may not be taken.
        count: how many; at most as many as are left.
    """

    def step(carry, _):
        belief, seen = carry
        item = best(acquisition(belief, seen))
        expected = belief.mean()[item]
        belief = belief.update(item, expected, jnp.zeros_like(expected))
        return (belief, seen.at[item].set(True)), item

    return jax.lax.scan(step, (belief, seen), length=count)[1]


def systematic_then_greedy(
    belief: AbstractBelief,
    weights: Float[Array, " item"],
    first: int,
    rest: int,
    *,
    key: PRNGKeyArray,
) -> Int[Array, " pick"]:
    """Return a systematic sample, and the greedy choice given it.

    Args:
        belief: before any answer.
        weights: of the items in the mean that is wanted.
        first: items of the systematic part.
        rest: items of the greedy part.
        key: of the systematic part.
    """
    picks = systematic_picks(belief.mean(), weights, first, key=key)
    if rest == 0:
        return picks
    # A Gaussian belief's variances do not look at outcomes; another belief's do, and
    # get what it expects.
    expected = belief.mean()[picks]
    given = belief.condition(picks, expected, jnp.zeros_like(expected))
    seen = jnp.zeros(weights.shape, bool).at[picks].set(True)
    return jnp.concatenate([picks, _reducing(given, weights, seen, rest)])


def _reducing(
    belief: AbstractBelief,
    weights: Float[Array, " item"],
    seen: Bool[Array, " item"],
    count: int,
) -> Int[Array, " pick"]:
    """Return the picks that most reduce the total's variance, the fastest way."""
    if isinstance(belief, LowRankBelief):
        return quadrature(belief, weights, seen, count).item
    return greedy_picks(belief, VarianceReduction(weights), seen, count)


def systematic_picks(
    order_by: Float[Array, " item"],
    weights: Float[Array, " item"],
    budget: int,
    *,
    key: PRNGKeyArray,
) -> Int[Array, " pick"]:
    """Return a systematic sample along a sorted quantity, each item at most once.

    Args:
        order_by: what the items are sorted by; equal ones stand in random order.
        weights: how much of the line each item takes up. An item longer than a step is
            taken once, and the next of the line stands in for the repetition.
        budget: how many.
        key: of the order of ties and the start.
    """
    tie, start = jax.random.split(key)
    count = weights.shape[0]
    order = jnp.argsort(_place(order_by, weights) + jax.random.uniform(tie, (count,)))
    ends = jnp.cumsum(weights[order])
    step = jnp.arange(budget, dtype=weights.dtype)
    at = (jax.random.uniform(start, (), weights.dtype) + step) / budget * ends[-1]
    place = jnp.searchsorted(ends, at, side="right")
    # The n-th pick lies at least n places on, and leaves room for those that follow.
    number = jnp.arange(budget, dtype=place.dtype)
    place = jax.lax.cummax(place - number) + number
    return order[jnp.minimum(place, count - budget + number)]


def _place(
    order_by: Float[Array, " item"], weights: Float[Array, " item"]
) -> Float[Array, " item"]:
    """Return whole numbers in the items' order, the same for equal ones.

    Items without a weight stand behind all others. What depends on no key is done here,
    so that many draws share it and sort by one number alone.
    """
    line = jnp.where(weights > 0, order_by, jnp.inf)
    order = jnp.argsort(line)
    ascent = jnp.diff(line[order], prepend=line[order[:1]]) > 0
    number = jnp.cumsum(ascent.astype(float))
    return jnp.zeros_like(number).at[order].set(number)


def _weighted_first(
    order: Int[Array, " item"], weights: Float[Array, " item"]
) -> Int[Array, " item"]:
    return order[jnp.argsort(weights[order] <= 0, stable=True)]
