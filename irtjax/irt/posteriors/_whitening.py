r"""Coordinates in which a posterior is about standard normal.

Near its mode a posterior is about $\mathcal N(\hat u, M^{-1})$ with $M$ the information
there, so $u = \hat u + R z$ with $R R^\top = M^{-1}$ makes of $z$ about a standard
normal vector: a sampler's steps can be equally long in every direction. $R$ comes from
the factor by block elimination and costs as much memory as a table, not its square.
"""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from .._blocks import Factor, Vector, factorise
from .._dense import cholesky_solve
from .._model import Estimate
from .._posterior import Posterior


class Whitening(eqx.Module):
    r"""The map $u = \hat u + R z$ and its transpose.

    Attributes:
        center: $\hat u$.
        inner_root: lower root of the inverse of each inner block.
        weights: as in `Factor`.
        outer_root: upper root of the outer side's covariance.
        items_outer: whether items are the outer side.
    """

    center: Estimate
    inner_root: Float[Array, "k k inner"]
    weights: Float[Array, "outer k inner"]
    outer_root: Float[Array, "outer outer"]
    items_outer: bool = eqx.field(static=True)

    @property
    def size(self) -> int:
        """Return how many parameters there are."""
        _, k, n_inner = self.weights.shape
        return self.outer_root.shape[0] + k * n_inner

    def log_volume(self) -> Float[Array, ""]:
        """Return the logarithm of how much volume the map gives a unit of `z`."""
        kept = jnp.sum(jnp.log(jnp.abs(jnp.diagonal(self.outer_root))))
        inner = jnp.log(jnp.abs(jnp.einsum("kki->ki", self.inner_root)))
        return kept + jnp.sum(inner)

    def forward(self, z: Float[Array, " all"]) -> Estimate:
        """Return the parameters at a point of the whitened space."""
        n_outer, k, n_inner = self.weights.shape
        outer = self.outer_root @ z[:n_outer]
        inner = jnp.einsum(
            "kli,li->ki", self.inner_root, jnp.reshape(z[n_outer:], (k, n_inner))
        )
        inner = inner - jnp.einsum("oki,o->ki", self.weights, outer)
        n_shared = self.center.shared.shape[0]
        side = self.center.item if self.items_outer else self.center.system
        split = n_outer - n_shared
        kept = jnp.reshape(outer[:split], side.T.shape)
        system, item = (inner, kept) if self.items_outer else (kept, inner)
        return Estimate(
            self.center.system + system.T,
            self.center.item + item.T,
            self.center.shared + outer[split:],
        )

    def pull(self, gradient: Vector) -> Float[Array, " all"]:
        r"""Return $R^\top g$: a gradient by the parameters as one by $z$."""
        outer, inner = gradient.system, gradient.item
        if self.items_outer:
            outer, inner = inner, outer
        flat = jnp.concatenate([jnp.ravel(outer), gradient.shared])
        flat = flat - jnp.einsum("oki,ki->o", self.weights, inner)
        rooted = jnp.einsum("kli,ki->li", self.inner_root, inner)
        return jnp.concatenate([flat @ self.outer_root, jnp.ravel(rooted)])


def whiten(center: Estimate, factor: Factor) -> Whitening:
    """Return the coordinates around `center` in which the factored matrix is 1.

    Not a number where the matrix is not positive definite.
    """
    identity = jnp.eye(factor.outer.shape[0], dtype=factor.outer.dtype)
    # The upper root U of S^-1 = U U^T is S^-1 L, with S = L L^T.
    return Whitening(
        center,
        _small_roots(factor.inner_inverse),
        factor.weights,
        cholesky_solve(factor.outer, identity) @ factor.outer,
        factor.items_outer,
    )


def _small_roots(blocks: Float[Array, "k k row"]) -> Float[Array, "k k row"]:
    """Return each block's lower Cholesky factor, written out: k is 1 or 2 as a rule.

    A batched LAPACK call would have to wait for the other ones of a program.
    """
    n = blocks.shape[0]
    rows: list[list[Float[Array, " row"]]] = []
    for a in range(n):
        row: list[Float[Array, " row"]] = []
        for b in range(a + 1):
            rest = blocks[a, b] - sum(
                (row[c] * (row if b == a else rows[b])[c] for c in range(b)),
                jnp.zeros_like(blocks[a, b]),
            )
            row.append(jnp.sqrt(rest) if a == b else rest / rows[b][b])
        rows.append(row)
    if n == 0:
        return blocks
    nothing = jnp.zeros_like(blocks[0, 0])
    return jnp.stack([jnp.stack([*row, *[nothing] * (n - len(row))]) for row in rows])


def whitening_at(problem: Posterior, start: Estimate) -> Whitening:
    """Return the coordinates that the observed information at a point suggests.

    Where that is not positive definite they are those of the expected information.
    """

    def at(observed_share: float) -> Whitening:
        share = jnp.asarray(observed_share, start.system.dtype)
        return whiten(start, factorise(problem.evaluate(start, share).information))

    observed, expected = at(1.0), at(0.0)
    fine = jnp.all(jnp.isfinite(observed.outer_root))
    return jax.tree.map(
        lambda one, other: jnp.where(fine, one, other), observed, expected
    )
