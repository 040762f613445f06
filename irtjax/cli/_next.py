"""`irtjax next`: an incomplete table in, the cells to run next out."""

import inspect
from pathlib import Path
from typing import Annotated

import typer

from ._common import app, check_outputs, one_message, say, set_up_jax, write_json
from ._reading import Reading, counted, read, reads_a_table


@app.command("next")
@reads_a_table
def next_cell(
    file: Annotated[
        Path,
        typer.Argument(
            help="CSV, Parquet or JSON lines, or results of an evaluation tool."
        ),
    ],
    reading: Reading,
    budget: Annotated[
        float,
        typer.Option(help="How many cells to name; with --costs, what they may cost."),
    ] = 20,
    top: Annotated[
        int | None,
        typer.Option(
            metavar="K", help="Only who is among the first K matters, not the order."
        ),
    ] = None,
    between: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="A B", help="Only which of two systems is better."),
    ] = None,
    choice: Annotated[
        str,
        typer.Option(
            help="How to choose: expected_gain, largest_error, bridging_first or random."
        ),
    ] = "expected_gain",
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SYSTEM", help="A system that can be run; may be repeated."
        ),
    ] = None,
    costs: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="CSV with the columns item and cost."),
    ] = None,
    assume_trials: Annotated[
        float | None,
        typer.Option(
            metavar="N", help="Where trials are unknown, count each score as N of them."
        ),
    ] = None,
    answers: Annotated[
        float | None,
        typer.Option(
            metavar="N",
            help="How many answers one evaluation of a cell gives; the median of the "
            "table if not said.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of whatever is drawn.")] = 0,
    report: Annotated[
        Path | None, typer.Option(metavar="OUT.html", help="Write a report to read.")
    ] = None,
    json_out: Annotated[
        Path | None,
        typer.Option("--json", metavar="OUT.json", help="Write the cells as data."),
    ] = None,
) -> None:
    """Name the cells whose evaluation helps the ranking most.

    Cells go to standard output as tab-separated values, the most telling first; what
    the file was taken to mean, and what to expect, to standard error.
    """
    check_outputs([file], {"--report": report, "--json": json_out})
    set_up_jax()
    from irtjax.active.cells import (
        AllRanks,
        OneComparison,
        TopRanks,
        next_cells,
        positions_of,
    )
    from irtjax.report import (
        next_lines,
        next_page,
        next_record,
        next_remarks,
        write_whole,
    )

    names = inspect.signature(next_cell).parameters
    with one_message(names):
        if top is not None and between is not None:
            raise ValueError("Say --top or --between, not both.")
        table = counted(read(file, reading), assume_trials)
        say(table.describe(), names)
        utility = AllRanks()
        if top is not None:
            utility = TopRanks(top)
        if between is not None:
            first, second = map(int, positions_of(table, between))
            utility = OneComparison(first, second)
        cells = next_cells(
            table,
            budget=budget,
            utility=utility,
            choice=choice,
            trials=answers,
            cost=None if costs is None else read_costs(costs),
            systems=only or None,
            seed=seed,
        )
    say(next_remarks(cells), names)
    typer.echo(next_lines(cells), nl=False)
    write_json(json_out, next_record(cells))
    if report is not None:
        write_whole(report, next_page(cells, table).encode())


def read_costs(path: Path) -> dict[str, float]:
    """Return the cost of each item from a CSV file.

    Args:
        path: with the columns `item` and `cost`.

    Raises:
        ValueError: with the file and line at fault.
    """
    import csv

    found: dict[str, float] = {}
    with open(path, newline="", encoding="utf-8-sig") as stream:
        rows = csv.DictReader(stream)
        if not {"item", "cost"} <= set(rows.fieldnames or ()):
            raise ValueError(f"{path.name} needs the columns item and cost.")
        for row in rows:
            try:
                found[row["item"]] = float(row["cost"])
            except (TypeError, ValueError):
                raise ValueError(
                    f"{path.name}, line {rows.line_num}: {row['cost']!r} is no number."
                ) from None
    return found
