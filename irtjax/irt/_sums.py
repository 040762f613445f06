"""A table's log-likelihood to second order, summed from its cells."""

from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Float

from ._blocks import Blocks, Vector
from ._cells import Jet

Scalar = Float[Array, ""]


class Sums(NamedTuple):
    """A function of all parameters of a table, to second order.

    Attributes:
        value: in nats.
        gradient: by the unconstrained parameters.
        curvature: its second derivatives.
    """

    value: Scalar
    gradient: Vector
    curvature: Blocks


def sum_cells(cells: Jet, p: int, q: int) -> Sums:
    """Return the sums of cells' jets over rows and columns.

    Args:
        cells: every number of the jet is an array over systems and items.
        p: how many of its parameters are the system's; they come first.
        q: how many are the item's; those of all cells come last.
    """
    s = len(cells.first) - p - q
    like, dtype = cells.value, cells.value.dtype

    def second(k: int, m: int) -> Float[Array, "system item"]:
        k, m = min(k, m), max(k, m)
        return cells.second[k][m - k]

    def grid(rows: range, columns: range, axis, trailing: tuple[int, ...]):
        if not rows or not columns:
            return jnp.zeros((len(rows), len(columns), *trailing), dtype)
        return jnp.stack(
            [jnp.stack([jnp.sum(second(k, m), axis) for m in columns]) for k in rows]
        )

    def slopes(rows: range, axis, trailing: tuple[int, ...]):
        if not rows:
            return jnp.zeros((0, *trailing), dtype)
        return jnp.stack([jnp.sum(cells.first[k], axis) for k in rows])

    n_system, n_item = like.shape
    systems, items, commons = range(p), range(p, p + q), range(p + q, p + q + s)
    pairs = [jnp.stack([second(k, m) for m in items], axis=1) for k in systems if q]
    return Sums(
        jnp.sum(like),
        Vector(
            slopes(systems, 1, (n_system,)),
            slopes(items, 0, (n_item,)),
            slopes(commons, None, ()),
        ),
        Blocks(
            grid(systems, systems, 1, (n_system,)),
            grid(items, items, 0, (n_item,)),
            grid(commons, commons, None, ()),
            jnp.stack(pairs) if pairs else jnp.zeros((p, n_system, q, n_item), dtype),
            jnp.transpose(grid(systems, commons, 1, (n_system,)), (0, 2, 1)),
            jnp.transpose(grid(items, commons, 0, (n_item,)), (0, 2, 1)),
        ),
    )
