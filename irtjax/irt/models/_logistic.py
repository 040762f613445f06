"""Logistic models of right and wrong answers with one ability a system."""

from typing import ClassVar

import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses, BinomialResponses

from .._model import AbstractLinearModel, Features
from .._parameter import AbstractPrior, Exp, Named, Normal, Parameter


class TwoPL(AbstractLinearModel):
    r"""Two-parameter logistic model: log-odds $a_i (\theta_j - b_i)$.

    Attributes:
        system_parameters: `ability` $\theta$, in logits.
        item_parameters: `difficulty` $b$, in logits, and `discrimination` $a > 0$, held
            as its logarithm.
        shared_parameters: none.

    References:
        Birnbaum (1968), in Lord & Novick, *Statistical Theories of Mental Test Scores*,
        ch. 17. Default priors: Kang (2026), arXiv:2605.11205.
    """

    response: ClassVar[type[AbstractResponses]] = BinomialResponses
    system_parameters: tuple[Parameter, ...]
    item_parameters: tuple[Parameter, ...]
    shared_parameters: tuple[Parameter, ...]

    def __init__(
        self,
        ability: AbstractPrior = Normal(0.0, 1.0),
        difficulty: AbstractPrior = Normal(0.0, 2.0),
        log_discrimination: AbstractPrior = Normal(0.0, 0.5),
    ):
        """Take the three priors, each on the unconstrained scale."""
        self.system_parameters = (Parameter("ability", ability),)
        self.item_parameters = (
            Parameter("difficulty", difficulty),
            Parameter("discrimination", log_discrimination, Exp()),
        )
        self.shared_parameters = ()

    def coefficients(
        self, item: Named, shared: Named, item_features: Features
    ) -> Float[Array, " k"]:
        slope = item["discrimination"]
        return jnp.stack([-slope * item["difficulty"], slope])


class OnePL(AbstractLinearModel):
    r"""One-parameter logistic model with one slope for all items: $a (\theta_j - b_i)$.

    Attributes:
        system_parameters: `ability` $\theta$, in logits.
        item_parameters: `difficulty` $b$, in logits.
        shared_parameters: `discrimination` $a > 0$, held as its logarithm.

    References:
        Rasch (1960), *Probabilistic Models for Some Intelligence and Attainment Tests*,
        with the common slope free because the abilities' spread is fixed by their
        prior.
    """

    response: ClassVar[type[AbstractResponses]] = BinomialResponses
    system_parameters: tuple[Parameter, ...]
    item_parameters: tuple[Parameter, ...]
    shared_parameters: tuple[Parameter, ...]

    def __init__(
        self,
        ability: AbstractPrior = Normal(0.0, 1.0),
        difficulty: AbstractPrior = Normal(0.0, 2.0),
        log_discrimination: AbstractPrior = Normal(0.0, 0.5),
    ):
        """Take the three priors, each on the unconstrained scale."""
        self.system_parameters = (Parameter("ability", ability),)
        self.item_parameters = (Parameter("difficulty", difficulty),)
        self.shared_parameters = (
            Parameter("discrimination", log_discrimination, Exp()),
        )

    def coefficients(
        self, item: Named, shared: Named, item_features: Features
    ) -> Float[Array, " k"]:
        slope = shared["discrimination"]
        return jnp.stack([-slope * item["difficulty"], slope])
