"""Dense factorisations that a batch calls one table at a time on a processor.

A batched call of jaxlib's (0.10.2) LAPACK shares its matrices out over the processor's
one pool of threads and waits for them, holding a thread itself. Two programs that do so
at once can hold every thread and wait for ever. A call on a single matrix waits for
nobody, and on tables of ordinary size costs no more, so that each core can work on a
program of its own.
"""

from collections.abc import Callable

import jax
from jax.custom_batching import custom_vmap
from jaxtyping import Array, Float, PyTree


def one_by_one(function: Callable[..., PyTree]) -> Callable[..., PyTree]:
    """Return a function that vmap turns into a loop on a processor.

    On other devices it is batched as ever. It has no derivative of its own.

    Args:
        function: of arrays. All of them are mapped over or none is.
    """

    @custom_vmap
    def called(*arrays: Array) -> PyTree:
        return function(*arrays)

    @called.def_vmap
    def batched(size: int, mapped: list[bool], *arrays: Array) -> tuple[PyTree, PyTree]:
        def spread(array: Array, own: bool) -> Array:
            return array if own else jax.numpy.broadcast_to(array, (size, *array.shape))

        arrays = tuple(map(spread, arrays, mapped))
        result = jax.lax.platform_dependent(
            *arrays,
            cpu=lambda *rows: jax.lax.map(lambda row: called(*row), rows),
            default=jax.vmap(function),
        )
        return result, jax.tree.map(lambda leaf: True, result)

    return called


@jax.custom_jvp
def cholesky(matrix: Float[Array, "n n"]) -> Float[Array, "n n"]:
    """Return the lower factor; not a number if the matrix is not positive definite.

    Args:
        matrix: symmetric; only its lower triangle is read.
    """
    return _cholesky(matrix)


@cholesky.defjvp
def _cholesky_jvp(primals, tangents):
    # Where derivatives are asked for, JAX's own rule serves.
    return jax.jvp(_plain_cholesky, primals, tangents)


def cholesky_solve(
    lower: Float[Array, "n n"], right: Float[Array, "n m"]
) -> Float[Array, "n m"]:
    """Return the inverse of `lower` times its transpose, times the right-hand side."""
    return jax.lax.custom_linear_solve(
        lambda solved: lower @ (lower.T @ solved),
        right,
        lambda _, right: _cholesky_solve(lower, right),
        symmetric=True,
    )


def _plain_cholesky(matrix: Float[Array, "n n"]) -> Float[Array, "n n"]:
    return jax.lax.linalg.cholesky(matrix, symmetrize_input=False)


def _plain_cholesky_solve(
    lower: Float[Array, "n n"], right: Float[Array, "n m"]
) -> Float[Array, "n m"]:
    half = jax.lax.linalg.triangular_solve(lower, right, left_side=True, lower=True)
    return jax.lax.linalg.triangular_solve(
        lower, half, left_side=True, lower=True, transpose_a=True
    )


_cholesky = one_by_one(_plain_cholesky)
_cholesky_solve = one_by_one(_plain_cholesky_solve)
