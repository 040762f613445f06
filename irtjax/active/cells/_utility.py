"""What an error in a ranking costs, and which errors of abilities bear on it."""

import abc

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

Scalar = Float[Array, ""]

# Equally likely standard normal values: an average over them integrates a kinked
# function to about a hundredth, which is what the expectation below is read to.
_QUANTILES = jax.scipy.stats.norm.ppf((np.arange(200) + 0.5) / 200)


class AbstractUtility(eqx.Module):
    r"""Which differences of abilities must have the right sign.

    A ranking errs where a difference $d$ of abilities (of two systems, or of a system
    and the edge of the top) has not the sign that its estimate has. An evaluation moves
    the chance $P(d > 0)$; what it is worth is the expected square of that move,
    $\phi(\hat d / s)^2\, v / s^2$ for a difference with error $s$ of whose variance the
    evaluation takes $v$. That is the fall of the expected quadratic (Brier) error of
    the chance. The chance of a wrong sign itself would not do: until a single
    evaluation can turn a sign, none would seem to be worth anything.

    References:
        Brier (1950), Verification of forecasts expressed in terms of probability,
        Monthly Weather Review 78.
    """

    @abc.abstractmethod
    def contrasts(
        self, ability: Float[Array, " system"]
    ) -> tuple[Float[Array, "contrast system"], Float[Array, " contrast"]]:
        """Return the differences that matter, and how much each.

        Args:
            ability: in logits.

        Returns:
            The differences as weights of the abilities, and each one's cost of a wrong
            sign.
        """

    def weights(
        self,
        ability: Float[Array, " system"],
        covariance: Float[Array, "system system"],
    ) -> Float[Array, "system system"]:
        r"""Return $L$, so that an evaluation is worth the fall of $\mathrm{tr}(L\Sigma)$."""
        contrast, cost = self.contrasts(ability)
        variance = _variance(contrast, covariance)
        known = variance > 0
        safe = jnp.where(known, variance, 1)
        steep = jnp.exp(-((contrast @ ability) ** 2) / safe) / (2 * jnp.pi * safe)
        each = jnp.where(known, cost * steep, 0)
        return (contrast.T * each[None, :]) @ contrast

    def error(
        self,
        ability: Float[Array, " system"],
        covariance: Float[Array, "system system"],
    ) -> Scalar:
        """Return the expected number of wrong signs, each times its cost."""
        contrast, cost = self.contrasts(ability)
        sd = jnp.sqrt(_variance(contrast, covariance))
        z = jnp.abs(contrast @ ability) / jnp.where(sd > 0, sd, 1)
        return cost @ jnp.where(sd > 0, jax.scipy.stats.norm.cdf(-z), 0)

    def error_after(
        self,
        ability: Float[Array, " system"],
        before: Float[Array, "system system"],
        after: Float[Array, "system system"],
    ) -> Scalar:
        """Return the error to expect once evaluations have brought the covariance down.

        Estimates will move, by what is learned; the average is over where to.

        Args:
            ability: now.
            before: the covariance now.
            after: the covariance then.
        """
        contrast, cost = self.contrasts(ability)
        now, then = _variance(contrast, before), _variance(contrast, after)
        step = jnp.sqrt(jnp.maximum(now - then, 0))
        noise = jnp.asarray(_QUANTILES, ability.dtype)
        moved = (contrast @ ability)[:, None] + step[:, None] * noise[None, :]
        sd = jnp.sqrt(then)[:, None]
        z = jnp.abs(moved) / jnp.where(sd > 0, sd, 1)
        wrong = jnp.where(sd > 0, jax.scipy.stats.norm.cdf(-z), 0)
        return cost @ jnp.mean(wrong, axis=1)


class AllRanks(AbstractUtility):
    """Every pair of systems in the right order: the number of misordered pairs.

    A system's expected distance from its true rank is at most the number of pairs that
    it is part of and that are misordered.
    """

    def contrasts(
        self, ability: Float[Array, " system"]
    ) -> tuple[Float[Array, "contrast system"], Float[Array, " contrast"]]:
        first, second = np.triu_indices(ability.shape[0], 1)
        eye = jnp.eye(ability.shape[0], dtype=ability.dtype)
        return eye[first] - eye[second], jnp.ones(len(first), ability.dtype)


class TopRanks(AbstractUtility):
    """The right systems among the first `k`: how many stand on the wrong side.

    The edge of the top is half way between its last system and the first one below.

    Attributes:
        k: from 1 to one less than there are systems.
    """

    k: int = eqx.field(static=True)

    def contrasts(
        self, ability: Float[Array, " system"]
    ) -> tuple[Float[Array, "contrast system"], Float[Array, " contrast"]]:
        n_system = ability.shape[0]
        if not 1 <= self.k < n_system:
            raise ValueError(
                f"The top of {n_system} systems holds 1 to {n_system - 1}, got {self.k}."
            )
        order = jnp.argsort(-ability)
        edge = order[jnp.asarray([self.k - 1, self.k])]
        eye = jnp.eye(n_system, dtype=ability.dtype)
        middle = jnp.mean(eye[edge], axis=0)
        return eye - middle[None, :], jnp.ones(n_system, ability.dtype)


class OneComparison(AbstractUtility):
    """Which of two systems is the better one.

    Attributes:
        first: position of one.
        second: position of the other.
    """

    first: int | Int[Array, ""]
    second: int | Int[Array, ""]

    def contrasts(
        self, ability: Float[Array, " system"]
    ) -> tuple[Float[Array, "contrast system"], Float[Array, " contrast"]]:
        place = jnp.arange(ability.shape[0])
        ahead = (place == self.first).astype(ability.dtype)
        behind = (place == self.second).astype(ability.dtype)
        return (ahead - behind)[None, :], jnp.ones(1, ability.dtype)


def _variance(
    contrast: Float[Array, "contrast system"],
    covariance: Float[Array, "system system"],
) -> Float[Array, " contrast"]:
    """Return each difference's variance, never below 0."""
    square = jnp.sum((contrast @ covariance) * contrast, axis=1)
    return jnp.maximum(square, 0)
