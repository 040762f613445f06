"""One column at a time: identifiers kept as given, and numbers with missing as NaN."""

import contextlib
from collections.abc import Hashable
from dataclasses import dataclass
from typing import NamedTuple

import narwhals as nw
import numpy as np
import polars as pl
from jaxtyping import Float, Int

from ._source import DataError, Source

Column = nw.Series | list

MISSING_TEXT = ("", "na", "n/a", "nan", "null", "none", "<na>")
_TRUTH_VALUES = {"true": "1", "false": "0"}


@dataclass(frozen=True)
class Frame:
    """Columns by label, in order, as they came from a file or a data frame.

    Attributes:
        columns: all of the same length.
        n_row: the number of data rows.
        source: for messages.
    """

    columns: dict[Hashable, Column]
    n_row: int
    source: Source


class Identifiers(NamedTuple):
    """The different identifiers of a column, and which of them each row holds.

    Attributes:
        ids: in order of first appearance, exactly as given.
        index: from 0 to `len(ids) - 1`.
    """

    ids: tuple[Hashable, ...]
    index: Int[np.ndarray, " row"]


def identifiers(frame: Frame, column: Hashable) -> Identifiers:
    """Return a column's identifiers, untouched: "007" stays "007" and 7 stays 7.

    Raises:
        DataError: if one is missing (null, NaN or empty) or cannot be hashed.
    """
    values = _to_list(frame.columns[column])
    try:
        ids = tuple(dict.fromkeys(values))
    except TypeError:
        raise DataError(
            f"{frame.source.name}, column {column!r}: identifiers must be text, "
            "numbers or other hashable values, not lists or objects."
        ) from None
    for each in ids:
        if each is None or each == "" or each != each:
            row = next(k for k, value in enumerate(values) if value is each)
            raise DataError(
                f"{frame.source.place(row, column)}: the identifier is missing. Fill "
                "it in or remove the row."
            )
    position = {each: k for k, each in enumerate(ids)}
    index = np.fromiter(map(position.__getitem__, values), np.int64, len(values))
    return Identifiers(ids, index)


def numbers(frame: Frame, column: Hashable) -> Float[np.ndarray, " row"]:
    """Return a column as numbers; NaN where null, NaN, empty or one of `MISSING_TEXT`.

    True and false count as 1 and 0, also where they are spelt out.

    Raises:
        DataError: at the first value that is not a number.
    """
    values = frame.columns[column]
    if isinstance(values, nw.Series):
        if values.dtype.is_numeric() or values.dtype == nw.Boolean:
            # A copy, since the array may share memory with the caller's frame.
            return np.array(values.cast(nw.Float64).to_numpy(), float)
    elif set(map(type, values)) <= {int, float, bool, type(None)}:
        # `_parse` takes an integer too large for a float to infinity, which is refused.
        with contextlib.suppress(OverflowError):
            return np.array(values, float)
    return _parse(frame, column)


def is_numeric(frame: Frame, column: Hashable) -> bool:
    """Return whether every value of a column is a number or missing."""
    try:
        numbers(frame, column)
    except DataError:
        return False
    return True


def _parse(frame: Frame, column: Hashable) -> Float[np.ndarray, " row"]:
    values = frame.columns[column]
    if not (isinstance(values, nw.Series) and values.dtype == nw.String):
        values = [None if each is None else str(each) for each in _to_list(values)]
    else:
        values = values.to_list()
    text = pl.Series(values, dtype=pl.String).str.strip_chars().str.to_lowercase()
    text = text.replace(_TRUTH_VALUES)
    missing = (text.is_null() | text.is_in(MISSING_TEXT)).to_numpy()
    parsed = text.cast(pl.Float64, strict=False)
    bad = parsed.is_null().to_numpy() & ~missing
    if bad.any():
        row = int(np.argmax(bad))
        raise DataError(
            f"{frame.source.place(row, column)}: {values[row]!r} is not a number"
            f"{and_more(bad)}. If it stands for a missing result, leave the cell empty "
            "or write NA; if the column does not hold results, leave it out with "
            f"ignore=[{column!r}]."
        )
    return np.where(missing, np.nan, parsed.fill_null(np.nan).to_numpy())


def and_more(bad: np.ndarray) -> str:
    """Return " (and 3 more)" where `bad` marks four values, "" where it marks one."""
    more = int(np.count_nonzero(bad)) - 1
    return f" (and {more:,} more)" if more > 0 else ""


def _to_list(values: Column) -> list:
    return values.to_list() if isinstance(values, nw.Series) else values
