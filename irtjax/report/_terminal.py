"""The ranking as text: drawn for a terminal, tab-separated for a pipe."""

import csv
import io

import rich.box
import rich.cells
import rich.table
import rich.text

from irtjax.data import ResponseTable
from irtjax.ranking import Ranking

from ._blocks import Table, format_value
from ._ranking_table import ranking_table


def remarks(ranking: Ranking, table: ResponseTable) -> tuple[str, ...]:
    """Return what the ranking adds to `table.describe()`: notes and warnings, as lines.

    Args:
        ranking: of `table`.
        table: the same table.
    """
    notes = [note for note in ranking.notes if note not in table.notes]
    warnings = [*ranking.warnings, *ranking.not_comparable]
    return (*notes, *(f"warning: {warning}" for warning in warnings))


def tab_separated(ranking: Ranking, top: int = 0) -> str:
    """Return one line a system under a line of names, best first, for other programs.

    Args:
        ranking: any ranker's.
        top: how many systems; 0 = all.
    """
    records = ranking.system_records()
    text = io.StringIO()
    writer = csv.DictWriter(text, list(records[0]), delimiter="\t", lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {name: _short(value) for name, value in record.items()}
        for record in records[: top or None]
    )
    return text.getvalue()


def _short(value: str | float | int | bool | list | None) -> str:
    """Return a value with six significant digits; JSON output has them all."""
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(value)
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def drawn_table(ranking: Ranking, top: int = 0, width: int = 80) -> rich.table.Table:
    """Return the leaderboard as a table to print on a terminal.

    Columns that do not fit are left out, the least important first.

    Args:
        ranking: any ranker's.
        top: how many systems; 0 = all. A line below counts those left out.
        width: of the terminal, in characters.
    """
    return drawn(ranking_table(ranking), top, width)


def drawn(table: Table, top: int = 0, width: int = 80) -> rich.table.Table:
    """Return a report's table as one to print on a terminal.

    Columns that do not fit are left out, the least important first.

    Args:
        table: whose first column names the row.
        top: how many rows; 0 = all. A line below counts those left out.
        width: of the terminal, in characters.
    """
    rows = [
        [
            format_value(value, column.digits)
            for value, column in zip(row, table.columns, strict=True)
        ]
        for row in table.rows[: top or None]
    ]
    left_out = len(table.rows) - len(rows)
    made = rich.table.Table(
        box=rich.box.SIMPLE_HEAD,
        pad_edge=False,
        caption=f"{left_out:,} more systems; --top 0 prints all" if left_out else None,
        caption_justify="left",
    )
    shown = _columns_that_fit(table, rows, width)
    for k in shown:
        made.add_column(
            table.columns[k].title.replace(" ", "\n"),
            justify="right" if table.is_numeric(k) else "left",
            overflow="fold",
            no_wrap=k > 0,
        )
    for row in rows:
        # Text, not markup: an id may hold square brackets.
        made.add_row(*(rich.text.Text(row[k]) for k in shown))
    return made


def _columns_that_fit(table: Table, rows: list[list[str]], width: int) -> list[int]:
    """Return which columns to show, in their order; the system's name always is."""

    def needed(column: int) -> int:
        # A heading is broken between words, a cell is not.
        words = table.columns[column].title.split()
        cells = [row[column] for row in rows]
        return max(rich.cells.cell_len(text) for text in [*words, *cells]) + 3

    # Two spaces and a divider a column; the edges cost two and save two spaces, and
    # there is one divider less than columns.
    shown, room = [0], width + 1 - min(needed(0), width // 3)
    for column in sorted(
        range(1, len(table.columns)), key=lambda k: table.columns[k].importance
    ):
        if needed(column) > room:
            break
        shown.append(column)
        room -= needed(column)
    return sorted(shown)
