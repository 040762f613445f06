"""Beliefs from what items look like: Gaussian processes on prompt features."""

import abc

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, ScalarLike

from ._belief import AbstractBelief, AbstractPrior, Total
from ._sources import SourceErrors


class AbstractKernel(eqx.Module):
    """The covariance of two items' errors, from their features."""

    @abc.abstractmethod
    def __call__(
        self, left: Float[Array, " feature"], right: Float[Array, " feature"]
    ) -> Float[Array, ""]:
        """Return the covariance, in squared errors, of two items."""


class Linear(AbstractKernel):
    r"""$s \, x^\top y$.

    Attributes:
        variance: $s$, in squared errors.
    """

    variance: Float[Array, ""]

    def __init__(self, variance: ScalarLike = 1.0):
        """Store the setting."""
        self.variance = jnp.asarray(variance, float)

    def __call__(
        self, left: Float[Array, " feature"], right: Float[Array, " feature"]
    ) -> Float[Array, ""]:
        return self.variance.astype(left.dtype) * (left @ right)


class RBF(AbstractKernel):
    r"""$s \exp(-d^2 / 2 \ell^2)$ at distance $d$.

    Attributes:
        length: $\ell$, in the features' unit.
        variance: $s$, in squared errors.
    """

    length: Float[Array, ""]
    variance: Float[Array, ""]

    def __init__(self, length: ScalarLike = 1.0, variance: ScalarLike = 1.0):
        """Store the settings."""
        self.length = jnp.asarray(length, float)
        self.variance = jnp.asarray(variance, float)

    def __call__(
        self, left: Float[Array, " feature"], right: Float[Array, " feature"]
    ) -> Float[Array, ""]:
        length, variance = (each.astype(left.dtype) for each in _both(self))
        square = jnp.sum(jnp.square(left - right)) / jnp.square(length)
        return variance * jnp.exp(-square / 2)


class Matern52(AbstractKernel):
    r"""$s (1 + r + r^2/3) e^{-r}$ with $r = \sqrt5 d / \ell$.

    Attributes:
        length: $\ell$, in the features' unit.
        variance: $s$, in squared errors.

    References:
        Rasmussen & Williams (2006), *Gaussian Processes for Machine Learning*, 4.17.
    """

    length: Float[Array, ""]
    variance: Float[Array, ""]

    def __init__(self, length: ScalarLike = 1.0, variance: ScalarLike = 1.0):
        """Store the settings."""
        self.length = jnp.asarray(length, float)
        self.variance = jnp.asarray(variance, float)

    def __call__(
        self, left: Float[Array, " feature"], right: Float[Array, " feature"]
    ) -> Float[Array, ""]:
        length, variance = (each.astype(left.dtype) for each in _both(self))
        square = 5 * jnp.sum(jnp.square(left - right)) / jnp.square(length)
        # The root has no derivative at 0, where the kernel is flat all the same.
        apart = square > 0
        r = jnp.where(apart, jnp.sqrt(jnp.where(apart, square, 1)), 0)
        return variance * (1 + r + square / 3) * jnp.exp(-r)


def _both(kernel: RBF | Matern52) -> tuple[Float[Array, ""], Float[Array, ""]]:
    return kernel.length, kernel.variance


class KernelBelief(AbstractBelief):
    """A Gaussian belief that keeps the covariance of all pairs of items.

    Memory is items squared: for some thousands of items. Without a remainder, what is
    answered is smoothed by the noise.

    Attributes:
        centre: expected errors.
        covariance: of the errors, in squared errors.
        noise: variance that every answer has beside its own, in squared errors.
    """

    centre: Float[Array, " item"]
    covariance: Float[Array, "item item"]
    noise: Float[Array, ""]

    def mean(self) -> Float[Array, " item"]:
        return self.centre

    def variance(self) -> Float[Array, " item"]:
        return jnp.maximum(jnp.diagonal(self.covariance), 0)

    def total(self, weights: Float[Array, " item"]) -> Total:
        variance = weights @ self.covariance @ weights
        return Total(weights @ self.centre, jnp.maximum(variance, 0))

    def gain(self, weights: Float[Array, " item"]) -> Float[Array, " item"]:
        whole = self.variance() + self.noise
        return jnp.square(self.covariance @ weights) / jnp.where(
            whole > 0, whole, jnp.inf
        )

    def update(
        self,
        item: Int[Array, ""],
        outcome: Float[Array, ""],
        noise: Float[Array, ""],
    ) -> "KernelBelief":
        column = self.covariance[item]
        whole = column[item] + self.noise + noise
        step = column / jnp.where(whole > 0, whole, jnp.inf)
        return KernelBelief(
            self.centre + step * (outcome - self.centre[item]),
            self.covariance - jnp.outer(step, column),
            self.noise,
        )

    def condition(
        self,
        items: Int[Array, " pick"],
        outcomes: Float[Array, " pick"],
        noise: Float[Array, " pick"],
    ) -> "KernelBelief":
        def step(belief, answer):
            return belief.update(*answer), None

        return jax.lax.scan(step, self, (items, outcomes, noise))[0]


class PromptFeatures(AbstractPrior):
    """The sources' mean error, and a Gaussian process on the items' features around it.

    Attributes:
        features: of the items, of whatever embedding.
        kernel: of the features.
        noise: variance of an answer, in squared errors.

    References:
        ProEval (2026), arXiv 2604.23099, raw and tuned prompt features.
    """

    features: Float[Array, "item feature"]
    kernel: AbstractKernel
    noise: Float[Array, ""]

    def __init__(
        self,
        features: Float[Array, "item feature"],
        kernel: AbstractKernel | None = None,
        noise: ScalarLike = 0.3,
    ):
        """Store features and kernel, `Matern52()` where None."""
        self.features = features
        self.kernel = Matern52() if kernel is None else kernel
        self.noise = jnp.asarray(noise, float)

    def __call__(self, sources: SourceErrors) -> KernelBelief:
        if self.features.shape[0] != sources.shape[0]:
            raise ValueError(
                f"There are features of {self.features.shape[0]} items, and the sources "
                f"ran {sources.shape[0]}."
            )
        row = jax.vmap(self.kernel, in_axes=(None, 0))
        covariance = jax.vmap(row, in_axes=(0, None))(self.features, self.features)
        mean = sources.mean()
        return KernelBelief(
            mean, covariance.astype(mean.dtype), self.noise.astype(mean.dtype)
        )


def principal_features(
    embedding: Float[Array, "item embedding"], count: int = 16
) -> Float[Array, "item feature"]:
    """Return an embedding's first principal components, each item's of length 1.

    Args:
        embedding: of the items.
        count: how many components; at most as many as items and as embedding columns.
    """
    centred = embedding - jnp.mean(embedding, axis=0, keepdims=True)
    left, size, _ = jnp.linalg.svd(centred, full_matrices=False)
    component = (left * size[None, :])[:, :count]
    length = jnp.linalg.norm(component, axis=1, keepdims=True)
    return component / jnp.where(length > 0, length, 1)
