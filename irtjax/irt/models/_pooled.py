"""The two-parameter logistic model whose slopes are pooled around a common one."""

from typing import ClassVar

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses, BinomialResponses

from .._model import AbstractLinearModel, Estimate, Features
from .._parameter import AbstractPrior, Exp, Named, Normal, Parameter
from .._traits import AbstractDerived, AbstractScored, AbstractStart


class PooledTwoPL(AbstractLinearModel, AbstractDerived, AbstractScored, AbstractStart):
    r"""Two-parameter logistic model: log-odds $a r_i (\theta_j - b_i)$.

    The common slope $a$ is as free as that of `OnePL`, and an item's slope is that times
    a ratio $r_i$ near 1. So few answers leave a 1PL, and many let the items differ:
    `TwoPL` pulls every slope towards 1 instead, which on small tables of one answer a
    cell costs more than the freedom is worth. The default prior of difficulties is
    wide, so that the table and not the prior sets how far items are spread.

    Derived: `discrimination` $a_i = a r_i$, per logit. Systems are compared by their
    score $a \theta_j$, in log-odds on an item of the common slope: data that leave open
    how far abilities are spread still say how far apart those are.

    Attributes:
        system_parameters: `ability` $\theta$, in logits.
        item_parameters: `difficulty` $b$, in logits, and `relative_slope` $r > 0$, held
            as its logarithm.
        shared_parameters: `common_slope` $a > 0$, held as its logarithm.

    References:
        Birnbaum (1968), in Lord & Novick, *Statistical Theories of Mental Test Scores*,
        ch. 17. Gelman & Hill (2007), *Data Analysis Using Regression and
        Multilevel/Hierarchical Models*, ch. 14.3, for the pooling.
    """

    response: ClassVar[type[AbstractResponses]] = BinomialResponses
    system_parameters: tuple[Parameter, ...]
    item_parameters: tuple[Parameter, ...]
    shared_parameters: tuple[Parameter, ...]

    def __init__(
        self,
        ability: AbstractPrior = Normal(0.0, 1.0),
        difficulty: AbstractPrior = Normal(0.0, 4.0),
        log_relative_slope: AbstractPrior = Normal(0.0, 0.3),
        log_common_slope: AbstractPrior = Normal(0.0, 1.0),
    ):
        """Take the four priors, each on the unconstrained scale."""
        self.system_parameters = (Parameter("ability", ability),)
        self.item_parameters = (
            Parameter("difficulty", difficulty),
            Parameter("relative_slope", log_relative_slope, Exp()),
        )
        self.shared_parameters = (Parameter("common_slope", log_common_slope, Exp()),)

    def coefficients(
        self, item: Named, shared: Named, item_features: Features
    ) -> Float[Array, " k"]:
        slope = shared["common_slope"] * item["relative_slope"]
        return jnp.stack([-slope * item["difficulty"], slope])

    def start(self, responses: AbstractResponses) -> Estimate:
        """Return additive log-odds, at about the stretch that the mode will have.

        Among points of one likelihood the priors prefer abilities drawn in by a factor
        $e^{-u}$ and a slope $e^u$, where $u = e^{-2u} S$ with $S$ the squares that the
        default priors count at slope 1: the more systems, the farther from 1, and the
        longer the way from there. Other priors have the mode elsewhere; that costs
        steps, no more.
        """
        right, number = responses.totals()
        whole = _log_odds(jnp.sum(right), jnp.sum(number))
        ability = _log_odds(jnp.sum(right, axis=1), jnp.sum(number, axis=1)) - whole
        difficulty = whole - _log_odds(jnp.sum(right, axis=0), jnp.sum(number, axis=0))
        square = jnp.sum(ability**2) + jnp.sum((difficulty / 4) ** 2)

        def closer(_, u: Float[Array, ""]) -> Float[Array, ""]:
            # Newton's step for log u + 2 u = log S, concave, so never beyond the root.
            step = (jnp.log(u) + 2 * u - jnp.log(square + 1e-6)) / (1 / u + 2)
            return jnp.maximum(u - step, u / 10)

        u = jax.lax.fori_loop(0, 20, closer, jnp.full_like(square, 0.1))
        drawn = jnp.exp(-u)
        return Estimate(
            (drawn * ability)[:, None],
            jnp.stack([drawn * (difficulty - whole), jnp.zeros_like(difficulty)], -1),
            u[None],
        )

    def score(self, system: Named, shared: Named) -> Float[Array, ""]:
        return shared["common_slope"] * system["ability"]

    def derived(self, item: Named, shared: Named) -> Named:
        return {"discrimination": shared["common_slope"] * item["relative_slope"]}


def _log_odds(
    right: Float[Array, "*row"], number: Float[Array, "*row"]
) -> Float[Array, "*row"]:
    """Return log-odds of a share, half an answer added to either side."""
    return jnp.log((right + 0.5) / (number - right + 0.5))
