"""Raw prompt features: an embedding's principal components, nothing learned from scores."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PyTree

from irtjax.active import AbstractKernel, Matern52

from ._encoder import AbstractEncoder


class RawFeatures(AbstractEncoder):
    """The first components of an embedding, at length 1, under a Matern 5/2 kernel.

    As published, length and variance are 1 and the noise is .3. `train` fits these and
    the mean by the same loss as an encoder's; the components stay what they are.

    Attributes:
        centre: the mean embedding of the items that the components were made from.
        component: directions of the embedding, each of length 1.
        error: the expected error of every item.
        log_length: of the kernel, in the features' unit.
        log_variance: of the kernel, in squared errors.
        log_noise: variance of an error around what the features say.

    References:
        ProEval (2026), arXiv 2604.23099, raw prompt features.
    """

    centre: Float[Array, " embedding"]
    component: Float[Array, "component embedding"]
    error: Float[Array, ""]
    log_length: Float[Array, ""]
    log_variance: Float[Array, ""]
    log_noise: Float[Array, ""]

    def __init__(
        self,
        embedding: Float[Array, "item embedding"],
        error: Float[Array, ""],
        *,
        components: int = 16,
    ):
        """Find the components.

        Args:
            embedding: of the items that were seen.
            error: the mean error.
            components: how many; at most as many as items and as embedding columns.
        """
        self.centre = jnp.mean(embedding, axis=0)
        _, _, directions = jnp.linalg.svd(
            embedding - self.centre[None], full_matrices=False
        )
        self.component = directions[:components]
        self.error = error
        self.log_length = jnp.zeros((), error.dtype)
        self.log_variance = jnp.zeros((), error.dtype)
        self.log_noise = jnp.log(jnp.asarray(0.3, error.dtype))

    def mean(self, embedding: Float[Array, "item embedding"]) -> Float[Array, " item"]:
        return jnp.full(embedding.shape[0], self.error)

    def feature(
        self, embedding: Float[Array, "item embedding"]
    ) -> Float[Array, "item feature"]:
        place = (
            embedding.astype(self.centre.dtype) - self.centre[None]
        ) @ self.component.T
        length = jnp.linalg.norm(place, axis=1, keepdims=True)
        return place / jnp.where(length > 0, length, 1)

    def kernel(self) -> AbstractKernel:
        return Matern52(jnp.exp(self.log_length), jnp.exp(self.log_variance))

    def noise(self) -> Float[Array, ""]:
        return jnp.exp(self.log_noise)

    def trainable(self) -> PyTree:
        fixed = jax.tree.map(lambda _: True, self)
        return jax.tree_util.tree_map_with_path(
            lambda path, _: path[0].name not in ("centre", "component"), fixed
        )
