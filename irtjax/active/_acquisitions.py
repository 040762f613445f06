"""Acquisitions: what makes an item worth asking next."""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, ScalarLike

from ._ability import AbilityBelief
from ._acquisition import AbstractAcquisition
from ._belief import AbstractBelief


class VarianceReduction(AbstractAcquisition):
    r"""By how much the variance of the weighted mean error falls if an item is run.

    For a Gaussian belief $(w^\top K_{\cdot i})^2 / (K_{ii} + \sigma_i^2)$, in squared
    errors. An item without weight scores -1: it comes after all others.

    Attributes:
        weights: of the items in the mean.
    """

    weights: Float[Array, " item"]

    def __init__(self, weights: Float[Array, " item"]):
        """Store the weights of the mean, which must be finite and sum to 1."""
        self.weights = eqx.error_if(
            weights,
            ~(jnp.abs(jnp.sum(weights) - 1) < 1e-4),
            "`weights` must be finite and sum to 1.",
        )

    def __call__(
        self, belief: AbstractBelief, seen: Bool[Array, " item"]
    ) -> Float[Array, " item"]:
        gain = jnp.where(self.weights > 0, belief.gain(self.weights), -1)
        return jnp.where(seen, -jnp.inf, gain)


class SuperlevelSet(AbstractAcquisition):
    r"""The least known of the items that may err more than a level.

    An item may where $\mu_i + \beta \sqrt{K_{ii}}$ reaches the level; among those the
    score is the variance. The others come after all of them, by how close they get.

    Attributes:
        level: an error, from 0 to 1.
        beta: how many standard deviations of doubt count in an item's favour.
    """

    level: Float[Array, ""]
    beta: Float[Array, ""]

    def __init__(self, level: ScalarLike = 0.5, beta: ScalarLike = 1.96):
        """Store the settings."""
        self.level, self.beta = jnp.asarray(level, float), jnp.asarray(beta, float)

    def __call__(
        self, belief: AbstractBelief, seen: Bool[Array, " item"]
    ) -> Float[Array, " item"]:
        variance = belief.variance()
        upper = belief.mean() + self.beta * jnp.sqrt(variance)
        short = upper - self.level
        return jnp.where(
            seen, -jnp.inf, jnp.where(short >= 0, variance, jnp.minimum(short, 0) - 1)
        )


class UpperConfidence(AbstractAcquisition):
    r"""The highest error that is still credible, $\mu_i + \beta \sqrt{K_{ii}}$.

    Attributes:
        beta: how many standard deviations; 0 takes the highest expected error.
    """

    beta: Float[Array, ""]

    def __init__(self, beta: ScalarLike = 1.96):
        """Store the setting."""
        self.beta = jnp.asarray(beta, float)

    def __call__(
        self, belief: AbstractBelief, seen: Bool[Array, " item"]
    ) -> Float[Array, " item"]:
        upper = belief.mean() + self.beta * jnp.sqrt(belief.variance())
        return jnp.where(seen, -jnp.inf, upper)


class PriorMean(AbstractAcquisition):
    """A fixed score: what the sources' mean error says, whatever the answers.

    Attributes:
        error: the sources' mean error on each item.
    """

    error: Float[Array, " item"]

    def __call__(
        self, belief: AbstractBelief, seen: Bool[Array, " item"]
    ) -> Float[Array, " item"]:
        return jnp.where(seen, -jnp.inf, self.error)


class FisherInformation(AbstractAcquisition):
    r"""Fisher's information on the ability at its present estimate, in 1/logits squared.

    $P'(\hat\theta)^2 / (P (1 - P))$ at the posterior mean: adaptive testing's classic.
    Takes a belief about an ability alone.

    References:
        Lord (1980), *Applications of Item Response Theory to Practical Testing
        Problems*, ch. 5.
    """

    def __call__(
        self, belief: AbstractBelief, seen: Bool[Array, " item"]
    ) -> Float[Array, " item"]:
        return jnp.where(seen, -jnp.inf, _ability(belief).information())


class ExpectedInformation(AbstractAcquisition):
    """The same, averaged over what is still believed of the ability.

    References:
        van der Linden (1998), Bayesian item selection criteria for adaptive testing,
        Psychometrika 63, equation 10 (posterior-weighted information).
    """

    def __call__(
        self, belief: AbstractBelief, seen: Bool[Array, " item"]
    ) -> Float[Array, " item"]:
        return jnp.where(seen, -jnp.inf, _ability(belief).expected_information())


def _ability(belief: AbstractBelief) -> AbilityBelief:
    if not isinstance(belief, AbilityBelief):
        raise ValueError(
            "Information on an ability needs a belief about one (AbilityBelief), got "
            f"{type(belief).__name__}."
        )
    return belief


def best(score: Float[Array, " item"], tolerance: ScalarLike = 1e-9) -> Int[Array, ""]:
    """Return the item of the highest score; the first of several within a tolerance.

    Args:
        score: higher is better.
        tolerance: scores so close to the highest, as a share of it, count as equal, so
            that rounding does not choose among identical items.
    """
    top = jnp.max(score)
    slack = jnp.where(jnp.isfinite(top), jnp.abs(top) * tolerance, 0)
    # The least of several numbers: on processors many times as fast as an argmax.
    number = jnp.arange(score.shape[0])
    return jnp.min(jnp.where(score >= top - slack, number, score.shape[0] - 1))
