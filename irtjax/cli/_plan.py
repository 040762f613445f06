"""`irtjax plan`: other systems' scores in, the items for a new one to run out."""

import inspect
from pathlib import Path
from typing import Annotated

import typer

from ._common import app, check_outputs, one_message, say, set_up_jax, write_json
from ._history import read_history, read_items
from ._options import JsonOut, Report, Seed
from ._reading import Reading, reads_a_table


@app.command()
@reads_a_table
def plan(
    history: Annotated[
        Path, typer.Argument(help="Scores of other systems: CSV, Parquet, JSON lines.")
    ],
    reading: Reading,
    budget: Annotated[int, typer.Option(help="How many items to run.")],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="PLAN.csv", help="Where to write the plan; else standard output."
        ),
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
    done: Annotated[
        Path | None,
        typer.Option(
            metavar="SCORES", help="Scores that are there already: plan what to add."
        ),
    ] = None,
    seed: Seed = 0,
    report: Report = None,
    json_out: JsonOut = None,
) -> None:
    """Choose the items that a new system is to run.

    The plan is a CSV file with a column to fill in; `irtjax estimate` reads it back.
    """
    inputs = [each for each in (history, items, done) if each is not None]
    check_outputs(inputs, {"--out": out, "--report": report, "--json": json_out})
    set_up_jax()
    from irtjax.active.pipeline import make_plan, read_answers
    from irtjax.report import plan_page, plan_record, plan_remarks, write_whole

    names = inspect.signature(plan).parameters
    with one_message(names):
        past, said = read_history(history, reading, target)
        say(said, names)
        about = read_items(items)
        before = (
            () if done is None else read_answers(done, past, repeats="verdicts").item
        )
        made = make_plan(
            past,
            budget,
            weights=about.weights,
            categories=about.categories,
            done=[past.item_ids[k] for k in before],
            seed=seed,
        )
    say(plan_remarks(made, past), names)
    if out is None:
        typer.echo(made.to_csv(), nl=False)
    else:
        write_whole(out, made.to_csv().encode())
    write_json(json_out, plan_record(made, past))
    if report is not None:
        write_whole(report, plan_page(made, past).encode())
