"""Where a number came from, so that an error can name file, row and column."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass


class DataError(ValueError):
    """Input that cannot be used as it stands; the message says where and what to do."""


@dataclass(frozen=True)
class Source:
    """A file or data frame under the name that the user knows it by.

    Attributes:
        name: the file's name, or "data frame".
        line_of: from a data row, counted from 0, to the line of the file it starts on,
            counted from 1; None where rows are not lines of text.
    """

    name: str
    line_of: Callable[[int], int] | None = None

    def row(self, row: int) -> str:
        """Return "row 3 (line 4)" for the data row `row`, counted from 0."""
        if self.line_of is None:
            return f"row {row + 1}"
        return f"row {row + 1} (line {self.line_of(row)})"

    def place(self, row: int, column: Hashable) -> str:
        """Return "scores.csv, row 3 (line 4), column 'score'"; rows count from 0."""
        return f"{self.name}, {self.row(row)}, column {column!r}"
