"""The belief that errors are a known mean, a few shared directions and a remainder."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from irtjax.irt import one_by_one

from ._belief import AbstractBelief, Total

# One matrix at a time on a processor, where batched ones wait for one another.
_factor = one_by_one(jnp.linalg.cholesky)
_solve = one_by_one(
    lambda lower, right: jax.scipy.linalg.solve_triangular(lower, right, lower=True)
)


class LowRankBelief(AbstractBelief):
    r"""Errors as $y_i = o_i + s_i x_i^\top c + r_i$, with $c \sim N(m, C)$.

    The remainders $r_i$ are independent with variance $v_i$. An answer to item $i$ moves
    $c$, and it moves what is the item's own: of the total, an item that was answered
    without noise is known ($s_i = v_i = 0$, $o_i$ its outcome) and stays so. Nothing of
    size items by items exists; a step costs items times directions.

    With `noise` and no remainder this is Gaussian-process regression in feature space,
    which smooths what was answered; with a remainder and no `noise` it is inference on a
    finite population.

    Attributes:
        offset: $o$, in errors.
        share: $s$, how much of the shared part is still unknown of an item, 1 at first.
        feature: $x$.
        residual: $v$, in squared errors.
        coefficient: $m$.
        covariance: $C$.
        spread: $x_i^\top C x_i$, kept up to date.
        noise: variance that every answer has beside its own, in squared errors.
    """

    offset: Float[Array, " item"]
    share: Float[Array, " item"]
    feature: Float[Array, "item direction"]
    residual: Float[Array, " item"]
    coefficient: Float[Array, " direction"]
    covariance: Float[Array, "direction direction"]
    spread: Float[Array, " item"]
    noise: Float[Array, ""]

    def __init__(
        self,
        mean: Float[Array, " item"],
        feature: Float[Array, "item direction"],
        scale: Float[Array, " direction"],
        residual: Float[Array, " item"],
        noise: Float[Array, ""],
    ):
        r"""Return the belief before any answer.

        Args:
            mean: the prior mean, in errors.
            feature: $x$.
            scale: the prior variance of each coefficient.
            residual: $v$, in squared errors.
            noise: variance that every answer has, in squared errors.
        """
        self.offset = mean
        self.share = jnp.ones_like(mean)
        self.feature = feature
        self.residual = residual
        self.coefficient = jnp.zeros_like(scale)
        self.covariance = jnp.diag(scale)
        self.spread = jnp.square(feature) @ scale
        self.noise = noise

    def mean(self) -> Float[Array, " item"]:
        return self.offset + self.share * (self.feature @ self.coefficient)

    def variance(self) -> Float[Array, " item"]:
        return jnp.square(self.share) * self.spread + self.residual

    def total(self, weights: Float[Array, " item"]) -> Total:
        along = (weights * self.share) @ self.feature
        return Total(
            weights @ self.offset + along @ self.coefficient,
            along @ self.covariance @ along + jnp.square(weights) @ self.residual,
        )

    def gain(self, weights: Float[Array, " item"]) -> Float[Array, " item"]:
        along = (weights * self.share) @ self.feature
        shared = self.share * (self.feature @ (self.covariance @ along))
        whole = self.variance() + self.noise
        # An item that is known has nothing to give.
        return jnp.square(shared + weights * self.residual) / jnp.where(
            whole > 0, whole, jnp.inf
        )

    def update(
        self,
        item: Int[Array, ""],
        outcome: Float[Array, ""],
        noise: Float[Array, ""],
    ) -> "LowRankBelief":
        noise = noise + self.noise
        share, residual = self.share[item], self.residual[item]
        feature = self.feature[item]
        direction = self.covariance @ feature
        whole = jnp.square(share) * self.spread[item] + residual + noise
        precision = 1 / jnp.where(whole > 0, whole, jnp.inf)
        surprise = outcome - self.offset[item] - share * (feature @ self.coefficient)
        own = _own(residual, noise)
        step = share * precision
        return eqx.tree_at(
            lambda b: (
                b.offset,
                b.share,
                b.residual,
                b.coefficient,
                b.covariance,
                b.spread,
            ),
            self,
            (
                self.offset.at[item].set(own * outcome + (1 - own) * self.offset[item]),
                self.share.at[item].multiply(1 - own),
                self.residual.at[item].multiply(1 - own),
                self.coefficient + step * surprise * direction,
                self.covariance - share * step * jnp.outer(direction, direction),
                self.spread - share * step * jnp.square(self.feature @ direction),
            ),
        )

    def condition(
        self,
        items: Int[Array, " pick"],
        outcomes: Float[Array, " pick"],
        noise: Float[Array, " pick"],
    ) -> "LowRankBelief":
        noise = noise + self.noise
        share, residual = self.share[items], self.residual[items]
        whole = residual + noise
        precision = 1 / jnp.where(whole > 0, whole, jnp.inf)
        shown = share[:, None] * self.feature[items]
        count = self.coefficient.shape[0]
        # C' = L (I + L' A' P A L)^-1 L' with C = L L': no inverse of C, which may be
        # singular where a direction was never free.
        size = jnp.max(jnp.diagonal(self.covariance))
        tiny = jnp.finfo(self.covariance.dtype).eps * jnp.where(size > 0, size, 1)
        eye = jnp.eye(count, dtype=self.covariance.dtype)
        lower = _factor(self.covariance + tiny * eye)
        seen = shown @ lower
        inner = _factor(eye + seen.T @ (precision[:, None] * seen))
        root = _solve(inner, lower.T)
        covariance = root.T @ root
        surprise = outcomes - self.offset[items] - shown @ self.coefficient
        moved = covariance @ (shown.T @ (precision * surprise))
        own = _own(residual, noise)
        # Out of bounds, so dropped: a pick that is left out may repeat another.
        place = jnp.where(jnp.isinf(noise), self.offset.shape[0], items)
        blend = own * outcomes + (1 - own) * self.offset[items]
        return eqx.tree_at(
            lambda b: (
                b.offset,
                b.share,
                b.residual,
                b.coefficient,
                b.covariance,
                b.spread,
            ),
            self,
            (
                self.offset.at[place].set(blend, mode="drop"),
                self.share.at[place].set((1 - own) * share, mode="drop"),
                self.residual.at[place].set((1 - own) * residual, mode="drop"),
                self.coefficient + moved,
                covariance,
                jnp.sum(jnp.square(self.feature @ root.T), axis=1),
            ),
        )


def _own(residual: Float[Array, "*n"], noise: Float[Array, "*n"]) -> Float[Array, "*n"]:
    """Return how much of what an answer says is kept as the item's own."""
    whole = residual + noise
    return residual / jnp.where(whole > 0, whole, 1)
