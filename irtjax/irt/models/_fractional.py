"""Scores in [0, 1] as shares of a success."""

from typing import ClassVar

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from irtjax.data import AbstractResponses, ScoreResponses

from .._model import AbstractLinearModel, Features
from .._parameter import AbstractPrior, Exp, Named, Normal, Parameter
from .._traits import AbstractSampled


class FractionalBernoulli(AbstractLinearModel, AbstractSampled):
    r"""The 2PL's likelihood on scores: $s \log P + (1 - s) \log(1 - P)$.

    A quasi-likelihood: only the mean $P = \sigma(a_i (\theta_j - b_i))$ is modelled, so
    estimates are right for scores of any distribution with that mean, exactly 0 and 1
    among them. Errors by `Fisher` are those of single right or wrong answers, too wide
    for scores that scatter less: use `Sandwich`, or weight scores by `effective_trials`.
    Draws are 0 or 1, the one case in which the likelihood is exact.

    Attributes:
        system_parameters: `ability` $\theta$, in logits.
        item_parameters: `difficulty` $b$, in logits, and `discrimination` $a > 0$, held
            as its logarithm.
        shared_parameters: none.

    References:
        Papke & Wooldridge (1996), Econometric methods for fractional response variables,
        J. Applied Econometrics 11, section 2.
    """

    response: ClassVar[type[AbstractResponses]] = ScoreResponses
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

    def sample(
        self,
        system: Named,
        item: Named,
        shared: Named,
        system_features: Features,
        item_features: Features,
        *,
        key: PRNGKeyArray,
    ) -> Float[Array, ""]:
        logit = self.logit(system, item, shared, system_features, item_features)
        drawn = jax.random.bernoulli(key, jax.nn.sigmoid(logit))
        return drawn.astype(logit.dtype)
