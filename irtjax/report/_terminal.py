"""The ranking as text: drawn for a terminal, tab-separated for a pipe."""

import csv
import io

import rich.box
import rich.table
import rich.text

from ..data import ResponseTable
from ..ranking import Ranking
from ._blocks import format_value
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
    records = ranking.to_dict()["systems"]
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


def drawn_table(ranking: Ranking, top: int = 0) -> rich.table.Table:
    """Return the leaderboard as a table to print on a terminal.

    Args:
        ranking: any ranker's.
        top: how many systems; 0 = all. A line below counts those left out.
    """
    table = ranking_table(ranking)
    rows = table.rows[: top or None]
    left_out = len(table.rows) - len(rows)
    drawn = rich.table.Table(
        box=rich.box.SIMPLE_HEAD,
        caption=f"{left_out} more systems; --top 0 prints all" if left_out else None,
        caption_justify="left",
    )
    for k, column in enumerate(table.columns):
        justify = "right" if table.is_numeric(k) else "left"
        drawn.add_column(column.title, justify=justify, overflow="fold")
    for row in rows:
        cells = zip(row, table.columns, strict=True)
        # Text, not markup: an id may hold square brackets.
        drawn.add_row(
            *(
                rich.text.Text(format_value(cell, column.digits))
                for cell, column in cells
            )
        )
    return drawn
