"""What a report is made of: plain values that say what to show, not how.

A block holds text and numbers only. `page` turns blocks into HTML, so a report can be
tested on what it claims before anything is drawn.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

Outcome: TypeAlias = Literal[
    "holds",
    "does not hold",
    "inside the distribution",
    "outside the distribution",
    "not reproducible",
    "not run",
]


@dataclass(frozen=True)
class Text:
    """Running text; a blank line starts a paragraph and `back quotes` mark code.

    Attributes:
        body: plain text, never HTML.
    """

    body: str


@dataclass(frozen=True)
class Listing:
    """A list of short remarks.

    Attributes:
        entries: plain text, one remark each; `back quotes` mark code.
    """

    entries: tuple[str, ...]


@dataclass(frozen=True)
class Code:
    """A program or a file's text, shown as it is; folded until it is asked for.

    Attributes:
        caption: one line, plain text; `back quotes` mark code.
        body: its text.
    """

    caption: str
    body: str


@dataclass(frozen=True)
class Cell:
    """A table cell whose text differs from the value it sorts by.

    Attributes:
        text: what is shown, such as "0.41 to 0.63".
        sort: what the column is sorted by; NaN sorts last.
    """

    text: str
    sort: float | int


Value: TypeAlias = str | int | float | np.generic | Cell | None


@dataclass(frozen=True)
class Column:
    """A table's column.

    Attributes:
        title: its heading.
        digits: decimals of its floating-point numbers.
        note: what the heading means, shown below the table; "" for nothing.
        importance: where space is short, larger numbers are left out first.
    """

    title: str
    digits: int = 3
    note: str = ""
    importance: int = 0


@dataclass(frozen=True)
class Table:
    """Rows of values under headings; the first column names the row.

    Attributes:
        caption: what the table shows, in a sentence.
        columns: the headings, left to right.
        rows: one value a column; `None` and NaN are shown as missing.
        name: an identifier, unique on the page.
    """

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    name: str = "table"

    def __post_init__(self):
        for k, row in enumerate(self.rows):
            if len(row) != len(self.columns):
                raise ValueError(
                    f"Row {k} of table {self.name!r} has {len(row)} values for "
                    f"{len(self.columns)} columns."
                )

    def is_numeric(self, column: int) -> bool:
        """Return whether every value present in a column is a number."""
        values = [row[column] for row in self.rows if row[column] is not None]
        return bool(values) and not any(isinstance(value, str) for value in values)


@dataclass(frozen=True)
class Figure:
    """A drawn figure, the same bytes for the same numbers.

    Attributes:
        name: an identifier, unique on the page; starts every id inside the SVG.
        caption: what it shows and how to read it.
        alt: what it shows in numbers, for readers who cannot see it.
        svg: an `<svg>` element, no background, in the colour of the text around it.
        png: the same on white, 150 dots an inch.
        width: natural width in CSS pixels.
    """

    name: str
    caption: str
    alt: str
    svg: str = field(repr=False)
    png: bytes = field(repr=False)
    width: float


@dataclass(frozen=True)
class Verdict:
    """A published claim beside what was measured here.

    Attributes:
        claim: the claim, in a sentence.
        published: the published value, as published.
        ours: the measured value.
        outcome: whether the claim holds.
        why: what decided it.
    """

    claim: str
    published: str
    ours: str
    outcome: Outcome
    why: str


@dataclass(frozen=True)
class Section:
    """A heading with blocks, or further sections, below it.

    Attributes:
        title: unique among the sections of the page.
        blocks: in reading order.
    """

    title: str
    blocks: Sequence["Block"]


Block: TypeAlias = Text | Listing | Code | Table | Figure | Verdict | Section


def format_value(value: Value, digits: int) -> str:
    """Return a table value as text: fixed decimals, a dash where there is none."""
    if isinstance(value, Cell):
        return value.text
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        if math.isnan(value):
            return "–"
        if math.isinf(value):
            return "∞" if value > 0 else "−∞"
        return f"{value:z.{digits}f}".replace("-", "−")
    if value is None:
        return "–"
    return str(value)


def signed_value(value: float, digits: int = 3) -> str:
    """Return a change as text, with its sign."""
    text = format_value(float(value), digits)
    return f"+{text}" if value > 0 else text


def sort_value(value: Value) -> str:
    """Return what sorting compares: a number, the text, or "" for missing."""
    if isinstance(value, Cell):
        value = value.sort
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str):
        return value
    missing = value is None or (isinstance(value, float) and math.isnan(value))
    return "" if missing else repr(value)
