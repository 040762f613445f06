"""The generalised partial credit model of ordered categories."""

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


class PartialCredit(AbstractCategoricalModel, AbstractDerived):
    r"""Generalised partial credit model: each category's odds against the one below.

    $$\log \frac{P(Y = k)}{P(Y = k - 1)} = a_i (\theta_j - b_{ik})$$

    A step's difficulty is where its two categories are equally likely; steps need not
    be in order. With two categories it is `TwoPL`.

    Derived: `difficulty`, the mean of the steps, in logits.

    Attributes:
        n_category: at least 2; outcomes are 0 to `n_category` - 1.
        system_parameters: `ability` $\theta$, in logits.
        item_parameters: `discrimination` $a > 0$, held as its logarithm; `step_1`, ...,
            $b$, in logits: one fewer than categories.
        shared_parameters: none.

    References:
        Muraki (1992), A generalized partial credit model, Applied Psychological
        Measurement 16. Masters (1982), A Rasch model for partial credit scoring,
        Psychometrika 47, for equal slopes.
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
        step: AbstractPrior = Normal(0.0, 2.0),
        log_discrimination: AbstractPrior = Normal(0.0, 0.5),
    ):
        """Take the number of categories and the priors, on the unconstrained scale.

        Raises:
            ValueError: if there are not at least two categories.
        """
        check_categories(n_category)
        self.n_category = n_category
        self.system_parameters = (Parameter("ability", ability),)
        self.item_parameters = (
            Parameter("discrimination", log_discrimination, Exp()),
            *(Parameter(f"step_{k}", step) for k in range(1, n_category)),
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
        odds = [jnp.zeros_like(system["ability"])]
        for step in self._steps(item):
            odds.append(odds[-1] + item["discrimination"] * (system["ability"] - step))
        return at_category(odds, outcome) - jax.nn.logsumexp(jnp.stack(odds))

    def derived(self, item: Named, shared: Named) -> Named:
        return {"difficulty": jnp.mean(jnp.stack(self._steps(item)))}

    def _steps(self, item: Named) -> list[Float[Array, ""]]:
        return [item[f"step_{k}"] for k in range(1, self.n_category)]
