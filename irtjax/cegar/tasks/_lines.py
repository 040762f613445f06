"""Files of one JSON object a line, plain or compressed, read with the place of each."""

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...data import DataError

_TRUTHS = {1: True, 0: False, "right": True, "wrong": False}


@dataclass(frozen=True)
class Line:
    """One object of a file, which knows where it stands.

    Attributes:
        place: the file's name and the line, counted from 1, for messages.
        fields: what the line holds.
    """

    place: str
    fields: dict[str, Any]

    def text(self, field: str) -> str:
        """Return a field that must be text.

        Raises:
            DataError: it is missing or something else.
        """
        return self._of_type(field, str, "a text")

    def rows(self, field: str) -> list[Any]:
        """Return a field that must be a list.

        Raises:
            DataError: it is missing or something else.
        """
        return self._of_type(field, list, "a list")

    def wrong(self, field: str, wanted: str) -> DataError:
        """Return an error that names the file, the line and the field."""
        return DataError(f"{self.place}, field {field!r}: {wanted}.")

    def _of_type(self, field: str, kind: type, called: str) -> Any:
        if field not in self.fields:
            there = ", ".join(self.fields) or "none"
            raise self.wrong(field, f"there is no such field; the line has {there}")
        value = self.fields[field]
        if not isinstance(value, kind):
            raise self.wrong(field, f"it must be {called}, got {value!r:.60}")
        return value


def read_lines(path: str | Path) -> Iterator[Line]:
    """Yield the objects of a JSON-lines file; one that ends in .gz is unpacked.

    Args:
        path: UTF-8 text; empty lines are skipped.

    Raises:
        DataError: there is no such file, or a line is not a JSON object.
    """
    path = Path(path)
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8") as stream:
            for number, text in enumerate(stream, 1):
                if text.strip():
                    yield _line(path.name, number, text)
    except FileNotFoundError:
        raise DataError(f"There is no file {path}.") from None
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read: {error}.") from None


def truth_of(line: Line, field: str, value: Any) -> bool:
    """Return whether a label says right: true, false, 1, 0, "right" or "wrong".

    Args:
        line: where it stands.
        field: that it is in.
        value: what the field holds.

    Raises:
        DataError: it is something else.
    """
    if not isinstance(value, str | int) or value not in _TRUTHS:
        raise line.wrong(
            field,
            f'it must be true, false, 1, 0, "right" or "wrong", got {value!r:.60}',
        )
    return _TRUTHS[value]


def _line(name: str, number: int, text: str) -> Line:
    place = f"{name}, line {number}"
    try:
        fields = json.loads(text)
    except json.JSONDecodeError as error:
        raise DataError(f"{place} is not JSON: {error}.") from None
    if not isinstance(fields, dict):
        raise DataError(f"{place} is not a JSON object but {text.strip():.60}.")
    return Line(place, fields)
