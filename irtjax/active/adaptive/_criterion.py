"""Which item to ask next, given how likely every ability is by now."""

import abc
from collections.abc import Mapping
from types import MappingProxyType

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ._nodes import NodeBank


class AbstractCriterion(eqx.Module):
    """Says how much is to be learned from an answer to each item."""

    @abc.abstractmethod
    def __call__(
        self,
        bank: NodeBank,
        weight: Float[Array, " node"],
        estimate: Float[Array, ""],
    ) -> Float[Array, " item"]:
        """Return one number an item, higher is better. Pure.

        Args:
            bank: the items at the abilities.
            weight: how likely each ability is by now.
            estimate: the ability that the scorer reports, in logits; finite.
        """


class PointInformation(AbstractCriterion):
    """Fisher information at the estimate, per squared logit.

    Looks at one ability only, which early in a test may be far from the true one.

    References:
        Lord (1980), *Applications of Item Response Theory to Practical Testing
        Problems*, ch. 10.
    """

    def __call__(
        self,
        bank: NodeBank,
        weight: Float[Array, " node"],
        estimate: Float[Array, ""],
    ) -> Float[Array, " item"]:
        at = lambda row: jnp.interp(estimate, bank.ability, row)  # noqa: E731
        return jax.vmap(at)(bank.information())


class PosteriorInformation(AbstractCriterion):
    """Fisher information, averaged over the abilities that are still possible.

    References:
        van der Linden (1998), Bayesian item selection criteria for adaptive testing,
        Psychometrika 63, on posterior-weighted information.
    """

    def __call__(
        self,
        bank: NodeBank,
        weight: Float[Array, " node"],
        estimate: Float[Array, ""],
    ) -> Float[Array, " item"]:
        return bank.information() @ weight


class PosteriorVariance(AbstractCriterion):
    """How much the ability's variance is expected to fall, in squared logits.

    References:
        van der Linden (1998), Bayesian item selection criteria for adaptive testing,
        Psychometrika 63, on minimum expected posterior variance.
    """

    def __call__(
        self,
        bank: NodeBank,
        weight: Float[Array, " node"],
        estimate: Float[Array, ""],
    ) -> Float[Array, " item"]:
        centred = bank.ability - weight @ bank.ability
        joint = jnp.exp(bank.log_chance) * weight[None, None, :]
        # The variance of the mean to come is what the answer takes off the variance.
        chance, moved = jnp.sum(joint, axis=2), joint @ centred
        tiny = jnp.finfo(chance.dtype).tiny
        return jnp.sum(moved**2 / jnp.maximum(chance, tiny), axis=1)


CRITERIA: Mapping[str, AbstractCriterion] = MappingProxyType(
    {
        "point_information": PointInformation(),
        "posterior_information": PosteriorInformation(),
        "posterior_variance": PosteriorVariance(),
    }
)
"""Criteria by name."""
