"""The belief that one ability decides all errors, on a fitted response model's items."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from ._belief import AbstractBelief, Total


class AbilityBelief(AbstractBelief):
    r"""A posterior over one ability $\theta$ on a grid; items are independent given it.

    An answer that counts only in part (a fractional error, a noisy verdict) enters as a
    weighted Bernoulli term: the weight of an outcome with noise variance $n$ is
    $\bar p (1 - \bar p) / (\bar p (1 - \bar p) + n)$ at the present mean.

    Attributes:
        node: abilities, in logits, ascending and evenly apart.
        error: the chance of an error of each item at each node.
        slope: the derivative of `error` by the ability.
        log_density: of the ability at the nodes, up to a constant.
        outcome: the answers' weighted mean errors.
        known: how much of each item its answers have settled, from 0 to 1.
    """

    node: Float[Array, " node"]
    error: Float[Array, "item node"]
    slope: Float[Array, "item node"]
    log_density: Float[Array, " node"]
    outcome: Float[Array, " item"]
    known: Float[Array, " item"]

    def __init__(
        self,
        node: Float[Array, " node"],
        error: Float[Array, "item node"],
        slope: Float[Array, "item node"],
    ):
        """Return the belief before any answer, the ability standard normal.

        Args:
            node: abilities, in logits, ascending and evenly apart.
            error: the chance of an error, strictly between 0 and 1.
            slope: its derivative by the ability.
        """
        self.node, self.error, self.slope = node, error, slope
        self.log_density = -jnp.square(node) / 2
        self.outcome = jnp.zeros(error.shape[0], error.dtype)
        self.known = jnp.zeros(error.shape[0], error.dtype)

    def density(self) -> Float[Array, " node"]:
        """Return the ability's chances at the nodes; they sum to 1."""
        return jax.nn.softmax(self.log_density)

    def ability(self) -> Total:
        """Return mean and variance of the ability, in logits and squared logits."""
        chance = self.density()
        mean = chance @ self.node
        return Total(mean, chance @ jnp.square(self.node - mean))

    def mean(self) -> Float[Array, " item"]:
        return (1 - self.known) * (self.error @ self.density()) + (
            self.known * self.outcome
        )

    def variance(self) -> Float[Array, " item"]:
        expected = self.error @ self.density()
        return (1 - self.known) * expected * (1 - expected)

    def total(self, weights: Float[Array, " item"]) -> Total:
        chance = self.density()
        left = weights * (1 - self.known)
        curve = left @ self.error
        mean = chance @ curve
        within = (jnp.square(weights) * (1 - self.known)) @ (
            (self.error * (1 - self.error)) @ chance
        )
        return Total(
            mean + (weights * self.known) @ self.outcome,
            chance @ jnp.square(curve - mean) + within,
        )

    def gain(self, weights: Float[Array, " item"]) -> Float[Array, " item"]:
        chance = self.density()
        left = weights * (1 - self.known)
        curve = left @ self.error
        centred = curve - chance @ curve
        wrong = self.error @ chance
        shared = self.error @ (chance * centred)
        own = weights * ((self.error * (1 - self.error)) @ chance)
        # The variance, over the answer, of what it makes the total's mean.
        return (1 - self.known) * jnp.square(shared + own) / (wrong * (1 - wrong))

    def update(
        self,
        item: Int[Array, ""],
        outcome: Float[Array, ""],
        noise: Float[Array, ""],
    ) -> "AbilityBelief":
        return self.condition(item[None], outcome[None], noise[None])

    def condition(
        self,
        items: Int[Array, " pick"],
        outcomes: Float[Array, " pick"],
        noise: Float[Array, " pick"],
    ) -> "AbilityBelief":
        error = self.error[items]
        expected = error @ self.density()
        spread = expected * (1 - expected)
        weight = spread / (spread + noise)
        terms = outcomes[:, None] * jnp.log(error) + (1 - outcomes[:, None]) * (
            jnp.log1p(-error)
        )
        before = self.known[items]
        # Repeated verdicts add their precisions: known = p / (1 + p).
        odds = before / jnp.maximum(1 - before, jnp.finfo(error.dtype).tiny)
        added = spread / jnp.maximum(noise, jnp.finfo(error.dtype).tiny)
        share = jnp.where(noise > 0, added / (odds + added), 1.0)
        after = jnp.where(noise > 0, (odds + added) / (1 + odds + added), 1.0)
        place = jnp.where(jnp.isinf(noise), self.outcome.shape[0], items)
        return eqx.tree_at(
            lambda b: (b.log_density, b.outcome, b.known),
            self,
            (
                self.log_density + weight @ terms,
                self.outcome.at[place].set(
                    share * outcomes + (1 - share) * self.outcome[items], mode="drop"
                ),
                self.known.at[place].set(after, mode="drop"),
            ),
        )

    def information(self) -> Float[Array, " item"]:
        """Return Fisher's information of each item at the mean ability, 1/logits^2."""
        at = self.ability().mean
        step = self.node[1] - self.node[0]
        place = jnp.clip((at - self.node[0]) / step, 0, self.node.shape[0] - 1.001)
        low = place.astype(int)
        part = place - low.astype(place.dtype)
        curve = _information(self.error, self.slope)
        return (1 - part) * curve[:, low] + part * curve[:, low + 1]

    def expected_information(self) -> Float[Array, " item"]:
        """Return Fisher's information averaged over the ability's posterior."""
        return _information(self.error, self.slope) @ self.density()


def _information(
    error: Float[Array, "item node"], slope: Float[Array, "item node"]
) -> Float[Array, "item node"]:
    return jnp.square(slope) / (error * (1 - error))
