"""`irtjax rank`: a file of results in, a ranking out."""

import inspect
import sys
from pathlib import Path
from typing import Annotated

import typer

from ._common import app, check_outputs, one_message, say, set_up_jax, write_json
from ._reading import Reading, read, reads_a_table


@app.command()
@reads_a_table
def rank(
    file: Annotated[
        Path,
        typer.Argument(
            help="CSV, Parquet or JSON lines, or results of an evaluation tool."
        ),
    ],
    reading: Reading,
    ranker: Annotated[
        str,
        typer.Option(
            help="How to rank: two_pl, one_pl, bradley_terry, logit_least_squares, "
            "within_item_rank, item_centred_average or average."
        ),
    ] = "two_pl",
    assume_trials: Annotated[
        float | None,
        typer.Option(
            metavar="N",
            help="Where trials are unknown, count each score as N of them and show how "
            "far ranks move with half and with twice as many.",
        ),
    ] = None,
    level: Annotated[
        float, typer.Option(help="Confidence level of the intervals, within (0, 1).")
    ] = 0.95,
    seed: Annotated[
        int, typer.Option(help="Seed of the draws behind rank intervals and P(best).")
    ] = 0,
    top: Annotated[
        int, typer.Option(min=0, help="Print the first so many systems; 0 = all.")
    ] = 0,
    report: Annotated[
        Path | None, typer.Option(metavar="OUT.html", help="Write a report to read.")
    ] = None,
    json_out: Annotated[
        Path | None,
        typer.Option("--json", metavar="OUT.json", help="Write the ranking as data."),
    ] = None,
) -> None:
    """Rank the systems of a results table, with intervals, ties and warnings.

    The ranking goes to standard output, as tab-separated values into a pipe.
    What the file was taken to mean, and warnings, go to standard error.
    """
    check_outputs([file], {"--report": report, "--json": json_out})
    set_up_jax()
    from irtjax.irt import RESULTS
    from irtjax.ranking import rank_table
    from irtjax.report import (
        drawn_table,
        ranking_page,
        ranking_record,
        remarks,
        tab_separated,
        write_whole,
    )

    names = inspect.signature(rank).parameters
    with one_message(names):
        table = read(file, reading)
        # Said before the fit: who sees the wrong system on top need not wait for it.
        say(table.describe(), names)
        ranking = rank_table(
            table, ranker=ranker, level=level, seed=seed, trials=assume_trials
        )
    say(remarks(ranking, table), names)
    if sys.stdout.isatty():
        from rich.console import Console

        console = Console()
        console.print(drawn_table(ranking, top, console.width))
    else:
        typer.echo(tab_separated(ranking, top), nl=False)
    write_json(json_out, ranking_record(ranking, table))
    if report is not None:
        write_whole(report, ranking_page(ranking, table).encode())
    if any(name != RESULTS.successful.name for name in ranking.codes):
        raise typer.Exit(1)
