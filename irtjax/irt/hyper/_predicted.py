"""Priors whose mean depends on what is known of a system or an item."""

from collections.abc import Callable

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from .._parameter import AbstractPrior, Named, Normal, Number, Scalar


class Linear(eqx.Module):
    """A weighted sum of features plus a constant.

    Attributes:
        weight: one a feature, in units of the parameter for one unit of the feature.
        intercept: the value where all features are 0.
    """

    weight: Float[Array, " feature"]
    intercept: Float[Array, ""]

    def __init__(
        self,
        weight: Float[Array, " feature"],
        intercept: Float[Array, ""] | float = 0.0,
    ):
        """Take the weights and the intercept."""
        self.weight = weight
        self.intercept = jnp.asarray(intercept, weight.dtype)

    def __call__(self, features: Float[Array, " feature"]) -> Scalar:
        """Return the sum for one row of features."""
        return features @ self.weight + self.intercept


class Predicted(AbstractPrior):
    r"""A normal prior around a prediction from features.

    As an item's prior it explains difficulties or slopes by what is known of the item,
    and an item that nobody has answered gets the prediction with `sd` as its error. As
    the ability's prior it is a latent regression of ability on what is known of the
    systems.

    A model with a free level on both sides is not identified: keep the ability's mean
    at 0 where the items' prediction has an intercept, or the other way round. Features
    should have no constant column beside an intercept.

    Attributes:
        predictor: from a row of features to the prior's mean, on the unconstrained
            scale: `Linear`, or any network such as `equinox.nn.MLP` with a scalar
            output.
        sd: what the features leave open, same scale; positive.

    References:
        De Boeck & Wilson (2004), *Explanatory Item Response Models*, ch. 2 and 6, for
        items with a residual. Mislevy (1987), Exploiting auxiliary information about
        examinees in the estimation of item parameters, Appl. Psych. Meas. 11, for
        systems.
    """

    predictor: Callable[[Float[Array, " feature"]], Scalar]
    sd: Number = 1.0

    def log_prob(
        self, value: Scalar, shared: Named, features: Float[Array, " feature"]
    ) -> Scalar:
        return Normal(self.predictor(features), self.sd).log_prob(
            value, shared, features
        )

    def sample(
        self,
        shared: Named,
        features: Float[Array, " feature"],
        *,
        key: PRNGKeyArray,
    ) -> Scalar:
        return Normal(self.predictor(features), self.sd).sample(
            shared, features, key=key
        )
