"""What is believed of a question from its text alone, before anything is asked."""

import abc
from collections.abc import Sequence
from typing import NamedTuple

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.active import Linear, SourceErrors
from irtjax.active.encoders import AbstractEncoder, hashed_ngrams, train_features


class Featured(NamedTuple):
    """Questions as a Gaussian belief sees them.

    Attributes:
        mean: the expected error.
        feature: whose inner products are the covariance of the errors, in squared
            errors.
        residual: variance of an error around what features can say.
    """

    mean: Float[Array, " question"]
    feature: Float[Array, "question direction"]
    residual: Float[Array, " question"]


class AbstractTextFeatures(eqx.Module):
    """Says of any text, also of one that no system was ever asked, what to expect."""

    @abc.abstractmethod
    def __call__(self, texts: Sequence[str]) -> Featured:
        """Return what to expect of questions.

        Args:
            texts: of the questions.
        """


class HashedFeatures(AbstractTextFeatures):
    """Tuned prompt features on hashed n-grams: needs no model and no network.

    Attributes:
        encoder: with a linear kernel.
        width: columns of the hashed embedding.
    """

    encoder: AbstractEncoder
    width: int = 512

    @staticmethod
    def trained(
        texts: Sequence[str], sources: SourceErrors, *, seed: int, width: int = 512
    ) -> "HashedFeatures":
        """Return features trained on what other systems got wrong.

        Args:
            texts: of the pool's questions.
            sources: errors of the other systems on them.
            seed: of the encoder's start and of the items that are held out.
            width: columns of the hashed embedding.
        """
        embedding = jnp.asarray(hashed_ngrams(texts, width))
        trained = train_features(embedding, sources, seed=seed, form="linear")
        return HashedFeatures(trained.features, width)

    def __call__(self, texts: Sequence[str]) -> Featured:
        embedding = jnp.asarray(hashed_ngrams(texts, self.width))
        return _featured(self.encoder, embedding)


@eqx.filter_jit
def _featured(
    encoder: AbstractEncoder, embedding: Float[Array, "question embedding"]
) -> Featured:
    kernel = encoder.kernel()
    if not isinstance(kernel, Linear):
        raise ValueError(
            "A belief of low rank needs an encoder with a linear kernel, got "
            f"{type(kernel).__name__}."
        )
    mean = encoder.mean(embedding)
    feature = jnp.sqrt(kernel.variance).astype(mean.dtype) * encoder.feature(embedding)
    return Featured(mean, feature, jnp.full_like(mean, encoder.noise()))
