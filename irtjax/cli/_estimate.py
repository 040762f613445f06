"""`irtjax estimate`: a plan's scores in, the score over all items out."""

import enum
import inspect
from pathlib import Path
from typing import Annotated

import typer

from ._common import app, check_outputs, one_message, say, set_up_jax, write_json
from ._history import read_history, read_items
from ._options import JsonOut, Level, Report
from ._reading import Reading, reads_a_table


class _Repeats(enum.StrEnum):
    error = "error"
    verdicts = "verdicts"


@app.command()
@reads_a_table
def estimate(
    history: Annotated[
        Path, typer.Argument(help="Scores of other systems: CSV, Parquet, JSON lines.")
    ],
    scores: Annotated[
        Path,
        typer.Argument(help="The plan filled in, or a file with item and score."),
    ],
    reading: Reading,
    against: Annotated[
        Path | None,
        typer.Option(metavar="SCORES", help="Another new system's: the difference."),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            metavar="SYSTEM", help="The new system's name: refused if in the history."
        ),
    ] = None,
    items: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="CSV with the columns item, weight and/or category."
        ),
    ] = None,
    repeats: Annotated[
        _Repeats,
        typer.Option(
            help="Whether an item may have several scores, as noisy verdicts."
        ),
    ] = _Repeats.error,
    level: Level = 0.95,
    report: Report = None,
    json_out: JsonOut = None,
) -> None:
    """Estimate a new system's score over all items from its scores on a few.

    SCORES count what HISTORY's do, and so does the answer. Rows may come in any order;
    empty scores are missing: run the command again when there are more.
    """
    inputs = [each for each in (history, scores, against, items) if each is not None]
    check_outputs(inputs, {"--report": report, "--json": json_out})
    set_up_jax()
    from irtjax.active.pipeline import estimate_score, read_answers, score_difference
    from irtjax.report import (
        estimate_lines,
        estimate_page,
        estimate_record,
        estimate_remarks,
        write_whole,
    )

    names = inspect.signature(estimate).parameters
    with one_message(names):
        past, said = read_history(history, reading, target)
        say(said, names)
        about = read_items(items)
        scale = {"repeats": repeats.value, "out_of": reading["out_of"]}
        answers = read_answers(scores, past, **scale)
        found = estimate_score(
            past,
            answers,
            weights=about.weights,
            categories=about.categories,
            level=level,
        )
        difference = None
        if against is not None:
            other = read_answers(against, past, **scale)
            difference = score_difference(
                past, answers, other, weights=about.weights, level=level
            )
    say(estimate_remarks(found, difference), names)
    typer.echo(estimate_lines(found, difference), nl=False)
    write_json(json_out, estimate_record(found, difference))
    if report is not None:
        write_whole(report, estimate_page(found, difference).encode())
