"""`irtjax trust`: a leaderboard in, whether it can be trusted out."""

import contextlib
import inspect
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from ._common import app, check_outputs, one_message, say, set_up_jax, show, write_json
from ._options import AssumeTrials, JsonOut, Report, Seed, TableFile
from ._reading import Reading, counted, read, reads_a_table

if TYPE_CHECKING:
    from irtjax.active.cells import NextCells
    from irtjax.data import ResponseTable
    from irtjax.ranking.trust import Trust

_CELLS = 5
"""How many cells to name that would help."""


@app.command()
@reads_a_table
def trust(
    file: TableFile,
    reading: Reading,
    replicates: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="How many tables to simulate, 39 or more: 1,000 if not said, fewer for "
            "a large table.",
        ),
    ] = None,
    assume_trials: AssumeTrials = None,
    seed: Seed = 0,
    report: Report = None,
    json_out: JsonOut = None,
) -> None:
    """Say whether a leaderboard can be trusted, why, and what would help.

    Tables like this one are simulated and every ranker ranks them. What to expect of
    each goes to standard output, as tab-separated values into a pipe; the verdict with
    its reasons, and what else bears on it, to standard error.
    """
    check_outputs([file], {"--report": report, "--json": json_out})
    set_up_jax()
    from irtjax.report import (
        trust_lines,
        trust_page,
        trust_record,
        trust_remarks,
        trust_table,
        trust_verdict,
        write_whole,
    )

    names = inspect.signature(trust).parameters
    with one_message(names):
        table = read(file, reading)
        say(table.describe(), names)
        found, helpful = examined(table, assume_trials, seed, replicates)
    say(trust_verdict(found), names)
    show(trust_lines(found), lambda: trust_table(found))
    say(trust_remarks(found, helpful), names)
    write_json(json_out, trust_record(found, helpful, table))
    if report is not None:
        write_whole(report, trust_page(found, helpful, table).encode())
    used = found.expected[found.verdict.ranker]
    if used.failed == found.replicates:
        raise typer.Exit(1)


def examined(
    table: "ResponseTable",
    trials: float | None,
    seed: int,
    replicates: int | None = None,
) -> tuple["Trust", "NextCells | str"]:
    """Return what is to be trusted of a table, and which cells would help or why none.

    Progress is shown where standard error is a terminal.

    Args:
        table: as it was read.
        trials: how many each score is taken to be worth; None where known or estimated.
        seed: of whatever is drawn.
        replicates: how many tables to simulate; None for the library's own number.

    Raises:
        ValueError: as `irtjax.ranking.trust.trust`.
    """
    from irtjax.ranking import RANKERS
    from irtjax.ranking.trust import trust as judged

    # One step a ranker, and: truths, shuffled columns, split halves, cells to run.
    with _progress(len(RANKERS) + 4) as tell:
        found = judged(
            table, replicates=replicates, trials=trials, seed=seed, progress=tell
        )
        tell("choosing cells to run next")
        return found, _helpful(table, found, trials)


def _helpful(
    table: "ResponseTable", found: "Trust", trials: float | None
) -> "NextCells | str":
    """Return the cells that would help most, or in a sentence why none are named."""
    from irtjax.active.cells import next_cells

    if found.missing is None:
        return "every cell has a result."
    if found.dispersion is not None:
        trials = 1 / found.dispersion
    try:
        return next_cells(counted(table, trials), budget=_CELLS, seed=found.seed)
    except ValueError as error:
        return str(error)


@contextlib.contextmanager
def _progress(steps: int) -> Iterator[Callable[[str], None]]:
    """Yield what to tell each step; drawn on a terminal, silent in a pipe."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    from irtjax.ranking import RANKERS

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=steps)
        done = -1

        def tell(what: str) -> None:
            nonlocal done
            done += 1
            said = f"ranking simulated tables by {what}" if what in RANKERS else what
            bar.update(task, completed=done, description=said)

        yield tell
