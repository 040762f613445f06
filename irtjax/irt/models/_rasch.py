"""The Rasch model: equal slopes, and abilities whose spread is estimated."""

from typing import ClassVar

import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses, BinomialResponses

from .._model import AbstractLinearModel, Features
from .._parameter import AbstractPrior, Exp, Named, Normal, Parameter
from ._priors import SpreadNormal


class Rasch(AbstractLinearModel):
    r"""Rasch model: log-odds $\theta_j - b_i$, with $\theta_j \sim N(0, \sigma^2)$.

    Meant for estimators that integrate over abilities. A mode of abilities and spread
    together does not exist: the density grows without limit as all abilities and
    $\sigma$ go to 0, and `JointMAP` then ends wherever the prior on $\sigma$ stops it.
    `OnePL` is the same model with the spread written as a common slope, and has a joint
    mode.

    Attributes:
        system_parameters: `ability` $\theta$, in logits.
        item_parameters: `difficulty` $b$, in logits.
        shared_parameters: `ability_sd` $\sigma > 0$, in logits, held as its logarithm.

    References:
        Rasch (1960), *Probabilistic Models for Some Intelligence and Attainment Tests*.
        Thissen (1982), Marginal maximum likelihood estimation for the one-parameter
        logistic model, Psychometrika 47.
    """

    response: ClassVar[type[AbstractResponses]] = BinomialResponses
    system_parameters: tuple[Parameter, ...]
    item_parameters: tuple[Parameter, ...]
    shared_parameters: tuple[Parameter, ...]

    def __init__(
        self,
        difficulty: AbstractPrior = Normal(0.0, 2.0),
        log_ability_sd: AbstractPrior = Normal(0.0, 0.5),
    ):
        """Take the priors, each on the unconstrained scale."""
        self.system_parameters = (Parameter("ability", SpreadNormal("ability_sd")),)
        self.item_parameters = (Parameter("difficulty", difficulty),)
        self.shared_parameters = (Parameter("ability_sd", log_ability_sd, Exp()),)

    def coefficients(
        self, item: Named, shared: Named, item_features: Features
    ) -> Float[Array, " k"]:
        return jnp.stack([-item["difficulty"], jnp.ones_like(item["difficulty"])])
