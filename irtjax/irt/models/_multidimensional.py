"""Several abilities a system that make up for one another."""

from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses, BinomialResponses

from .._dense import one_by_one
from .._model import AbstractLinearModel, Estimate, Features
from .._parameter import AbstractPrior, Named, Normal, Parameter
from .._traits import AbstractDerived, AbstractStart


class MultidimensionalTwoPL(AbstractLinearModel, AbstractDerived, AbstractStart):
    r"""Compensatory two-parameter logistic model: $d_i + \sum_m a_{im} \theta_{jm}$.

    Any rotation of the dimensions has the same likelihood, and under the default priors
    the same posterior: `canonical` picks one. What does not depend on it are the
    probabilities and the derived values `multidimensional_discrimination`
    $A_i = (\sum_m a_{im}^2)^{1/2}$ and `multidimensional_difficulty` $-d_i / A_i$.
    Loadings and abilities one by one have no standard errors then. They do where
    `item_features` say which dimensions an item loads on: a column a dimension, 1 where
    it does and 0 where not. An item that loads on one dimension alone for each of them
    is enough.

    Attributes:
        dimensions: how many abilities a system has.
        system_parameters: `ability_1`, ..., in logits.
        item_parameters: `intercept` $d$, in logits, and `slope_1`, ..., on the whole
            real line.
        shared_parameters: none.

    References:
        Reckase (2009), *Multidimensional Item Response Theory*, ch. 4; ch. 5 for the
        derived values.
    """

    response: ClassVar[type[AbstractResponses]] = BinomialResponses
    dimensions: int = eqx.field(static=True)
    system_parameters: tuple[Parameter, ...]
    item_parameters: tuple[Parameter, ...]
    shared_parameters: tuple[Parameter, ...]

    def __init__(
        self,
        dimensions: int = 2,
        ability: AbstractPrior = Normal(0.0, 1.0),
        intercept: AbstractPrior = Normal(0.0, 3.0),
        slope: AbstractPrior = Normal(0.0, 1.0),
    ):
        """Take the number of dimensions and three priors, the same for all of them.

        Raises:
            ValueError: if there is not at least one dimension.
        """
        if dimensions < 1:
            raise ValueError(f"A model needs at least 1 dimension, got {dimensions}.")
        numbers = range(1, dimensions + 1)
        self.dimensions = dimensions
        self.system_parameters = tuple(
            Parameter(f"ability_{m}", ability) for m in numbers
        )
        self.item_parameters = (
            Parameter("intercept", intercept),
            *(Parameter(f"slope_{m}", slope) for m in numbers),
        )
        self.shared_parameters = ()

    def coefficients(
        self, item: Named, shared: Named, item_features: Features
    ) -> Float[Array, " k"]:
        n_feature = item_features.shape[0]
        if n_feature not in (0, self.dimensions):
            raise ValueError(
                f"`item_features` say which of {self.dimensions} dimensions an item loads "
                f"on, one column each; got {n_feature}."
            )
        slopes = jnp.stack([item[f"slope_{m + 1}"] for m in range(self.dimensions)])
        loadings = slopes * item_features if n_feature else slopes
        return jnp.concatenate([item["intercept"][None], loadings])

    def derived(self, item: Named, shared: Named) -> Named:
        squares = [item[f"slope_{m + 1}"] ** 2 for m in range(self.dimensions)]
        total = sum(squares[1:], squares[0])
        length = jnp.sqrt(jnp.maximum(total, jnp.finfo(total.dtype).tiny))
        return {
            "multidimensional_discrimination": length,
            "multidimensional_difficulty": -item["intercept"] / length,
        }

    def start(self, responses: AbstractResponses) -> Estimate:
        r"""Return principal components of what items' means leave over.

        All dimensions alike would be a saddle: no step tells one from another.
        """
        score, seen = responses.mean_score(), responses.observed()
        count = jnp.sum(seen, axis=0).astype(score.dtype)
        mean = (jnp.sum(score, axis=0) + 0.5) / (count + 1)
        left = jnp.where(seen, score - mean[None, :], 0)
        u, size, v = _svd(left)
        kept = min(self.dimensions, size.shape[0])
        sign = jnp.where(jnp.sum(v[:kept], axis=1) < 0, -1, 1).astype(score.dtype)
        root = jnp.sqrt(jnp.asarray(score.shape[0], score.dtype))
        ability = u[:, :kept] * (root * sign)[None, :]
        # By the logistic function's own slope, as small differences are.
        slope = v[:kept].T * (sign * size[:kept] / root)[None, :]
        slope = slope / (mean * (1 - mean))[:, None]
        spare = ((0, 0), (0, self.dimensions - kept))
        return Estimate(
            jnp.pad(ability, spare),
            jnp.concatenate(
                [jnp.log(mean / (1 - mean))[:, None], jnp.pad(slope, spare)], axis=1
            ),
            jnp.zeros(0, score.dtype),
        )


_svd = one_by_one(lambda matrix: jnp.linalg.svd(matrix, full_matrices=False))
