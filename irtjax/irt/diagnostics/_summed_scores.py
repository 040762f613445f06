"""The distribution of the number of right answers at each ability."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float


def summed_score_chances(
    success: Float[Array, "node item"],
) -> Float[Array, "node score"]:
    """Return the chance of each number of right answers, from none to all.

    Items are independent at each node. An item with `success` 0 can be added without
    changing the chances of the other scores.

    References:
        Lord & Wingersky (1984), Comparison of IRT true-score and equipercentile
        observed-score "equatings", Applied Psychological Measurement 8, eq. 4.
    """
    n_node, n_item = success.shape
    start = jnp.zeros((n_node, n_item + 1), success.dtype).at[:, 0].set(1)

    def add(chance, of_item):
        right = of_item[:, None] * jnp.pad(chance[:, :-1], ((0, 0), (1, 0)))
        return (1 - of_item[:, None]) * chance + right, None

    return jax.lax.scan(add, start, success.T)[0]
