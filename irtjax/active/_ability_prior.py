"""A prior about one ability, on items fitted from what the sources got wrong."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import BinomialResponses
from irtjax.irt import AbstractEstimator, JointMAP, TwoPL, fit, named

from ._ability import AbilityBelief
from ._belief import AbstractPrior
from ._sources import SourceErrors


class FittedAbility(AbstractPrior):
    """The belief of a two-parameter logistic model, fitted to the sources.

    Attributes:
        estimator: of the items' difficulties and discriminations.
        nodes: of the grid that the ability's posterior lives on.
        reach: of the grid, in logits to either side of 0.
    """

    estimator: AbstractEstimator = JointMAP()
    nodes: int = eqx.field(static=True, default=61)
    reach: float = eqx.field(static=True, default=5.0)

    def __call__(self, sources: SourceErrors) -> AbilityBelief:
        seen = sources.observed.astype(sources.error.dtype)
        success = jnp.where(sources.observed, 1 - sources.error, 0)
        model = TwoPL()
        fitted = fit(
            model, BinomialResponses(success.T, seen.T), estimator=self.estimator
        )
        items = named(model, fitted.value).item
        node = jnp.linspace(-self.reach, self.reach, self.nodes, dtype=seen.dtype)
        return ability_belief(items["discrimination"], items["difficulty"], node)


def ability_belief(
    discrimination: Float[Array, " item"],
    difficulty: Float[Array, " item"],
    node: Float[Array, " node"],
) -> AbilityBelief:
    """Return the belief on known items before any answer, the ability standard normal.

    Args:
        discrimination: slopes, in 1/logits.
        difficulty: in logits.
        node: abilities, in logits, ascending and evenly apart.
    """
    logit = discrimination[:, None] * (node[None, :] - difficulty[:, None])
    error = jax.nn.sigmoid(-logit)
    # Away from 0 and 1, where a logarithm would be infinite in 32 bits.
    tiny = jnp.finfo(error.dtype).eps
    error = jnp.clip(error, tiny, 1 - tiny)
    return AbilityBelief(node, error, -discrimination[:, None] * error * (1 - error))
