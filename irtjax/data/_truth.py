"""Known truths: the abilities and items that simulated data are drawn from."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray, ScalarLike


class Truth(eqx.Module):
    """The true parameters of a two-parameter logistic (2PL) model.

    Attributes:
        ability: in logits.
        difficulty: in logits, on the scale of `ability`.
        discrimination: slopes, positive.
    """

    ability: Float[Array, " system"]
    difficulty: Float[Array, " item"]
    discrimination: Float[Array, " item"]


def sd_truth(gap: ScalarLike, *, n_system: int = 10, n_item: int = 10) -> Truth:
    """Return the truth of the 150-condition grid at a difficulty gap.

    Abilities evenly from -2 to 2, difficulties evenly from -gap/2 to gap/2 and
    discriminations evenly from 1 to 3, the hardest item the sharpest.

    Args:
        gap: the highest difficulty less the lowest, in logits; 0.5 to 5 in the grid.
        n_system: how many systems; 10 in the grid.
        n_item: how many items; 10 in the grid.

    References:
        Kang (2026), "The Scaling Law of Evaluation Failure", arXiv:2605.11205.
    """
    gap = jnp.asarray(gap, float)
    return Truth(
        ability=jnp.linspace(-2.0, 2.0, n_system, dtype=float),
        difficulty=gap * jnp.linspace(-0.5, 0.5, n_item, dtype=float),
        discrimination=jnp.linspace(1.0, 3.0, n_item, dtype=float),
    )


def normal_truth(
    gap: ScalarLike, *, n_system: int = 10, n_item: int = 10, key: PRNGKeyArray
) -> Truth:
    """Return the items of `sd_truth` and abilities drawn from N(0, 1).

    Args:
        gap: the highest difficulty less the lowest, in logits.
        n_system: how many systems.
        n_item: how many items.
        key: of the abilities.
    """
    items = sd_truth(gap, n_system=n_system, n_item=n_item)
    ability = jax.random.normal(key, (n_system,), items.difficulty.dtype)
    return eqx.tree_at(lambda truth: truth.ability, items, ability)


def difficulty_gap(truth: Truth) -> Float[Array, ""]:
    """Return the highest difficulty less the lowest, in logits."""
    return jnp.max(truth.difficulty) - jnp.min(truth.difficulty)
