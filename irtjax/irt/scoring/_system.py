"""One system's likelihood and prior while the items stand still."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from irtjax.data import ScoreResponses

from .._model import AbstractResponseModel, Features
from .._parameter import constrain

Scalar = Float[Array, ""]

# So far out that every item's answer is settled, whatever its slope.
FAR = 4096.0


class Extremes(eqx.Module):
    """What the pattern of answers says before any search.

    Attributes:
        empty: there is no observation.
        lowest: there are some, and each is the lowest that its item has.
        highest: likewise.
    """

    empty: Bool[Array, ""]
    lowest: Bool[Array, ""]
    highest: Bool[Array, ""]


class SystemPosterior(eqx.Module):
    """A model with fixed items, and one system's answers.

    Attributes:
        model: the response model.
        outcome: what the terms of a cell count; one row for all items or one each.
        weight: how often each was seen; all 0 where the system did not run the item.
        item: the items' parameters, unconstrained.
        shared: those of all cells.
        features: what is known of the system; empty where nothing is.
        item_features: one row an item.
    """

    model: AbstractResponseModel
    outcome: Float[Array, "#item term"]
    weight: Float[Array, "item term"]
    item: Float[Array, "item q"]
    shared: Float[Array, " s"]
    features: Features
    item_features: Float[Array, "item g"]

    def log_probs(self, ability: Float[Array, " p"]) -> Float[Array, "item term"]:
        """Return the log-probability of each outcome on each item, in nats."""
        system = constrain(self.model.system_parameters, ability)
        shared = constrain(self.model.shared_parameters, self.shared)

        def one(item: Float[Array, " q"], features: Features, outcome: Scalar):
            return self.model.log_prob(
                outcome,
                system,
                constrain(self.model.item_parameters, item),
                shared,
                self.features,
                features,
            )

        over_terms = jax.vmap(one, (None, None, 0))
        outcome = jnp.broadcast_to(self.outcome, self.weight.shape)
        return jax.vmap(over_terms)(self.item, self.item_features, outcome)

    def log_likelihood(self, ability: Float[Array, " p"]) -> Scalar:
        """Return the log-likelihood in nats, 0 without data."""
        return jnp.sum(self.weight * self.log_probs(ability))

    def log_prior(self, ability: Float[Array, " p"]) -> Scalar:
        """Return the log-density of the system's prior, in nats."""
        shared = constrain(self.model.shared_parameters, self.shared)
        terms = [
            parameter.prior.log_prob(ability[k], shared, self.features)
            for k, parameter in enumerate(self.model.system_parameters)
        ]
        return jnp.sum(jnp.stack(terms))

    def information(self, ability: Scalar) -> tuple[Scalar, Scalar]:
        r"""Return the expected information and Warm's $J$, for one ability.

        With $P_k$ the probability of outcome $k$, $I = \sum n_i \sum_k P_k'^2 / P_k$
        and $J = \sum n_i \sum_k P_k' P_k'' / P_k$, in terms of log-probabilities, where
        no quotient is left that underflows.
        """

        def log_probs(x: Scalar) -> Float[Array, "item term"]:
            return self.log_probs(x[None])

        def slopes(x: Scalar) -> Float[Array, "item term"]:
            return jax.jvp(log_probs, (x,), (jnp.ones_like(x),))[1]

        first, second = jax.jvp(slopes, (ability,), (jnp.ones_like(ability),))
        often = jnp.sum(self.weight, axis=1)[:, None] * jnp.exp(log_probs(ability))
        bend = second + first**2
        return jnp.sum(often * first**2), jnp.sum(often * first * bend)

    def extremes(self) -> Extremes:
        """Return whether there is data and whether all of it lies at one end.

        An item's highest answer is the one that becomes certain as the first of the
        system's parameters grows.
        """
        total = jnp.sum(self.weight)
        if self.model.response is ScoreResponses:
            seen = self.weight > 0
            outcome = jnp.broadcast_to(self.outcome, self.weight.shape)
            lowest = jnp.all(~seen | (outcome <= 0))
            highest = jnp.all(~seen | (outcome >= 1))
        else:
            ends = jnp.asarray([-FAR, FAR], self.weight.dtype)
            lowest, highest = jax.vmap(self._all_at)(ends)
        some = total > 0
        return Extremes(~some, some & lowest & ~highest, some & highest & ~lowest)

    def _all_at(self, end: Scalar) -> Bool[Array, ""]:
        """Return whether every answer is the one that is sure at one end."""
        p = len(self.model.system_parameters)
        far = jnp.zeros(p, self.weight.dtype).at[0].set(end)
        sure = jnp.argmax(self.log_probs(far), axis=1)
        others = jnp.arange(self.weight.shape[1])[None, :] != sure[:, None]
        return jnp.all(~others | (self.weight == 0))
