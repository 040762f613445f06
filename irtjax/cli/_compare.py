"""`irtjax compare`: two systems of a file, or two snapshots of a leaderboard."""

import difflib
import inspect
from pathlib import Path
from typing import Annotated

import typer

from ._common import app, check_outputs, one_message, say, set_up_jax, write_json
from ._options import AssumeTrials, JsonOut, Level, Ranker, Report, Seed
from ._reading import Reading, read, reads_a_table


@app.command()
@reads_a_table
def compare(
    file: Annotated[
        Path, typer.Argument(metavar="FILE|OLD", help="Results, or the old snapshot.")
    ],
    first: Annotated[
        str, typer.Argument(metavar="A|NEW", help="A system, or the new snapshot.")
    ],
    reading: Reading,
    second: Annotated[
        str | None, typer.Argument(metavar="[B]", help="The other system.")
    ] = None,
    ranker: Ranker = "two_pl",
    assume_trials: AssumeTrials = None,
    level: Level = 0.95,
    seed: Seed = 0,
    report: Report = None,
    json_out: JsonOut = None,
) -> None:
    """Compare two systems of a file, or two snapshots of a leaderboard.

    FILE A B: how much better A did than B on the items that both ran, and by the
    ranker. OLD NEW: which systems moved beyond noise, where cells that both files hold
    count once. Numbers go to standard output as tab-separated values, sentences to
    standard error.
    """
    names = inspect.signature(compare).parameters
    new = None
    with one_message(names):
        _must_exist(file)
        if second is None:
            new = Path(first)
            _must_be_snapshot(new, file)
    inputs = [file] if new is None else [file, new]
    check_outputs(inputs, {"--report": report, "--json": json_out})
    set_up_jax()
    from irtjax.irt import RESULTS
    from irtjax.ranking import compare_systems, compare_tables
    from irtjax.report import (
        pair_lines,
        pair_page,
        pair_record,
        pair_remarks,
        snapshot_lines,
        snapshot_page,
        snapshot_record,
        snapshot_remarks,
        write_whole,
    )

    options = {"ranker": ranker, "level": level, "trials": assume_trials}
    if second is not None:
        with one_message(names):
            table = read(file, reading)
            say(table.describe(), names)
            pair = compare_systems(table, first, second, **options)
        remarks, lines, codes = pair_remarks(pair), pair_lines(pair), pair.codes
        record, make_page = pair_record(pair), lambda: pair_page(pair)
    else:
        assert new is not None
        with one_message(names):
            tables = [read(each, reading) for each in (file, new)]
            for table in tables:
                say(table.describe(), names)
            moved = compare_tables(*tables, seed=seed, **options)
        remarks, lines, codes = (
            snapshot_remarks(moved),
            snapshot_lines(moved),
            moved.codes,
        )
        record, make_page = snapshot_record(moved), lambda: snapshot_page(moved)
    say(remarks, names)
    typer.echo(lines, nl=False)
    write_json(json_out, record)
    if report is not None:
        write_whole(report, make_page().encode())
    if any(name != RESULTS.successful.name for name in codes):
        raise typer.Exit(1)


def _must_exist(file: Path) -> None:
    """Refuse a file that is not there, with the nearest name beside it."""
    if not file.exists():
        raise ValueError(f"There is no file {str(file)!r}.{_nearest(file)}")


def _must_be_snapshot(new: Path, old: Path) -> None:
    """Refuse a second name that is no file: it may be a system without its rival."""
    if not new.exists():
        raise ValueError(
            f"{str(new)!r} is no file.{_nearest(new)} To compare two systems of "
            f"{old.name}, name both: irtjax compare FILE A B. To compare two snapshots, "
            "name two files: irtjax compare OLD NEW."
        )


def _nearest(file: Path) -> str:
    """Return a question that names the files beside it of nearest name, if any."""
    if not file.parent.is_dir():
        return ""
    there = [each.name for each in file.parent.iterdir() if each.is_file()]
    near = difflib.get_close_matches(file.name, there, n=2)
    named = " or ".join(repr(str(file.with_name(each))) for each in near)
    return f" Did you mean {named}?" if near else ""
