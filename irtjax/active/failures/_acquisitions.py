"""What makes an item worth asking when failures are what is looked for."""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, ScalarLike

from irtjax.active import AbstractAcquisition, AbstractBelief

NOVEL = 0.5
"""An item is novel ground where the sources' mean error is at most this."""


def failure_worth(
    source_error: Float[Array, " item"], trade: ScalarLike
) -> Float[Array, " item"]:
    """Return what a failure on each item is worth.

    A failure on an item that most sources get right is worth 1; one on an item that
    most of them fail, and that says little new, is worth `1 - trade`.

    Args:
        source_error: the sources' mean error on each item.
        trade: 0 counts all failures alike, 1 counts novel ones alone.
    """
    trade = jnp.asarray(trade, source_error.dtype)
    return jnp.where(source_error <= NOVEL, 1, 1 - trade)


class WorthOfFailure(AbstractAcquisition):
    """The expected worth of what an answer would show: its error times its worth.

    Attributes:
        worth: of a failure on each item, such as `failure_worth` gives.
    """

    worth: Float[Array, " item"]

    def __call__(
        self, belief: AbstractBelief, seen: Bool[Array, " item"]
    ) -> Float[Array, " item"]:
        # A Gaussian belief may expect a little less than no error.
        expected = jnp.maximum(belief.mean(), 0)
        # Among items of no worth, the likeliest failure first.
        return jnp.where(seen, -jnp.inf, self.worth * expected + 1e-6 * expected)


class FollowingSuperlevel(AbstractAcquisition):
    r"""The least known of the items that may be among the worst of those still open.

    A superlevel set whose level follows the data: with $r$ picks left it is the $r$-th
    largest expected error among the items that were not asked, so that the set would
    hold just as many items as can still be asked if nothing were in doubt. An item is
    in it where $\mu_i + \beta \sqrt{K_{ii}}$ reaches the level; among those the score is
    the variance.

    Attributes:
        budget: how many items will be asked in all.
        beta: how many standard deviations of doubt count in an item's favour.
    """

    budget: int = eqx.field(static=True)
    beta: Float[Array, ""]

    def __init__(self, budget: int, beta: ScalarLike = 1.96):
        """Store the settings."""
        self.budget = budget
        self.beta = jnp.asarray(beta, float)

    def __call__(
        self, belief: AbstractBelief, seen: Bool[Array, " item"]
    ) -> Float[Array, " item"]:
        mean, variance = belief.mean(), belief.variance()
        left = jnp.clip(self.budget - jnp.sum(seen), 1, mean.shape[0])
        ordered = jnp.sort(jnp.where(seen, -jnp.inf, mean), descending=True)
        upper = mean + self.beta.astype(mean.dtype) * jnp.sqrt(variance)
        short = upper - ordered[left - 1]
        score = jnp.where(short >= 0, variance, jnp.minimum(short, 0) - 1)
        return jnp.where(seen, -jnp.inf, score)
