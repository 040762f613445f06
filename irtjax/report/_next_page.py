"""The report on which cells to run next, and the same as data and as lines."""

import csv
import io

from irtjax.active.cells import NextCells
from irtjax.data import ResponseTable
from irtjax.ranking import plain_id

from ._blocks import Cell, Column, Section, Table, Text
from ._page import page
from ._ranking_record import versions
from ._table_heat_map import table_heat_map


def next_lines(cells: NextCells) -> str:
    """Return one tab-separated line a cell under a line of names, the first first."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerow(["system", "item", "value", "cost"])
    for row in zip(
        cells.system_ids, cells.item_ids, cells.value, cells.cost, strict=True
    ):
        writer.writerow([row[0], row[1], f"{row[2]:.6g}", f"{row[3]:.6g}"])
    return text.getvalue()


def next_record(cells: NextCells) -> dict:
    """Return the cells and what to expect of them as values that JSON can hold."""
    return {
        "versions": versions(),
        "source": cells.source,
        "choice": cells.choice,
        "seed": cells.seed,
        "error": cells.error,
        "error_after": cells.error_after,
        "most_error": cells.most_error,
        "cells": [
            {
                "system": plain_id(system),
                "item": plain_id(item),
                "value": float(value),
                "cost": float(cost),
            }
            for system, item, value, cost in zip(
                cells.system_ids, cells.item_ids, cells.value, cells.cost, strict=True
            )
        ],
    }


def next_remarks(cells: NextCells) -> tuple[str, ...]:
    """Return what to expect of the cells, in sentences."""
    return (
        f"{len(cells.system_ids):,} cells, chosen by {cells.choice}, of cost "
        f"{cells.cost.sum():g}.",
        f"Expected errors of the order (of {cells.most_error:g} that could be): "
        f"{cells.error:.3g} now, {cells.error_after:.3g} once these have been run.",
    )


def next_page(cells: NextCells, table: ResponseTable) -> str:
    """Return the report of a choice of cells as one self-contained HTML page.

    Args:
        cells: chosen in `table`.
        table: the same table.
    """
    rows = tuple(
        (Cell(str(k + 1), k + 1), str(system), str(item), float(value), float(cost))
        for k, (system, item, value, cost) in enumerate(
            zip(cells.system_ids, cells.item_ids, cells.value, cells.cost, strict=True)
        )
    )
    listed = Table(
        caption="The cells to run. Each is worth what it adds to those above it.",
        columns=(
            Column("order"),
            Column("system"),
            Column("item"),
            Column(
                "value",
                digits=6,
                note="What the choice says of the cell per unit of cost; for "
                "`expected_gain` the expected fall of the squared error of the chances "
                "that comparisons come out as they do.",
            ),
            Column("cost", digits=2),
        ),
        rows=rows,
        name="cells",
    )
    shares = Table(
        caption="How many of them each system runs.",
        columns=(Column("system"), Column("cells")),
        rows=tuple((str(k), len(v)) for k, v in cells.by_system().items()),
        name="by-system",
    )
    sections = (
        Section("In short", [Text("\n\n".join(next_remarks(cells)))]),
        Section("What to run", [listed, shares]),
        Section("The table", [table_heat_map(table)]),
        Section(
            "Method",
            [
                Text(
                    "A response model is fitted to the table. Around the fit, abilities "
                    "and items are jointly normal; the gain of a cell is exact in that "
                    "approximation, with the item's own errors allowed for, and cells "
                    "of one batch are chosen one given the others. Estimates will move "
                    "once results are in: choose a batch, run it, and choose again."
                )
            ],
        ),
    )
    used = ", ".join(f"{name} {number}" for name, number in versions().items())
    footer = f"Made by `irtjax next` from {cells.source}, seed {cells.seed}. {used}."
    return page(f"What to run next in {cells.source}", sections, footer)
