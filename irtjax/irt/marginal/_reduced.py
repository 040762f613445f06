r"""Newton steps of a marginal likelihood: $(D - \sum_j U_j^\top U_j)\, x = b$.

$D$ is block-diagonal over items but for the shared parameters and each $U_j$ has a few
rows. A small table is solved by elimination. A large one by conjugate gradients after
division by $D$: all but a few eigenvalues are then close together, and the few are the
directions in which an EM algorithm crawls.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from .._blocks import Blocks, Vector, factorise

Scalar = Float[Array, ""]

# Rows of the matrix that elimination would factorise, from which on it is not formed.
_LARGEST_FACTOR = 256
_TOLERANCE = 1e-7
_MAX_STEPS = 200


def solve(blocks: Blocks, right: Vector) -> Vector:
    """Return the solution for a matrix whose system blocks are the identity.

    Args:
        blocks: $I$, $-U$ and $D$.
        right: 0 for the systems.

    Returns:
        Not a number where the matrix is not positive definite.
    """
    f, n_system, q, n_item = blocks.cross.shape
    if min(f * n_system, q * n_item) <= _LARGEST_FACTOR:
        return factorise(blocks).solve(right)
    return _conjugate_gradients(blocks, right)


class _State(NamedTuple):
    solution: Float[Array, " n"]
    residual: Float[Array, " n"]
    direction: Float[Array, " n"]
    square: Scalar
    steps: Int[Array, ""]
    failed: Bool[Array, ""]


def _conjugate_gradients(blocks: Blocks, right: Vector) -> Vector:
    f, n_system, q, n_item = blocks.cross.shape
    split = q * n_item
    link = jnp.reshape(blocks.cross, (f * n_system, split))
    shared_link = jnp.reshape(blocks.system_shared, (f * n_system, -1))
    between = jnp.reshape(blocks.item_shared, (split, -1))
    eye = jnp.zeros((1, 1, 0), link.dtype)
    alone = Blocks(
        eye,
        blocks.item,
        blocks.shared,
        jnp.zeros((1, 0, q, n_item), link.dtype),
        jnp.zeros((1, 0, blocks.shared.shape[0]), link.dtype),
        blocks.item_shared,
    )
    complete = factorise(alone)

    def divided(vector: Float[Array, " n"]) -> Float[Array, " n"]:
        parts = Vector(
            jnp.zeros((1, 0), vector.dtype),
            jnp.reshape(vector[:split], (q, n_item)),
            vector[split:],
        )
        solved = complete.solve(parts)
        return jnp.concatenate([jnp.ravel(solved.item), solved.shared])

    def times(vector: Float[Array, " n"]) -> Float[Array, " n"]:
        items, shared = vector[:split], vector[split:]
        along = link @ items + shared_link @ shared
        rows = jnp.reshape(items, (q, n_item))
        own = jnp.ravel(jnp.einsum("kmi,mi->ki", blocks.item, rows))
        return jnp.concatenate(
            [
                own + between @ shared - along @ link,
                between.T @ items + blocks.shared @ shared - along @ shared_link,
            ]
        )

    def step(state: _State) -> _State:
        image = times(state.direction)
        curvature = state.direction @ image
        length = state.square / curvature
        residual = state.residual - length * image
        white = divided(residual)
        square = residual @ white
        return _State(
            state.solution + length * state.direction,
            residual,
            white + square / state.square * state.direction,
            square,
            state.steps + 1,
            ~(curvature > 0),
        )

    flat = jnp.concatenate([jnp.ravel(right.item), right.shared])
    white = divided(flat)
    start = flat @ white
    state = jax.lax.while_loop(
        lambda s: (
            (s.square > _TOLERANCE**2 * start) & (s.steps < _MAX_STEPS) & ~s.failed
        ),
        step,
        _State(
            jnp.zeros_like(flat),
            flat,
            white,
            start,
            jnp.zeros((), jnp.int32),
            ~(start >= 0),
        ),
    )
    found = jnp.where(state.failed, jnp.nan, state.solution)
    items, shared = found[:split], found[split:]
    along = link @ items + shared_link @ shared
    return Vector(
        -jnp.reshape(along, (f, n_system)), jnp.reshape(items, (q, n_item)), shared
    )
