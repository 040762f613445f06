"""Several rows about one cell, and the arrays that the cells end up in."""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float, Int

from ._kinds import Cells
from ._observations import Observations
from ._options import Duplicates, Storage
from ._responses import (
    AbstractResponses,
    BinomialResponses,
    CategoricalResponses,
    LongResponses,
    ScoreResponses,
)
from ._source import DataError

DENSE_CELLS = 4_000_000
"""A table of more cells than this, of which less than a tenth is observed, is stored as
`LongResponses` unless the caller asks otherwise."""


class Merged(NamedTuple):
    """One row a cell.

    Attributes:
        system_index: of each cell.
        item_index: of each cell; cells are in row-major order.
        sums: what `Cells.sums` holds, merged.
        notes: on duplicates.
    """

    system_index: Int[np.ndarray, " cell"]
    item_index: Int[np.ndarray, " cell"]
    sums: Float[np.ndarray, "cell part"]
    notes: tuple[str, ...]


def merge(cells: Cells, observations: Observations, duplicates: Duplicates) -> Merged:
    """Return one row a cell, duplicates treated as asked.

    Raises:
        DataError: at the first duplicate, if `duplicates` is "error".
    """
    row = np.flatnonzero(cells.seen)
    n_item = len(observations.item.ids)
    code = observations.system.index[row] * n_item + observations.item.index[row]
    unique, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    sums = cells.sums[row]
    again = first[inverse] != np.arange(len(row))
    notes: tuple[str, ...] = ()
    if again.any():
        if duplicates == "error":
            k = int(np.argmax(again))
            _refuse_duplicate(observations, int(row[k]), int(row[first[inverse[k]]]))
        notes = (f"{np.count_nonzero(again):,} duplicate results: {duplicates}.",)
    if duplicates == "last":
        sums = sums[len(row) - 1 - np.unique(code[::-1], return_index=True)[1]]
    elif duplicates in ("sum", "mean") and again.any():
        total = [np.bincount(inverse, part, len(unique)) for part in sums.T]
        sums = np.stack(total, axis=1)
        if duplicates == "mean":
            sums = sums / np.bincount(inverse, minlength=len(unique))[:, None]
    else:
        sums = sums[first]
    return Merged(unique // n_item, unique % n_item, sums, notes)


def _refuse_duplicate(observations: Observations, row: int, earlier: int) -> None:
    system = observations.system.ids[observations.system.index[row]]
    item = observations.item.ids[observations.item.index[row]]
    raise DataError(
        f"{observations.place(row)}: system {system!r} already has a result on item "
        f"{item!r} ({observations.place(earlier)}). Pass duplicates='sum' to add them "
        "up as repeated trials, or 'mean', 'first' or 'last'."
    )


def store(
    merged: Merged,
    kind: type[AbstractResponses],
    observations: Observations,
    storage: Storage,
) -> tuple[AbstractResponses, tuple[str, ...]]:
    """Return the cells as responses in the default float type, and notes on storage."""
    shape = len(observations.system.ids), len(observations.item.ids)
    n_cell = shape[0] * shape[1]
    sparse = n_cell > DENSE_CELLS and len(merged.sums) < n_cell / 10
    wanted = storage == "long" or (storage == "auto" and sparse)
    if wanted and kind is BinomialResponses:
        return _long(merged, shape), ("The table is stored in long form (sparse).",)
    if storage == "long":
        raise DataError(
            "Only successes out of trials can be stored in long form. Pass trials= "
            "with the number of trials, or storage='dense'."
        )
    full = np.zeros((*shape, merged.sums.shape[1]))
    full[merged.system_index, merged.item_index] = merged.sums
    if kind is CategoricalResponses:
        return CategoricalResponses(jnp.asarray(full, float)), ()
    first, second = full[..., 0], full[..., 1]
    if kind is ScoreResponses:
        score = first / np.where(second > 0, second, 1)
        return ScoreResponses(jnp.asarray(score, float), jnp.asarray(second, float)), ()
    return BinomialResponses(jnp.asarray(first, float), jnp.asarray(second, float)), ()


def _long(merged: Merged, shape: tuple[int, int]) -> LongResponses:
    return LongResponses(
        jnp.asarray(merged.system_index.astype(np.int32)),
        jnp.asarray(merged.item_index.astype(np.int32)),
        jnp.asarray(merged.sums[:, 0], float),
        jnp.asarray(merged.sums[:, 1], float),
        *shape,
    )
