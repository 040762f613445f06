"""Logistic models in which the weakest may guess and the strongest may slip."""

from typing import ClassVar

import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses, BinomialResponses

from .._model import AbstractLogitModel, Features
from .._parameter import AbstractPrior, Exp, Interval, Named, Normal, Parameter
from ._priors import LogitBeta


class ThreePL(AbstractLogitModel):
    r"""Three-parameter logistic model: $c_i + (1 - c_i) \sigma(a_i (\theta_j - b_i))$.

    The lower asymptote is weakly identified unless many weak systems ran the item; the
    default prior, worth 22 answers, has mean 0.23.

    Attributes:
        system_parameters: `ability` $\theta$, in logits.
        item_parameters: `difficulty` $b$, in logits; `discrimination` $a > 0$, held as
            its logarithm; `lower` $c$, a probability held as its logit.
        shared_parameters: none.

    References:
        Birnbaum (1968), in Lord & Novick, *Statistical Theories of Mental Test Scores*,
        ch. 17. Swaminathan & Gifford (1986), Bayesian estimation in the three-parameter
        logistic model, Psychometrika 51, for a beta prior on $c$.
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
        lower: AbstractPrior = LogitBeta(5.0, 17.0),
    ):
        """Take the four priors, each on the unconstrained scale."""
        self.system_parameters = (Parameter("ability", ability),)
        self.item_parameters = (
            Parameter("difficulty", difficulty),
            Parameter("discrimination", log_discrimination, Exp()),
            Parameter("lower", lower, Interval(), start=-1.5),
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
        plain = item["discrimination"] * (system["ability"] - item["difficulty"])
        floor, room = _logs(item["lower"])
        return jnp.logaddexp(floor, plain) - room


class FourPL(AbstractLogitModel):
    r"""Four-parameter logistic model: $c_i + (d_i - c_i) \sigma(a_i (\theta_j - b_i))$.

    Both asymptotes are weakly identified unless systems far from the item's difficulty
    ran it. The default priors are worth 22 and 21 answers, with means 0.23 and 0.95.

    Attributes:
        system_parameters: `ability` $\theta$, in logits.
        item_parameters: `difficulty` $b$, in logits; `discrimination` $a > 0$, held as
            its logarithm; `lower` $c$ and `upper` $d$, probabilities held as their
            logits.
        shared_parameters: none.

    References:
        Barton & Lord (1981), *An Upper Asymptote for the Three-Parameter Logistic
        Item-Response Model*, ETS RR-81-20. Loken & Rulison (2010), Estimation of a
        four-parameter item response theory model, British J. Math. Stat. Psychol. 63,
        for beta priors on both.
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
        lower: AbstractPrior = LogitBeta(5.0, 17.0),
        upper: AbstractPrior = LogitBeta(20.0, 1.0),
    ):
        """Take the five priors, each on the unconstrained scale."""
        self.system_parameters = (Parameter("ability", ability),)
        self.item_parameters = (
            Parameter("difficulty", difficulty),
            Parameter("discrimination", log_discrimination, Exp()),
            Parameter("lower", lower, Interval(), start=-1.5),
            Parameter("upper", upper, Interval(), start=3.0),
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
        plain = item["discrimination"] * (system["ability"] - item["difficulty"])
        floor, room = _logs(item["lower"])
        ceiling, slip = _logs(item["upper"])
        return jnp.logaddexp(floor, ceiling + plain) - jnp.logaddexp(room, slip + plain)


def _logs(share: Float[Array, ""]) -> tuple[Float[Array, ""], Float[Array, ""]]:
    """Return the logarithms of a share and of the rest, finite where it rounds to 0."""
    least = jnp.finfo(share.dtype).tiny
    return jnp.log(jnp.maximum(share, least)), jnp.log(jnp.maximum(1 - share, least))
