"""What a report says: the tables of a page by their identifiers, and its words."""

from html.parser import HTMLParser
from typing import NamedTuple


class Said(NamedTuple):
    """The content of a page.

    Attributes:
        tables: the cells of each table, row by row, its headings first.
        words: all text outside styles, scripts and drawings.
    """

    tables: dict[str, list[list[str]]]
    words: str


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tables: dict[str, list[list[str]]] = {}
        self.words: list[str] = []
        self._rows: list[list[str]] | None = None
        self._cell: list[str] | None = None
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._rows = self.tables.setdefault(dict(attrs).get("id") or "", [])
        elif tag == "tr" and self._rows is not None:
            self._rows.append([])
        elif tag in ("td", "th"):
            self._cell = []
        elif tag in ("style", "script", "svg"):
            self._silent += 1

    def handle_endtag(self, tag: str) -> None:
        if tag == "table":
            self._rows = None
        elif tag in ("td", "th") and self._cell is not None and self._rows:
            self._rows[-1].append("".join(self._cell).strip())
            self._cell = None
        elif tag in ("style", "script", "svg"):
            self._silent -= 1

    def handle_data(self, data: str) -> None:
        if self._silent:
            return
        self.words.append(data)
        if self._cell is not None:
            self._cell.append(data)


def read_page(text: str) -> Said:
    """Return the tables and the words of a page."""
    reader = _Reader()
    reader.feed(text)
    return Said(reader.tables, " ".join(" ".join(reader.words).split()))
