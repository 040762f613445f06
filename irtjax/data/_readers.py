"""Files and data frames to columns, with nothing guessed about what they mean."""

import csv
import gzip
import io
import json
import zlib
from collections.abc import Callable, Hashable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import narwhals as nw
import polars as pl

from ._columns import Column, Frame
from ._source import DataError, Source

_SEPARATORS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
_JSON_LINES = (".jsonl", ".jsonlines", ".ndjson")
_PARQUET = (".parquet", ".pq")


@runtime_checkable
class NativeFrame(Protocol):
    """A pandas, polars or pyarrow data frame, of which narwhals reads the columns."""

    @property
    def columns(self) -> Any:
        """Return the labels (pandas, polars) or the columns themselves (pyarrow)."""
        ...

    @property
    def shape(self) -> tuple[int, int]:
        """Return the numbers of rows and columns."""
        ...


def read_file(path: str | Path) -> Frame:
    """Return a file's columns; its extension says the format.

    Text (CSV, TSV) keeps every value as text, so that identifiers survive; JSON lines
    and Parquet keep their own types. `.gz` is undone for the text formats. JSON lines
    whose rows hold an object named `responses` (item to score) become one row a
    response.

    Raises:
        DataError: if the file is absent, a folder, empty, malformed or of an unknown kind.
    """
    path = Path(path)
    suffixes = [suffix.lower() for suffix in path.suffixes]
    zipped = suffixes[-1:] == [".gz"]
    kind = (suffixes[:-1] if zipped else suffixes)[-1:]
    if path.is_dir():
        raise DataError(f"{path}: this is a folder; name one file in it.")
    if not path.is_file():
        raise DataError(f"{path}: there is no such file.")
    if kind and kind[0] in _SEPARATORS:
        return _read_text(path.name, _bytes(path, zipped), _SEPARATORS[kind[0]])
    if kind and kind[0] in _JSON_LINES:
        return _read_json_lines(path.name, _bytes(path, zipped))
    if kind and kind[0] in _PARQUET and not zipped:
        return _read_parquet(path)
    known = ", ".join((*_SEPARATORS, *_JSON_LINES, *_PARQUET))
    raise DataError(
        f"{path.name}: the kind of file is told by its extension, one of {known} "
        "(text also with .gz)."
    )


def read_frame(frame: NativeFrame, source: str) -> Frame:
    """Return the columns of a pandas, polars or pyarrow frame, sharing its memory.

    A pandas index counts as columns in front, unless it only numbers the rows (unnamed
    integers).
    """
    source_ = Source(source)
    labels = list(getattr(frame, "column_names", None) or getattr(frame, "columns", []))
    _refuse_duplicates(labels, source_)
    # narwhals describes native frames by private protocols of its own.
    data = nw.from_native(frame, eager_only=True)  # pyright: ignore[reportCallIssue, reportArgumentType]
    columns = dict(zip(labels, data.iter_columns(), strict=True))
    if data.implementation.is_pandas_like():
        columns = {**_index_columns(data.to_native().index, labels), **columns}
    return _frame(columns, source_)


def _index_columns(index: Any, labels: list[Hashable]) -> dict[Hashable, Column]:
    """Return the levels of a pandas index as columns; pandas itself is not imported."""
    columns: dict[Hashable, Column] = {}
    for level, name in enumerate(index.names):
        values = index.get_level_values(level)
        numbers_rows = name is None and values.dtype.kind in "iu"
        if not numbers_rows and name not in labels:
            columns["" if name is None else name] = values.tolist()
    return columns


def _read_text(name: str, content: bytes, separator: str) -> Frame:
    source = Source(name, _line_finder(content, separator))
    try:
        table = pl.read_csv(
            content, separator=separator, has_header=False, infer_schema=False
        )
    except pl.exceptions.NoDataError:
        raise DataError(f"{name}: the file is empty.") from None
    except pl.exceptions.ComputeError as error:
        raise DataError(
            f"{name}: {_malformed_text(content, separator, error)}"
        ) from None
    header = ["" if label is None else label for label in table.row(0)]
    _refuse_duplicates(header, source)
    if len(header) == 1:
        raise DataError(
            f"{name}: every line is one single column ({header[0]!r}); columns must be "
            f"separated by {'commas' if separator == ',' else 'tabs'}."
        )
    table = table[1:].filter(pl.any_horizontal(pl.all().fill_null("") != ""))
    columns = (nw.from_native(each, series_only=True) for each in table.get_columns())
    return _frame(dict(zip(header, columns, strict=True)), source)


def _line_finder(content: bytes, separator: str) -> Callable[[int], int]:
    """Return the function from a data row to its line, which reads the text again."""

    def line_of(row: int) -> int:
        text = io.StringIO(content.decode("utf-8-sig", errors="replace"), newline="")
        reader = csv.reader(text, delimiter=separator)
        before, seen = 0, -2  # the header is row -1
        for cells in reader:
            seen += any(cells)
            if seen == row:
                return before + 1
            before = reader.line_num
        return before

    return line_of


def _malformed_text(content: bytes, separator: str, error: Exception) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        return _not_utf_8(content, fault)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    width = 0
    for cells in reader:
        width = width or len(cells)
        if len(cells) > width:
            return (
                f"line {reader.line_num} has {len(cells)} columns where the header has "
                f"{width}. Quote values that hold the separator."
            )
    if text.count('"') % 2:
        return (
            'a quote is opened and never closed. Look for a single " in the file; '
            'inside quotes it is written "".'
        )
    return str(error).splitlines()[0]


def _not_utf_8(content: bytes, fault: UnicodeDecodeError) -> str:
    line = content[: fault.start].count(b"\n") + 1
    return f"line {line} is not UTF-8 text. Save the file as UTF-8."


def _read_json_lines(name: str, content: bytes) -> Frame:
    try:
        lines = content.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as fault:
        raise DataError(f"{name}: {_not_utf_8(content, fault)}") from None
    numbered = [number for number, line in enumerate(lines, 1) if line.strip()]
    kept = [lines[number - 1] for number in numbered]
    source = Source(name, numbered.__getitem__)
    try:
        # One parse of one long array, since a call for every line is slow.
        rows = json.loads("[" + ",".join(kept) + "]", object_pairs_hook=_object)
    except (ValueError, RecursionError):
        rows = [_one_line(name, numbered[k], line) for k, line in enumerate(kept)]
    doubtful = any("\\ud" in line.lower() for line in kept)
    shaped = len(rows) == len(kept) and all(isinstance(row, dict) for row in rows)
    if doubtful or not shaped:
        rows = [_one_line(name, numbered[k], line) for k, line in enumerate(kept)]
    if rows and all(isinstance(row.get("responses"), dict) for row in rows):
        return _spread_responses(rows, name, numbered)
    labels = dict.fromkeys(chain.from_iterable(rows))
    return _frame({label: [row.get(label) for row in rows] for label in labels}, source)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; one that names a key twice would lose a result."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise DataError(f"the key {twice!r} stands twice in one object.")
    return found


def _one_line(name: str, line: int, text: str) -> dict:
    try:
        row = json.loads(text, object_pairs_hook=_object)
        # A lone half of a surrogate pair, "\\ud800", can be read but never written.
        json.dumps(row, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise DataError(
            f"{name}, line {line}: not valid JSON ({error.msg}, character "
            f"{error.pos + 1})."
        ) from None
    except DataError as error:
        raise DataError(f"{name}, line {line}: {error}") from None
    except UnicodeEncodeError:
        raise DataError(
            f"{name}, line {line}: \\ud800 to \\udfff stand for text only in pairs."
        ) from None
    except (ValueError, RecursionError):
        raise DataError(
            f"{name}, line {line}: a number is too long, or lists are nested too "
            "deeply, to be read."
        ) from None
    if not isinstance(row, dict):
        raise DataError(f"{name}, line {line}: each line must be one JSON object.")
    return row


def _spread_responses(rows: list[dict], name: str, numbered: list[int]) -> Frame:
    """Return one row a response from rows whose `responses` map items to scores."""
    counts = [len(row["responses"]) for row in rows]
    repeated = list(chain.from_iterable(map(_repeat, range(len(rows)), counts)))
    others = [
        key for key in dict.fromkeys(chain.from_iterable(rows)) if key != "responses"
    ]
    columns: dict[Hashable, Column] = {
        key: [rows[k].get(key) for k in repeated] for key in others
    }
    columns["item"] = list(chain.from_iterable(row["responses"] for row in rows))
    columns["score"] = list(
        chain.from_iterable(row["responses"].values() for row in rows)
    )
    return _frame(columns, Source(name, lambda row: numbered[repeated[row]]))


def _repeat(value: int, times: int) -> list[int]:
    return [value] * times


def _read_parquet(path: Path) -> Frame:
    try:
        table = pl.read_parquet(path)
    except pl.exceptions.ComputeError as error:
        raise DataError(f"{path.name}: not a Parquet file ({error}).") from None
    return read_frame(table, path.name)


def _bytes(path: Path, zipped: bool) -> bytes:
    raw = path.read_bytes()
    if not zipped:
        return raw
    try:
        return gzip.decompress(raw)
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(
            f"{path.name}: not a whole gzip file ({error}). Copy it again, or leave "
            "out the ending .gz if it is not compressed."
        ) from None


def _refuse_duplicates(labels: Sequence[Hashable], source: Source) -> None:
    if len(set(labels)) < len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        at = [k + 1 for k, label in enumerate(labels) if label == twice]
        raise DataError(
            f"{source.name}: the name {twice!r} stands over columns {at[0]} and "
            f"{at[1]}. Names must be unique."
        )


def _frame(columns: dict[Hashable, Column], source: Source) -> Frame:
    n_row = max((len(column) for column in columns.values()), default=0)
    if n_row == 0:
        raise DataError(f"{source.name}: there are no data rows.")
    return Frame(columns, n_row, source)
