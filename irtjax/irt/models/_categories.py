"""What models of ordered categories share."""

import jax.numpy as jnp
from jaxtyping import Array, Float

Scalar = Float[Array, ""]


def check_categories(n_category: int):
    """Raise if there are too few categories to tell systems apart."""
    if n_category < 2:
        raise ValueError(f"A response needs at least 2 categories, got {n_category}.")


def at_category(values: list[Scalar], category: Scalar) -> Scalar:
    """Return the value of a category; the nearest one's outside the list.

    A chain of choices instead of an index, so that it fuses with what comes next.
    """
    chosen = values[0]
    for k, value in enumerate(values[1:], start=1):
        chosen = jnp.where(category > k - 0.5, value, chosen)
    return chosen
