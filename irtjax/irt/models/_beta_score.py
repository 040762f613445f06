"""Scores in [0, 1] with their own density, and with a chance of exactly 0 or 1."""

from typing import ClassVar

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from irtjax.data import AbstractResponses, ScoreResponses

from .._model import AbstractResponseModel, Features
from .._parameter import AbstractPrior, Exp, Named, Normal, Parameter
from .._traits import AbstractSampled

Scalar = Float[Array, ""]


class BetaScore(AbstractResponseModel, AbstractSampled):
    r"""Ordered beta model of a score $s$ with $z = a_i (\theta_j - b_i)$.

    A beta density gives exactly 0 and 1 no finite likelihood, and moving such scores
    inward makes the answer depend on how far. Here they are outcomes of their own:

    $$P(s = 0) = \sigma(c_0 - z), \quad P(s = 1) = \sigma(z - c_1), \quad
    f(s) = (\sigma(z - c_0) - \sigma(z - c_1))\, \mathrm{Beta}(s; \mu\phi, (1 - \mu)\phi)$$

    for $0 < s < 1$, with $\mu = \sigma(z)$. A perfect score thus says that ability is
    high, not infinite. Where a table has neither 0 nor 1 the cuts move outward until
    the prior holds them, and the beta density is left. A score's weight multiplies its
    log-density.

    Attributes:
        system_parameters: `ability` $\theta$, in logits.
        item_parameters: `difficulty` $b$, in logits, and `discrimination` $a > 0$, held
            as its logarithm.
        shared_parameters: `precision` $\phi > 0$, held as its logarithm: a score's
            variance is $\mu (1 - \mu) / (1 + \phi)$ inside; `zero_cut` $c_0$, in logits;
            `cut_width` $c_1 - c_0 > 0$, in logits, held as its logarithm.

    References:
        Kubinec (2023), Ordered beta regression: a parsimonious, well-fitting model for
        continuous data with lower and upper bounds, Political Analysis 31. Noel &
        Dauvier (2007), A beta item response model for continuous bounded responses,
        Applied Psychological Measurement 31.
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
        log_precision: AbstractPrior = Normal(2.0, 1.0),
        zero_cut: AbstractPrior = Normal(-4.0, 2.0),
        log_cut_width: AbstractPrior = Normal(2.0, 0.5),
    ):
        """Take the six priors, each on the unconstrained scale."""
        self.system_parameters = (Parameter("ability", ability),)
        self.item_parameters = (
            Parameter("difficulty", difficulty),
            Parameter("discrimination", log_discrimination, Exp()),
        )
        self.shared_parameters = (
            Parameter("precision", log_precision, Exp(), start=2.0),
            Parameter("zero_cut", zero_cut, start=-4.0),
            Parameter("cut_width", log_cut_width, Exp(), start=2.0),
        )

    def log_prob(
        self,
        outcome: Float[Array, ""],
        system: Named,
        item: Named,
        shared: Named,
        system_features: Features,
        item_features: Features,
    ) -> Float[Array, ""]:
        z, zero_cut, one_cut = self._predictor(system, item, shared)
        within = (outcome > 0) & (outcome < 1)
        score = jnp.where(within, outcome, 0.5)
        width = jnp.maximum(one_cut - zero_cut, jnp.finfo(z.dtype).tiny)
        inside = (
            jax.nn.log_sigmoid(z - zero_cut)
            + jax.nn.log_sigmoid(one_cut - z)
            + jnp.log(-jnp.expm1(-width))
            + _log_beta_density(score, z, shared["precision"])
        )
        edge = jnp.where(
            outcome > 0.5,
            jax.nn.log_sigmoid(z - one_cut),
            jax.nn.log_sigmoid(zero_cut - z),
        )
        return jnp.where(within, inside, edge)

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
        z, zero_cut, one_cut = self._predictor(system, item, shared)
        for_kind, for_score = jax.random.split(key)
        latent = z + jax.random.logistic(for_kind, (), z.dtype)
        mean = jax.nn.sigmoid(z)
        score = jax.random.beta(
            for_score,
            shared["precision"] * mean,
            shared["precision"] * (1 - mean),
            (),
            z.dtype,
        )
        # What rounds to 0 or 1 would pass for one of the other two kinds.
        limits = jnp.finfo(z.dtype)
        score = jnp.clip(score, limits.tiny, 1 - limits.epsneg)
        return jnp.where(latent < zero_cut, 0, jnp.where(latent > one_cut, 1, score))

    def _predictor(
        self, system: Named, item: Named, shared: Named
    ) -> tuple[Scalar, Scalar, Scalar]:
        z = item["discrimination"] * (system["ability"] - item["difficulty"])
        return z, shared["zero_cut"], shared["zero_cut"] + shared["cut_width"]


def _log_beta_density(score: Scalar, logit: Scalar, precision: Scalar) -> Scalar:
    """Return the log-density of a beta distribution by its mean's logit."""
    log_mean, log_rest = jax.nn.log_sigmoid(logit), jax.nn.log_sigmoid(-logit)
    a, b = precision * jnp.exp(log_mean), precision * jnp.exp(log_rest)
    gammaln = jax.scipy.special.gammaln
    # log Gamma(a) as log Gamma(a + 1) - log a: finite, slopes too, where a rounds to 0.
    constant = gammaln(precision) - gammaln(a + 1) - gammaln(b + 1)
    constant = constant + 2 * jnp.log(precision) + log_mean + log_rest
    return constant + (a - 1) * jnp.log(score) + (b - 1) * jnp.log1p(-score)
