"""Tuned prompt features: an encoder whose outputs play the part of historical systems."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray, PyTree

from irtjax.active import AbstractKernel

from ._encoder import KERNELS, AbstractEncoder

_SPREAD = 0.1  # standard deviation of the weights at the start
_NOISE = 0.1  # where the noise's variance starts, in squared errors
_VARIANCE = 0.05  # where the kernel's does


class TunedFeatures(AbstractEncoder):
    r"""$\psi = \sigma(\kappa (W e + b))$: pseudo-errors of as many pseudo-systems.

    The expected error is the mean over the outputs, and the features are the outputs'
    deviations from it, scaled to length 1.

    Attributes:
        weight: $W$.
        bias: $b$.
        log_steepness: $\log \kappa$.
        log_length: of the kernel, in the features' unit; the linear one has none.
        log_variance: of the kernel, in squared errors.
        log_noise: variance of an error around what the features say.
        form: of the kernel, one of `KERNELS`.

    References:
        ProEval (2026), arXiv 2604.23099, tuned prompt features.
    """

    weight: Float[Array, "output embedding"]
    bias: Float[Array, " output"]
    log_steepness: Float[Array, ""]
    log_length: Float[Array, ""]
    log_variance: Float[Array, ""]
    log_noise: Float[Array, ""]
    form: str = eqx.field(static=True)

    def __init__(
        self,
        embedding: int,
        *,
        outputs: int = 16,
        error: float = 0.5,
        form: str = "matern",
        dtype: jnp.dtype | type | None = None,
        key: PRNGKeyArray,
    ):
        """Start at random.

        Args:
            embedding: columns of the embeddings.
            outputs: how many pseudo-systems, at least 2.
            error: the mean error where the outputs start, above 0 and below 1.
            form: of the kernel, one of `KERNELS`.
            dtype: of the parameters; the default float type where None.
            key: of the start.

        Raises:
            ValueError: an unknown kernel, or fewer than two outputs.
        """
        if form not in KERNELS:
            raise ValueError(f"`form` must be one of {list(KERNELS)}, got {form!r}.")
        if outputs < 2:
            raise ValueError(f"`outputs` must be at least 2, got {outputs}.")
        dtype = jnp.zeros(()).dtype if dtype is None else dtype
        # Drawn in 32 bits, so that both precisions start at the same place.
        draws = jax.random.normal(key, (outputs, embedding), jnp.float32)
        self.weight = _SPREAD * draws.astype(dtype)
        start = jax.scipy.special.logit(jnp.clip(error, 0.02, 0.98))
        self.bias = jnp.full(outputs, start, dtype)
        self.log_steepness = jnp.zeros((), dtype)
        self.log_length = jnp.zeros((), dtype)
        self.log_variance = jnp.log(jnp.asarray(_VARIANCE, dtype))
        self.log_noise = jnp.log(jnp.asarray(_NOISE, dtype))
        self.form = form

    def outputs(
        self, embedding: Float[Array, "item embedding"]
    ) -> Float[Array, "item output"]:
        """Return the pseudo-errors, from 0 to 1.

        Args:
            embedding: of the items.
        """
        embedding = embedding.astype(self.weight.dtype)
        steepness = jnp.exp(self.log_steepness)
        return jax.nn.sigmoid(steepness * (embedding @ self.weight.T + self.bias[None]))

    def mean(self, embedding: Float[Array, "item embedding"]) -> Float[Array, " item"]:
        return jnp.mean(self.outputs(embedding), axis=1)

    def feature(
        self, embedding: Float[Array, "item embedding"]
    ) -> Float[Array, "item feature"]:
        outputs = self.outputs(embedding)
        apart = outputs - jnp.mean(outputs, axis=1, keepdims=True)
        # The root of a sum that stays above 0, so that its gradient stays finite.
        tiny = jnp.finfo(apart.dtype).eps
        return apart / jnp.sqrt(
            jnp.sum(jnp.square(apart), axis=1, keepdims=True) + tiny
        )

    def kernel(self) -> AbstractKernel:
        return KERNELS[self.form](jnp.exp(self.log_length), jnp.exp(self.log_variance))

    def noise(self) -> Float[Array, ""]:
        return jnp.exp(self.log_noise)

    def trainable(self) -> PyTree:
        return jax.tree.map(lambda _: True, self)
