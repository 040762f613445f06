"""Two snapshots of a leaderboard laid over each other, cell by cell."""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int

from irtjax.data import AbstractResponses, LongResponses, ResponseTable

# Outcomes that differ by less were written with other digits, not measured again.
_SAME = 1e-9


class Snapshots(NamedTuple):
    """Both tables over the systems and items of either, those of the new one first.

    Attributes:
        system_ids: of either table.
        item_ids: of either table.
        old: responses of the old table; nothing observed where it had no such system.
        new: those of the new one.
        union: the new table's cells, and the old one's where the new one has none.
        old_rows: which systems the old table had.
        new_rows: which the new one has.
        old_columns: which items the old table had.
        new_columns: which the new one has.
        same: cells that both hold with equal content.
    """

    system_ids: tuple[Hashable, ...]
    item_ids: tuple[Hashable, ...]
    old: AbstractResponses
    new: AbstractResponses
    union: AbstractResponses
    old_rows: Bool[np.ndarray, " system"]
    new_rows: Bool[np.ndarray, " system"]
    old_columns: Bool[np.ndarray, " item"]
    new_columns: Bool[np.ndarray, " item"]
    same: Bool[np.ndarray, "system item"]

    def seen(self) -> tuple[Bool[np.ndarray, "..."], Bool[np.ndarray, "..."]]:
        """Return which cells the old table holds, and which the new one does."""
        return np.asarray(self.old.observed()), np.asarray(self.new.observed())


def align(old: ResponseTable, new: ResponseTable) -> Snapshots:
    """Return two tables over the systems and items of either.

    Args:
        old: the earlier table.
        new: the later one.

    Raises:
        ValueError: if they hold results of different kinds, or have no system or no
            item in common.
    """
    before, after = _dense(old.responses), _dense(new.responses)
    if type(before) is not type(after) or _depth(before) != _depth(after):
        raise ValueError(
            f"{old.source} and {new.source} hold results of different kinds "
            f"(trials: {old.trials_from}; {new.trials_from}), so they cannot be "
            "compared. Say how many trials stand behind a score by trials=."
        )
    for word, one, other in (
        ("system", old.system_ids, new.system_ids),
        ("item", old.item_ids, new.item_ids),
    ):
        if not set(one) & set(other):
            raise ValueError(
                f"{old.source} and {new.source} have no {word} in common, such as "
                f"{one[0]!r} and {other[0]!r}: nothing can have moved. Are the names "
                "spelt alike?"
            )
    system_ids = _together(new.system_ids, old.system_ids)
    item_ids = _together(new.item_ids, old.item_ids)

    def spread(table: ResponseTable, responses: AbstractResponses) -> AbstractResponses:
        rows = _places(system_ids, table.system_ids)
        columns = _places(item_ids, table.item_ids)

        def onto(leaf: Array) -> Array:
            empty = jnp.zeros((len(system_ids), len(item_ids), *leaf.shape[2:]), float)
            at = (rows[:, None], columns[None, :])
            return empty.at[at].set(leaf.astype(empty.dtype))

        return jax.tree.map(onto, responses)

    before, after = spread(old, before), spread(new, after)
    seen = after.observed()

    def later(one: Array, other: Array) -> Array:
        wide = seen.reshape(seen.shape + (1,) * (one.ndim - 2))
        return jnp.where(wide, other, one)

    return Snapshots(
        system_ids,
        item_ids,
        before,
        after,
        jax.tree.map(later, before, after),
        np.isin(np.arange(len(system_ids)), _places(system_ids, old.system_ids)),
        np.isin(np.arange(len(system_ids)), _places(system_ids, new.system_ids)),
        np.isin(np.arange(len(item_ids)), _places(item_ids, old.item_ids)),
        np.isin(np.arange(len(item_ids)), _places(item_ids, new.item_ids)),
        _same(before, after),
    )


def _dense(responses: AbstractResponses) -> AbstractResponses:
    return responses.dense() if isinstance(responses, LongResponses) else responses


def _depth(responses: AbstractResponses) -> list[tuple[int, ...]]:
    return [leaf.shape[2:] for leaf in jax.tree.leaves(responses)]


def _together(
    first: Sequence[Hashable], second: Sequence[Hashable]
) -> tuple[Hashable, ...]:
    """Return the first's entries, then those that only the second has."""
    return tuple(dict.fromkeys((*first, *second)))


def _places(
    ids: tuple[Hashable, ...], wanted: tuple[Hashable, ...]
) -> Int[np.ndarray, " wanted"]:
    place = {each: k for k, each in enumerate(ids)}
    return np.array([place[each] for each in wanted], int)


def _same(
    old: AbstractResponses, new: AbstractResponses
) -> Bool[np.ndarray, "system item"]:
    equal = np.asarray(old.observed()) & np.asarray(new.observed())
    for one, other in zip(jax.tree.leaves(old), jax.tree.leaves(new), strict=True):
        near = np.abs(np.asarray(one) - np.asarray(other)) < _SAME
        equal &= near.reshape(*equal.shape, -1).all(axis=2)
    return equal
