"""Named parameters: their priors and the transforms that keep them in range."""

import abc
import math
from collections.abc import Sequence

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

Scalar = Float[Array, ""]
Named = dict[str, Scalar]
Number = float | int | Scalar


class AbstractTransform(eqx.Module):
    """A smooth, increasing map from the real line to a parameter's range."""

    @abc.abstractmethod
    def forward(self, unconstrained: Scalar) -> Scalar:
        """Return the parameter on its own scale."""

    @abc.abstractmethod
    def inverse(self, value: Scalar) -> Scalar:
        """Return the number on the real line that `forward` maps to `value`."""


class Identity(AbstractTransform):
    """A parameter that may take any real value."""

    def forward(self, unconstrained: Scalar) -> Scalar:
        return unconstrained

    def inverse(self, value: Scalar) -> Scalar:
        return value


class Exp(AbstractTransform):
    """A positive parameter, held as its logarithm."""

    def forward(self, unconstrained: Scalar) -> Scalar:
        return jnp.exp(unconstrained)

    def inverse(self, value: Scalar) -> Scalar:
        return jnp.log(value)


class Interval(AbstractTransform):
    """A parameter between two bounds, held as the logit of its share of the way.

    Attributes:
        lower: the bound approached as the unconstrained value falls.
        upper: the bound approached as it rises.
    """

    lower: float = 0.0
    upper: float = 1.0

    def forward(self, unconstrained: Scalar) -> Scalar:
        return self.lower + (self.upper - self.lower) * jax.nn.sigmoid(unconstrained)

    def inverse(self, value: Scalar) -> Scalar:
        return jax.scipy.special.logit((value - self.lower) / (self.upper - self.lower))


class AbstractPrior(eqx.Module):
    """What is believed of one unconstrained parameter before any data."""

    @abc.abstractmethod
    def log_prob(
        self, value: Scalar, shared: Named, features: Float[Array, " feature"]
    ) -> Scalar:
        """Return the log-density in nats, normalised where the prior is proper.

        Args:
            value: the parameter, unconstrained.
            shared: the shared parameters, each on its own scale.
            features: the system's or item's features; empty where there are none.
        """

    @abc.abstractmethod
    def sample(
        self,
        shared: Named,
        features: Float[Array, " feature"],
        *,
        key: PRNGKeyArray,
    ) -> Scalar:
        """Return one draw on the unconstrained scale."""


class Normal(AbstractPrior):
    """A normal prior with a fixed mean and standard deviation.

    Either may be an array, to sweep it or to differentiate a fit by it.

    Attributes:
        mean: on the parameter's unconstrained scale.
        sd: the same scale; positive.
    """

    mean: Number = 0.0
    sd: Number = 1.0

    def __check_init__(self):
        if isinstance(self.sd, float | int) and not self.sd > 0:
            raise ValueError(f"A normal prior needs sd > 0, got {self.sd}.")

    def log_prob(
        self, value: Scalar, shared: Named, features: Float[Array, " feature"]
    ) -> Scalar:
        return (
            -0.5 * ((value - self.mean) / self.sd) ** 2
            - jnp.log(self.sd)
            - 0.5 * math.log(2 * math.pi)
        )

    def sample(
        self,
        shared: Named,
        features: Float[Array, " feature"],
        *,
        key: PRNGKeyArray,
    ) -> Scalar:
        return self.mean + self.sd * jax.random.normal(key, (), float)


class Flat(AbstractPrior):
    """No prior: a constant density over the whole real line, for a likelihood alone.

    A parameter that the data do not bound, such as the difficulty of an item that
    everybody solves, has no mode then.
    """

    def log_prob(
        self, value: Scalar, shared: Named, features: Float[Array, " feature"]
    ) -> Scalar:
        return jnp.zeros_like(value)

    def sample(
        self,
        shared: Named,
        features: Float[Array, " feature"],
        *,
        key: PRNGKeyArray,
    ) -> Scalar:
        raise ValueError("A flat prior has no draws: give the parameter a proper one.")


class Parameter(eqx.Module):
    """One named number of a system, of an item, or shared by all.

    Attributes:
        name: as it appears in `log_prob`, in tables and in banks.
        prior: on the unconstrained scale.
        transform: from the unconstrained scale to the parameter's own.
        start: where a fit begins, unconstrained.
    """

    name: str = eqx.field(static=True)
    prior: AbstractPrior
    transform: AbstractTransform = Identity()
    start: float = 0.0


def constrain(
    parameters: tuple[Parameter, ...],
    unconstrained: Sequence[Scalar] | Float[Array, " parameter"],
) -> Named:
    """Return each parameter by name, on its own scale."""
    return {
        parameter.name: parameter.transform.forward(unconstrained[k])
        for k, parameter in enumerate(parameters)
    }


def transform_slopes(
    parameters: tuple[Parameter, ...], unconstrained: Float[Array, " parameter"]
) -> Float[Array, " parameter"]:
    """Return the derivative of each parameter's own scale by its unconstrained one."""
    slopes = [
        jax.grad(parameter.transform.forward)(unconstrained[k])
        for k, parameter in enumerate(parameters)
    ]
    return jnp.stack(slopes) if slopes else jnp.zeros(0, unconstrained.dtype)


def names(parameters: tuple[Parameter, ...]) -> tuple[str, ...]:
    """Return the parameters' names in the order in which they are stored."""
    return tuple(parameter.name for parameter in parameters)
