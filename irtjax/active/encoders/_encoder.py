"""What an encoder is: a mean, features and a kernel for any embedding."""

import abc
from collections.abc import Callable

import equinox as eqx
from jaxtyping import Array, Float, PyTree

from irtjax.active import RBF, AbstractKernel, Linear, Matern52


def _linear(length: Float[Array, ""], variance: Float[Array, ""]) -> Linear:
    return Linear(variance)


KERNELS: dict[str, Callable[..., AbstractKernel]] = {
    "linear": _linear,
    "rbf": RBF,
    "matern": Matern52,
}
"""Kernels by name, each made from a length and a variance."""


class AbstractEncoder(eqx.Module):
    """A Gaussian prior of a system's errors on any items, from their embeddings."""

    @abc.abstractmethod
    def mean(self, embedding: Float[Array, "item embedding"]) -> Float[Array, " item"]:
        """Return the expected errors.

        Args:
            embedding: of the items.
        """

    @abc.abstractmethod
    def feature(
        self, embedding: Float[Array, "item embedding"]
    ) -> Float[Array, "item feature"]:
        """Return what the kernel looks at, rows of length 1.

        Args:
            embedding: of the items.
        """

    @abc.abstractmethod
    def kernel(self) -> AbstractKernel:
        """Return the covariance of errors from features, in squared errors."""

    @abc.abstractmethod
    def noise(self) -> Float[Array, ""]:
        """Return the variance of an error around what the features say."""

    @abc.abstractmethod
    def trainable(self) -> PyTree:
        """Return the encoder's own shape with True where training may change it."""
