"""The only door from files, data frames and arrays to a table of responses."""

import dataclasses
from collections.abc import Hashable, Sequence
from pathlib import Path

import numpy as np
from jaxtyping import Bool, Float, Int

from ._columns import Frame, Identifiers
from ._layout import understand
from ._observations import Observations, Reading
from ._options import (
    Duplicates,
    Layout,
    Options,
    ScoreIs,
    Storage,
    SystemsIn,
    Trials,
    Values,
)
from ._readers import NativeFrame, read_file, read_frame
from ._resolve import resolve
from ._source import DataError, Source
from ._table import ResponseTable


def read_table(
    path: str | Path,
    *,
    systems_in: SystemsIn | None = None,
    score_is: ScoreIs | None = None,
    trials: Trials | None = None,
    duplicates: Duplicates = "error",
    layout: Layout | None = None,
    system: Hashable | None = None,
    item: Hashable | None = None,
    score: Hashable | None = None,
    successes: Hashable | None = None,
    values: Values | None = None,
    categories: int | Sequence[float | int] | None = None,
    missing: float | int | None = None,
    out_of: float | int = 1,
    ignore: Sequence[Hashable] = (),
    storage: Storage = "auto",
    least: int = 2,
) -> ResponseTable:
    """Return the table in a CSV, TSV, JSON lines or Parquet file, checked.

    The file is long (a row a result: system, item, and score or successes and trials)
    or wide (systems along one side, items along the other). Null, NaN and empty mean
    missing, as does NA, null or none in text. What an option leaves open is taken from
    the names of the columns, with a note in the table, or else it is an error that
    names the option.

    Args:
        path: the file; text formats may end in `.gz`. Text keeps identifiers as text.
        systems_in: wide files only: whether a row or a column is a system.
        score_is: whether the numbers count success (higher is better) or failure; None
            means success unless the column of a long file is named as an error or
            failure.
        trials: how many trials stand behind a result: a number, a column's name (long
            files), or a mapping from every system, or every item, to a number. None: a
            column with a usual name, or 1 where every score is 0 or 1, or unknown.
        duplicates: what to do with several results of one system on one item: refuse
            them, average them to one, add them up as repeated trials, or keep one.
        layout: long or wide; None tells by the names of the columns.
        system: the column of systems, or of identifiers in a wide file whose rows are
            systems.
        item: the column of items, or of identifiers in a wide file whose rows are
            items.
        score: the column of scores in [0, 1].
        successes: the column of successes, from 0 to the trials.
        values: what numbers given with trials are: scores in [0, 1] or successes. None
            tells by the numbers, and is an error where they leave it open.
        categories: the ordered categories: how many (0, 1, ...), or their values,
            lowest first. None: the results are not categories.
        missing: a number that marks a missing result, such as -1.
        out_of: the score that counts as 1, such as 100 for percentages.
        ignore: columns to leave out.
        storage: dense arrays, long form (successes only), or long form for tables over
            four million cells that are less than a tenth full.
        least: fewest systems, and items, that make sense: 1 where systems are scored on
            items that are known.

    Returns:
        The table, higher is better.

    Raises:
        DataError: if the input cannot be right or leaves something open; one message
            that names the file, row and column, and the option that settles it.
        ValueError: if an option is not one of its values.
    """
    options = Options(
        systems_in=systems_in,
        score_is=score_is,
        trials=trials,
        duplicates=duplicates,
        layout=layout,
        system=system,
        item=item,
        score=score,
        successes=successes,
        values=values,
        categories=categories,
        missing=missing,
        out_of=out_of,
        ignore=ignore,
        storage=storage,
        least=least,
    )
    return _read(read_file(path), options)


def table_from_frame(
    frame: NativeFrame,
    *,
    systems_in: SystemsIn | None = None,
    score_is: ScoreIs | None = None,
    trials: Trials | None = None,
    duplicates: Duplicates = "error",
    layout: Layout | None = None,
    system: Hashable | None = None,
    item: Hashable | None = None,
    score: Hashable | None = None,
    successes: Hashable | None = None,
    values: Values | None = None,
    categories: int | Sequence[float | int] | None = None,
    missing: float | int | None = None,
    out_of: float | int = 1,
    ignore: Sequence[Hashable] = (),
    storage: Storage = "auto",
    source: str = "data frame",
) -> ResponseTable:
    """Return the table in a pandas, polars or pyarrow frame, which is never changed.

    Identifiers come back as the frame holds them, integers as integers. A pandas index
    is read as columns in front, unless it only numbers the rows (unnamed integers).

    `frame` is long or wide, as in `read_table`, whose options these are; `source` is
    what messages call it.

    Returns:
        The table, higher is better.

    Raises:
        DataError: as `read_table`.
        ValueError: if an option is not one of its values.
    """
    options = Options(
        systems_in=systems_in,
        score_is=score_is,
        trials=trials,
        duplicates=duplicates,
        layout=layout,
        system=system,
        item=item,
        score=score,
        successes=successes,
        values=values,
        categories=categories,
        missing=missing,
        out_of=out_of,
        ignore=ignore,
        storage=storage,
    )
    return _read(read_frame(frame, source), options)


def table_from_matrix(
    array: Float[np.ndarray, "row column"]
    | Int[np.ndarray, "row column"]
    | Bool[np.ndarray, "row column"],
    system_ids: Sequence[Hashable] | None = None,
    item_ids: Sequence[Hashable] | None = None,
    *,
    systems_in: SystemsIn = "rows",
    score_is: ScoreIs | None = None,
    trials: float | int | Float[np.ndarray, "row column"] | None = None,
    values: Values | None = None,
    categories: int | Sequence[float | int] | None = None,
    missing: float | int | None = None,
    out_of: float | int = 1,
    source: str = "array",
) -> ResponseTable:
    """Return the table in a NumPy array, which is never changed.

    Args:
        array: scores or successes, one system a row (see `systems_in`); NaN is missing.
        system_ids: one a system; numbered from 0 where None.
        item_ids: one an item; numbered from 0 where None.
        systems_in: whether a row or a column of the array is a system.
        score_is: as in `read_table`.
        trials: one number, or an array of the shape of `array`; 0 is not run.
        values: as in `read_table`.
        categories: as in `read_table`.
        missing: as in `read_table`.
        out_of: as in `read_table`.
        source: the array's name in messages.

    Returns:
        The table, higher is better.

    Raises:
        DataError: as `read_table`.
        ValueError: if an option, a shape or a number of identifiers is wrong.
    """
    if array.ndim != 2:
        raise ValueError(f"A matrix has two axes, got the shape {array.shape}.")
    array_given = isinstance(trials, np.ndarray)
    if array_given and categories is not None:
        raise ValueError("Give `categories` or `trials`, not both.")
    options = Options(
        systems_in=systems_in,
        score_is=score_is,
        trials=None if array_given else trials,
        values=values,
        categories=categories,
        missing=missing,
        out_of=out_of,
    )
    value = np.array(array, float)
    down, across = np.indices(value.shape).reshape(2, -1)
    system_index, item_index = (
        (down, across) if systems_in == "rows" else (across, down)
    )
    n_system, n_item = value.shape if systems_in == "rows" else value.shape[::-1]
    by_cell, trials_from = None, ""
    if trials is not None:
        by_cell = np.broadcast_to(np.asarray(trials, float), value.shape).reshape(-1)
        trials_from = "an array" if array_given else f"declared: {trials:g}"
    observations = Observations(
        Identifiers(_ids(system_ids, n_system, "system"), system_index),
        Identifiers(_ids(item_ids, n_item, "item"), item_index),
        value.reshape(-1),
        values or (None if trials is not None else "score"),
        by_cell,
        trials_from,
        lambda k: Source(source).place(k // value.shape[1], k % value.shape[1] + 1),
    )
    return _table(Reading(observations, systems_in, score_is, ()), options, source)


def _ids(
    given: Sequence[Hashable] | None, count: int, word: str
) -> tuple[Hashable, ...]:
    ids = tuple(range(count)) if given is None else tuple(given)
    if len(ids) != count:
        raise ValueError(f"There are {count} {word}s and {len(ids)} identifiers.")
    if len(set(ids)) < count:
        twice = next(each for each in ids if ids.count(each) > 1)
        raise DataError(f"The {word} identifier {twice!r} stands twice.")
    return ids


def _read(frame: Frame, options: Options) -> ResponseTable:
    return _table(understand(frame, options), options, frame.source.name)


def _table(reading: Reading, options: Options, source: str) -> ResponseTable:
    observations = reading.observations
    score_is: ScoreIs = reading.score_is or "success"
    resolved = resolve(observations, options, score_is, source)
    table = ResponseTable(
        responses=resolved.responses,
        system_ids=observations.system.ids,
        item_ids=observations.item.ids,
        source=source,
        score_is=score_is,
        systems_in=reading.systems_in,
        trials_from=resolved.trials_from,
        notes=(*reading.notes, *resolved.notes),
    )
    if reading.score_is is not None:
        return table
    note = (
        "Higher numbers were taken to be better, since nothing says otherwise; pass "
        "score_is='failure' if the wrong system is on top."
    )
    return dataclasses.replace(table, notes=(*table.notes, note))
