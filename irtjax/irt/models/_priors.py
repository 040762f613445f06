"""Priors that the models here need beyond the normal one."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from .._parameter import AbstractPrior, Named, Number, Scalar


class LogitBeta(AbstractPrior):
    r"""The logit of a beta-distributed share.

    For $x \sim \mathrm{Beta}(\alpha, \beta)$ and $u = \log(x / (1 - x))$ the density is
    $\sigma(u)^\alpha \sigma(-u)^\beta / B(\alpha, \beta)$, whose mode is the logit of
    the mean of $x$. It counts like $\alpha$ successes and $\beta$ failures.

    Attributes:
        successes: $\alpha$, positive.
        failures: $\beta$, positive.
    """

    successes: Number = 1.0
    failures: Number = 1.0

    def __check_init__(self):
        for name in ("successes", "failures"):
            value = getattr(self, name)
            if isinstance(value, float | int) and not value > 0:
                raise ValueError(f"A beta prior needs {name} > 0, got {value}.")

    def log_prob(
        self, value: Scalar, shared: Named, features: Float[Array, " feature"]
    ) -> Scalar:
        successes = jnp.asarray(self.successes, value.dtype)
        failures = jnp.asarray(self.failures, value.dtype)
        gammaln = jax.scipy.special.gammaln  # `betaln` is right to 7 digits only
        return (
            successes * jax.nn.log_sigmoid(value)
            + failures * jax.nn.log_sigmoid(-value)
            + gammaln(successes + failures)
            - gammaln(successes)
            - gammaln(failures)
        )

    def sample(
        self,
        shared: Named,
        features: Float[Array, " feature"],
        *,
        key: PRNGKeyArray,
    ) -> Scalar:
        # On the logarithmic scale, where a share near 0 or 1 has a finite logit.
        right, wrong = jax.random.split(key)
        return jax.random.loggamma(right, self.successes, (), float) - (
            jax.random.loggamma(wrong, self.failures, (), float)
        )


class SpreadNormal(AbstractPrior):
    """A normal prior whose standard deviation is a shared parameter.

    Attributes:
        sd: the name of the shared parameter, which must be positive.
        mean: on the parameter's unconstrained scale.
    """

    sd: str
    mean: Number = 0.0

    def log_prob(
        self, value: Scalar, shared: Named, features: Float[Array, " feature"]
    ) -> Scalar:
        sd = shared[self.sd]
        half_log_tau = 0.5 * jnp.log(2 * jnp.pi)
        return -0.5 * ((value - self.mean) / sd) ** 2 - jnp.log(sd) - half_log_tau

    def sample(
        self,
        shared: Named,
        features: Float[Array, " feature"],
        *,
        key: PRNGKeyArray,
    ) -> Scalar:
        return self.mean + shared[self.sd] * jax.random.normal(key, (), float)
