"""`irtjax rank`: a file of results in, a ranking out."""

import inspect
from typing import Annotated

import typer

from ._common import (
    app,
    check_outputs,
    fail,
    one_message,
    say,
    set_up_jax,
    show,
    write_json,
)
from ._options import JsonOut, Level, Ranker, Report, TableFile, Top
from ._reading import Reading, read, reads_a_table
from ._trust import examined


@app.command()
@reads_a_table
def rank(
    file: TableFile,
    reading: Reading,
    ranker: Ranker = "pooled_two_pl",
    assume_trials: Annotated[
        float | None,
        typer.Option(
            metavar="N",
            help="Where trials are unknown, count each score as N of them and show how "
            "far ranks move with half and with twice as many.",
        ),
    ] = None,
    level: Level = 0.95,
    seed: Annotated[
        int, typer.Option(help="Seed of the draws behind rank intervals and P(best).")
    ] = 0,
    top: Top = 0,
    trust: Annotated[
        bool,
        typer.Option(
            "--trust",
            help="Add to the report whether the ranking can be trusted, as `irtjax "
            "trust` says it; simulates and ranks up to 1,000 tables, which can take "
            "minutes.",
        ),
    ] = False,
    report: Report = None,
    json_out: JsonOut = None,
) -> None:
    """Rank the systems of a results table, with intervals, ties and warnings.

    The ranking goes to standard output, as tab-separated values into a pipe.
    What the file was taken to mean, and warnings, go to standard error.
    """
    if trust and report is None:
        fail(
            "--trust adds a section to the report: say where by --report, or run "
            "`irtjax trust`."
        )
    check_outputs([file], {"--report": report, "--json": json_out})
    set_up_jax()
    from irtjax.irt import RESULTS
    from irtjax.ranking import rank_table
    from irtjax.report import (
        ranking_page,
        ranking_record,
        ranking_table,
        remarks,
        tab_separated,
        trust_blocks,
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
    show(tab_separated(ranking, top), lambda: ranking_table(ranking), top)
    write_json(json_out, ranking_record(ranking, table))
    if report is not None:
        blocks = ()
        if trust:
            with one_message(names):
                blocks = trust_blocks(*examined(table, assume_trials, seed))
        write_whole(report, ranking_page(ranking, table, trust=blocks).encode())
    if any(name != RESULTS.successful.name for name in ranking.codes):
        raise typer.Exit(1)
