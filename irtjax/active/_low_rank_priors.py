"""Priors of low rank: the published score features, and a finite population."""

import jax.numpy as jnp
from jaxtyping import Array, Float, ScalarLike

from ._belief import AbstractPrior
from ._low_rank import LowRankBelief
from ._sources import SourceErrors


class ScoreFeature(AbstractPrior):
    r"""A Gaussian process whose covariance is that of the sources' errors.

    With $F$ the errors, $u$ their mean over sources and $X = (F - u) / \sqrt{M - 1}$,
    the target's expected errors are $f \sim N(u, X X^\top)$ and an answer is $f_i$ plus
    noise. What is answered is smoothed, never used as it is, so that the total keeps an
    error however many answers there are.

    Attributes:
        noise: variance of an answer, in squared errors.

    References:
        ProEval (2026), arXiv 2604.23099, the score-feature GP.
    """

    noise: Float[Array, ""]

    def __init__(self, noise: ScalarLike = 0.3):
        """Store the noise, which must be positive."""
        self.noise = jnp.asarray(noise, float)

    def __call__(self, sources: SourceErrors) -> LowRankBelief:
        mean, feature = score_features(sources)
        dtype = feature.dtype
        return LowRankBelief(
            mean,
            feature,
            jnp.ones(feature.shape[1], dtype),
            jnp.zeros_like(mean),
            self.noise.astype(dtype),
        )


def score_features(
    sources: SourceErrors,
) -> tuple[Float[Array, " item"], Float[Array, "item source"]]:
    """Return the items' mean errors, and the sources' deviations as a covariance's root.

    Args:
        sources: at least two.
    """
    error = sources.filled()
    mean = jnp.mean(error, axis=1)
    return mean, (error - mean[:, None]) / jnp.sqrt(
        jnp.asarray(sources.shape[1] - 1, error.dtype)
    )
