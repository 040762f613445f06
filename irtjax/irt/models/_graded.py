"""The graded response model of ordered categories."""

from typing import ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses, CategoricalResponses

from .._model import Features
from .._parameter import AbstractPrior, Exp, Named, Normal, Parameter
from .._traits import AbstractCategoricalModel, AbstractDerived
from ._categories import at_category, check_categories


class GradedResponse(AbstractCategoricalModel, AbstractDerived):
    r"""Graded response model: $P(Y \geq k) = \sigma(a_i (\theta_j - b_{ik}))$.

    The thresholds $b_{i1} < b_{i2} < \dots$ are held as their mean and the logarithms
    of the gaps between neighbours, so they are in order whatever the parameters. With
    two categories it is `TwoPL`. A category that nobody gave is no error: its gap comes
    from the prior.

    Derived: `threshold_1`, ..., in logits; `intercept_1`, ..., $-a_i b_{ik}$.

    Attributes:
        n_category: at least 2; outcomes are 0 to `n_category` - 1.
        system_parameters: `ability` $\theta$, in logits.
        item_parameters: `difficulty`, the mean threshold, in logits; `discrimination`
            $a > 0$, held as its logarithm; `gap_1`, ..., in logits, positive and held as
            their logarithms: one fewer than thresholds.
        shared_parameters: none.

    References:
        Samejima (1969), *Estimation of Latent Ability Using a Response Pattern of
        Graded Scores*, Psychometric Monograph 17.
    """

    response: ClassVar[type[AbstractResponses]] = CategoricalResponses
    n_category: int = eqx.field(static=True)
    system_parameters: tuple[Parameter, ...]
    item_parameters: tuple[Parameter, ...]
    shared_parameters: tuple[Parameter, ...]

    def __init__(
        self,
        n_category: int,
        ability: AbstractPrior = Normal(0.0, 1.0),
        difficulty: AbstractPrior = Normal(0.0, 2.0),
        log_discrimination: AbstractPrior = Normal(0.0, 0.5),
        log_gap: AbstractPrior = Normal(0.0, 1.0),
    ):
        """Take the number of categories and the priors, on the unconstrained scale.

        Raises:
            ValueError: if there are not at least two categories.
        """
        check_categories(n_category)
        self.n_category = n_category
        self.system_parameters = (Parameter("ability", ability),)
        self.item_parameters = (
            Parameter("difficulty", difficulty),
            Parameter("discrimination", log_discrimination, Exp()),
            *(Parameter(f"gap_{k}", log_gap, Exp()) for k in range(1, n_category - 1)),
        )
        self.shared_parameters = ()

    def log_prob(
        self,
        outcome: Float[Array, ""],
        system: Named,
        item: Named,
        shared: Named,
        system_features: Features,
        item_features: Features,
    ) -> Float[Array, ""]:
        slope, ability = item["discrimination"], system["ability"]
        thresholds, gaps = self._thresholds(item)
        last = self.n_category - 1
        reached = slope * (ability - at_category(thresholds, outcome - 1))
        passed = slope * (ability - at_category(thresholds, outcome))
        zero = jnp.zeros_like(reached)
        value = jnp.where(outcome > 0.5, jax.nn.log_sigmoid(reached), zero)
        value = value + jnp.where(
            outcome < last - 0.5, jax.nn.log_sigmoid(-passed), zero
        )
        if not gaps:
            return value
        # The difference of two logistic functions is their product so far times this.
        inside = (outcome > 0.5) & (outcome < last - 0.5)
        gap = slope * jnp.where(inside, at_category(gaps, outcome - 1), 1)
        gap = jnp.maximum(gap, jnp.finfo(gap.dtype).tiny)
        return value + jnp.where(inside, jnp.log(-jnp.expm1(-gap)), zero)

    def derived(self, item: Named, shared: Named) -> Named:
        thresholds, _ = self._thresholds(item)
        slope = item["discrimination"]
        return {f"threshold_{k + 1}": b for k, b in enumerate(thresholds)} | {
            f"intercept_{k + 1}": -slope * b for k, b in enumerate(thresholds)
        }

    def _thresholds(
        self, item: Named
    ) -> tuple[list[Float[Array, ""]], list[Float[Array, ""]]]:
        """Return the thresholds, increasing, and the gaps between them."""
        gaps = [item[f"gap_{k}"] for k in range(1, self.n_category - 1)]
        above = [jnp.zeros_like(item["difficulty"])]
        for gap in gaps:
            above.append(above[-1] + gap)
        lowest = item["difficulty"] - sum(above[1:], above[0]) / len(above)
        return [lowest + step for step in above], gaps
