"""Logistic models of right and wrong answers with one ability a system."""

from typing import ClassVar

from jaxtyping import Array, Float

from irtjax.data import AbstractResponses, BinomialResponses

from .._model import AbstractLogitModel, Features
from .._parameter import AbstractPrior, Exp, Named, Normal, Parameter


class TwoPL(AbstractLogitModel):
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

    def logit(
        self,
        system: Named,
        item: Named,
        shared: Named,
        system_features: Features,
        item_features: Features,
    ) -> Float[Array, ""]:
        return item["discrimination"] * (system["ability"] - item["difficulty"])


class OnePL(AbstractLogitModel):
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

    def logit(
        self,
        system: Named,
        item: Named,
        shared: Named,
        system_features: Features,
        item_features: Features,
    ) -> Float[Array, ""]:
        return shared["discrimination"] * (system["ability"] - item["difficulty"])
