"""Cholesky factors of many tiny matrices, written out: one system has few parameters.

Batched calls of a linear algebra library cost more than the arithmetic at these sizes.
"""

import jax.numpy as jnp
from jaxtyping import Array, Float

Matrix = Float[Array, "p p row"]


def cholesky(matrix: Matrix) -> Matrix:
    """Return each lower factor; not a number where one is not positive definite."""
    p = matrix.shape[0]
    rows: list[list[Float[Array, " row"]]] = []
    for k in range(p):
        row: list[Float[Array, " row"]] = []
        for m in range(k + 1):
            left = (
                matrix[k, m] - sum(row[r] * rows[m][r] for r in range(m))
                if (m < k)
                else matrix[k, k] - sum(x * x for x in row)
            )
            if m < k:
                row.append(left / rows[m][m])
            else:
                row.append(jnp.sqrt(jnp.where(left > 0, left, jnp.nan)))
        rows.append(row)
    return _lower(rows, matrix)


def inverse_lower(lower: Matrix) -> Matrix:
    """Return the inverse of each lower triangular matrix."""
    p = lower.shape[0]
    rows: list[list[Float[Array, " row"]]] = []
    for k in range(p):
        row = [
            -sum(lower[k, r] * rows[r][m] for r in range(m, k)) / lower[k, k]
            for m in range(k)
        ]
        rows.append([*row, 1 / lower[k, k]])
    return _lower(rows, lower)


def _lower(rows: list[list[Float[Array, " row"]]], like: Matrix) -> Matrix:
    p = like.shape[0]
    zero = jnp.zeros_like(like[0, 0])
    return jnp.stack([jnp.stack(rows[k] + [zero] * (p - 1 - k)) for k in range(p)])
