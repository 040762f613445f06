r"""The information matrix of a two-way table, and its inverse by block elimination.

A cell links one system and one item, so the matrix over all parameters has blocks

$$\begin{pmatrix} A & B & C_s \\ B^\top & D & C_i \\ C_s^\top & C_i^\top & E
\end{pmatrix}$$

with $A$ block-diagonal over systems, $D$ block-diagonal over items and a small shared
block $E$. Eliminating the items (or the systems, whichever leaves less) costs one small
inverse each; what remains is one dense matrix over the other side and the shared
parameters.
"""

from typing import NamedTuple

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from ._dense import cholesky, cholesky_solve

Scalar = Float[Array, ""]


class Vector(NamedTuple):
    """One number a parameter: a gradient, a step, a diagonal.

    Attributes:
        system: parameter first, so that one parameter's numbers lie side by side.
        item: likewise.
        shared: one a shared parameter.
    """

    system: Float[Array, "p system"]
    item: Float[Array, "q item"]
    shared: Float[Array, " s"]

    def largest(self) -> Scalar:
        """Return the largest magnitude; not a number if any entry is not."""
        sizes = [jnp.max(jnp.abs(part), initial=0) for part in self]
        return jnp.maximum(jnp.maximum(sizes[0], sizes[1]), sizes[2])


class Blocks(eqx.Module):
    """A symmetric matrix over the parameters of a table, by its blocks.

    Attributes:
        system: within each system.
        item: within each item.
        shared: within the shared parameters.
        cross: between each system and each item.
        system_shared: between each system and the shared parameters.
        item_shared: between each item and the shared parameters.
    """

    system: Float[Array, "p p system"]
    item: Float[Array, "q q item"]
    shared: Float[Array, "s s"]
    cross: Float[Array, "p system q item"]
    system_shared: Float[Array, "p system s"]
    item_shared: Float[Array, "q item s"]

    def transposed(self) -> "Blocks":
        """Return the same matrix with systems and items in each other's place."""
        return Blocks(
            self.item,
            self.system,
            self.shared,
            jnp.transpose(self.cross, (2, 3, 0, 1)),
            self.item_shared,
            self.system_shared,
        )

    def diagonal(self) -> Vector:
        """Return the diagonal."""
        return Vector(
            jnp.einsum("kkj->kj", self.system),
            jnp.einsum("kki->ki", self.item),
            jnp.diagonal(self.shared),
        )

    def add_diagonal(self, diagonal: Vector) -> "Blocks":
        """Return the matrix with a diagonal one added."""

        def added(blocks: Float[Array, "k k row"], values: Float[Array, "k row"]):
            eye = jnp.eye(blocks.shape[0], dtype=blocks.dtype)
            return blocks + eye[:, :, None] * values[None, :, :]

        return eqx.tree_at(
            lambda b: (b.system, b.item, b.shared),
            self,
            (
                added(self.system, diagonal.system),
                added(self.item, diagonal.item),
                self.shared + jnp.diag(diagonal.shared),
            ),
        )


class Factor(eqx.Module):
    """A factorised information matrix. It solves, and it gives blocks of the inverse.

    The *inner* side has been eliminated; the *outer* side and the shared parameters
    stay. If the matrix is not positive definite all results are not a number.

    Attributes:
        inner_inverse: inverse of each inner block.
        weights: outer and shared rows of the cross block times `inner_inverse`.
        outer: lower Cholesky factor of what remains, parameter-major, shared last.
        items_outer: whether items are the side that stays.
        n_outer: parameters a row of the outer side, and its number of rows.
    """

    inner_inverse: Float[Array, "k k inner"]
    weights: Float[Array, "outer k inner"]
    outer: Float[Array, "outer outer"]
    items_outer: bool = eqx.field(static=True)
    n_outer: tuple[int, int] = eqx.field(static=True)

    def solve(self, right: Vector) -> Vector:
        """Return the matrix's inverse times a vector."""
        outer, inner = right.system, right.item
        if self.items_outer:
            outer, inner = inner, outer
        reduced = jnp.concatenate([jnp.ravel(outer), right.shared])
        reduced = reduced - jnp.einsum("oki,ki->o", self.weights, inner)
        kept = cholesky_solve(self.outer, reduced[:, None])[:, 0]
        eliminated = jnp.einsum("kli,li->ki", self.inner_inverse, inner)
        eliminated = eliminated - jnp.einsum("oki,o->ki", self.weights, kept)
        split = self.n_outer[0] * self.n_outer[1]
        solved = jnp.reshape(kept[:split], self.n_outer)
        parts = (eliminated, solved) if self.items_outer else (solved, eliminated)
        return Vector(*parts, kept[split:])

    def log_determinant(self) -> Scalar:
        """Return the logarithm of the matrix's determinant."""
        kept = 2 * jnp.sum(jnp.log(jnp.diagonal(self.outer)))
        return kept - jnp.sum(_log_determinants_small(self.inner_inverse))

    def outer_covariance(self) -> Float[Array, "outer outer"]:
        """Return the inverse's part for the outer side and the shared parameters."""
        identity = jnp.eye(self.outer.shape[0], dtype=self.outer.dtype)
        return cholesky_solve(self.outer, identity)

    def inner_covariance(
        self, outer: Float[Array, "outer outer"]
    ) -> Float[Array, "k k inner"]:
        """Return the inverse's diagonal block of each row of the inner side.

        Args:
            outer: what `outer_covariance` returns.
        """
        spread = jnp.tensordot(outer, self.weights, axes=1)
        return self.inner_inverse + jnp.einsum("oki,oli->kli", self.weights, spread)


def factorise(blocks: Blocks) -> Factor:
    """Return the factor of a positive definite matrix, the larger side eliminated."""
    p, n_system, q, n_item = blocks.cross.shape
    items_outer = q * n_item < p * n_system
    if items_outer:
        blocks = blocks.transposed()
        n_outer = (q, n_item)
    else:
        n_outer = (p, n_system)
    return _eliminate(blocks, items_outer, n_outer)


def _eliminate(blocks: Blocks, items_outer: bool, n_outer: tuple[int, int]) -> Factor:
    k, n_inner = blocks.cross.shape[2:]
    size = n_outer[0] * n_outer[1]
    cross = jnp.reshape(blocks.cross, (size, k, n_inner))
    link = jnp.reshape(blocks.system_shared, (size, blocks.shared.shape[0]))
    if link.shape[1]:
        shared_rows = jnp.transpose(blocks.item_shared, (2, 0, 1))
        cross = jnp.concatenate([cross, shared_rows], axis=0)
    inverse = invert_small(blocks.item)
    weights = _times_small(cross, inverse)
    total = cross.shape[0]
    flat = (total, k * n_inner)
    removed = jnp.reshape(weights, flat) @ jnp.reshape(cross, flat).T
    kept = _block_diagonal(blocks.system)
    if link.shape[1]:
        kept = jnp.block([[kept, link], [link.T, blocks.shared]])
    outer = cholesky(kept - removed)
    return Factor(inverse, weights, outer, items_outer, n_outer)


def dense(blocks: Blocks) -> Float[Array, "all all"]:
    """Return the full matrix: systems, items (parameter-major), then shared ones."""
    p, n_system, q, n_item = blocks.cross.shape
    n = (p * n_system, q * n_item)
    cross = jnp.reshape(blocks.cross, n)
    left = jnp.reshape(blocks.system_shared, (n[0], blocks.shared.shape[0]))
    right = jnp.reshape(blocks.item_shared, (n[1], blocks.shared.shape[0]))
    return jnp.block(
        [
            [_block_diagonal(blocks.system), cross, left],
            [cross.T, _block_diagonal(blocks.item), right],
            [left.T, right.T, blocks.shared],
        ]
    )


def _block_diagonal(blocks: Float[Array, "k k row"]) -> Float[Array, "all all"]:
    """Return the matrix with these blocks, parameter-major, and zero elsewhere."""
    k, _, n_row = blocks.shape
    eye = jnp.eye(n_row, dtype=blocks.dtype)
    wide = jnp.transpose(blocks, (0, 2, 1))[:, :, :, None] * eye[None, :, None, :]
    return jnp.reshape(wide, (k * n_row, k * n_row))


def invert_small(blocks: Float[Array, "k k row"]) -> Float[Array, "k k row"]:
    """Return each block's inverse; not a number where it is not positive definite."""
    if blocks.shape[0] == 0:
        return blocks
    if blocks.shape[0] == 1:
        return jnp.where(blocks > 0, 1 / blocks, jnp.nan)
    if blocks.shape[0] == 2:
        corner = blocks[0, 0]
        determinant = corner * blocks[1, 1] - blocks[0, 1] ** 2
        scale = jnp.where((corner > 0) & (determinant > 0), 1 / determinant, jnp.nan)
        off = -blocks[0, 1] * scale
        return jnp.stack(
            [
                jnp.stack([blocks[1, 1] * scale, off]),
                jnp.stack([off, corner * scale]),
            ]
        )
    return _invert_bordered(blocks)


def _invert_bordered(blocks: Float[Array, "k k row"]) -> Float[Array, "k k row"]:
    """Return each block's inverse, one parameter joining at a time.

    Elementwise over rows, where a batched factorisation would call a library once a
    block. Each step is one pivot of an elimination: a block is positive definite if all
    are positive.
    """
    inverse = invert_small(blocks[:1, :1])
    for k in range(1, blocks.shape[0]):
        border = jnp.sum(inverse * blocks[:k, k][None, :, :], axis=1)
        pivot = blocks[k, k] - jnp.sum(border * blocks[:k, k], axis=0)
        corner = jnp.where(pivot > 0, 1 / pivot, jnp.nan)
        side = -border * corner[None, :]
        within = inverse - side[:, None, :] * border[None, :, :]
        above = jnp.concatenate([within, side[:, None, :]], axis=1)
        below = jnp.concatenate([side, corner[None, :]], axis=0)
        inverse = jnp.concatenate([above, below[None, :, :]], axis=0)
    return inverse


def _log_determinants_small(blocks: Float[Array, "k k row"]) -> Float[Array, " row"]:
    """Return the logarithm of each positive definite block's determinant."""
    total = jnp.zeros(blocks.shape[-1], blocks.dtype)
    # Pivots of an elimination, elementwise over rows.
    while blocks.shape[0]:
        pivot = blocks[0, 0]
        total = total + jnp.log(pivot)
        removed = blocks[1:, 0][:, None, :] * blocks[0, 1:][None, :, :]
        blocks = blocks[1:, 1:] - removed / pivot[None, None, :]
    return total


def _times_small(
    cross: Float[Array, "outer k inner"], small: Float[Array, "k k inner"]
) -> Float[Array, "outer k inner"]:
    """Return each outer row times each inner block, summed by hand: k is small."""
    n = small.shape[0]
    columns = [
        sum(cross[:, m] * small[m, k][None, :] for m in range(n)) for k in range(n)
    ]
    return jnp.stack(columns, axis=1) if n else cross
