"""Whether the items that link two calibrations have stayed what they were."""

from collections.abc import Hashable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

from ._calibration import Calibration
from ._link import Link, common_items, free_parameters
from ._rescale import moved_parameters


class Drift(eqx.Module):
    """How far each common item has moved against the others.

    Attributes:
        item_ids: the common items.
        difference: of the unconstrained parameters, the other calibration's on the
            reference scale less the reference's.
        se: of `difference`, with the link's own error.
        p_value: of a Wald test that an item has not moved at all.
        moved: whether it has, at the level asked for over all items together (Holm).
    """

    item_ids: tuple[Hashable, ...] = eqx.field(static=True)
    difference: Float[Array, "item q"]
    se: Float[Array, "item q"]
    p_value: Float[Array, " item"]
    moved: Bool[Array, " item"]

    def moved_ids(self) -> tuple[Hashable, ...]:
        """Return the items that have moved; link again without them."""
        return tuple(
            each
            for each, moved in zip(self.item_ids, np.asarray(self.moved), strict=True)
            if moved
        )


def drift(
    reference: Calibration, other: Calibration, link: Link, *, level: float = 0.05
) -> Drift:
    """Return which common items differ by more than their errors after linking.

    Args:
        reference: whose scale is kept.
        other: linked to it by `link`.
        link: made from the same two calibrations.
        level: the chance of flagging any item when none has moved.

    Raises:
        ValueError: if the link is of other items, or as `rescale`.

    References:
        Lord (1980), *Applications of Item Response Theory to Practical Testing
        Problems*, ch. 14, for the chi-square of an item's parameters. Holm (1979), A
        simple sequentially rejective multiple test procedure, Scand. J. Statistics 6.
    """
    kept, moved = common_items(reference, other)
    if kept.item_ids != link.item_ids:
        raise ValueError("The link was made from other items than these two share.")
    n_item, q = kept.item.shape
    there, by_other, by_line = moved_parameters(moved, link)
    apart = (there - free_parameters(kept))[: n_item * q]
    by_other = by_other + by_line @ link.by_other
    by_kept = by_line @ link.by_reference - jnp.eye(by_line.shape[0], dtype=apart.dtype)
    covariance = (
        by_other @ moved.covariance @ by_other.T + by_kept @ kept.covariance @ by_kept.T
    )
    at = jnp.arange(n_item)[:, None] + n_item * jnp.arange(q)[None, :]
    difference = apart[at]
    blocks = covariance[at[:, :, None], at[:, None, :]]
    solved = jnp.linalg.solve(blocks, difference[:, :, None])[:, :, 0]
    wald = jnp.sum(difference * solved, axis=1)
    p_value = jax.scipy.special.gammaincc(
        jnp.full_like(wald, q / 2), jnp.maximum(wald, 0) / 2
    )
    se = jnp.sqrt(jnp.diagonal(blocks, axis1=1, axis2=2))
    return Drift(kept.item_ids, difference, se, p_value, _holm(p_value, level))


def _holm(p_value: Float[Array, " item"], level: float) -> Bool[Array, " item"]:
    n = p_value.shape[0]
    order = jnp.argsort(p_value)
    allowed = level / (n - jnp.arange(n, dtype=p_value.dtype))
    below = jnp.cumprod(p_value[order] <= allowed) > 0
    return jnp.zeros(n, bool).at[order].set(below)
