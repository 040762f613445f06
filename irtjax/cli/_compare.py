"""`irtjax compare`: two systems of a file, or two snapshots of a leaderboard."""

import difflib
import functools
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from ._common import app, check_outputs, one_message, say, set_up_jax, show, write_json
from ._options import AssumeTrials, ComparisonRanker, JsonOut, Level, Report, Seed
from ._reading import Reading, read, reads_a_table

if TYPE_CHECKING:
    from irtjax.data import ResponseTable
    from irtjax.report import Table


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
    ranker: ComparisonRanker = None,
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
    from irtjax.report import write_whole

    options: dict[str, Any] = {"level": level, "trials": assume_trials}
    if ranker is not None:
        options["ranker"] = ranker
    with one_message(names):
        tables = [read(each, reading) for each in inputs]
        for table in tables:
            say(table.describe(), names)
        if second is None:
            found = _snapshots(*tables, seed=seed, **options)
        else:
            found = _pair(tables[0], first, second, **options)
    say(found.remarks, names)
    show(found.lines, found.table)
    write_json(json_out, found.record)
    if report is not None:
        write_whole(report, found.page().encode())
    if any(name != RESULTS.successful.name for name in found.codes):
        raise typer.Exit(1)


class _Answer(NamedTuple):
    """A comparison in all the forms that are written."""

    remarks: tuple[str, ...]
    lines: str
    table: Callable[[], "Table"]
    record: dict[str, Any]
    page: Callable[[], str]
    codes: Mapping[str, int]


def _pair(table: "ResponseTable", first: str, second: str, **options: Any) -> _Answer:
    """Return the comparison of two systems of a table."""
    from irtjax.ranking import compare_systems
    from irtjax.report import (
        pair_lines,
        pair_page,
        pair_record,
        pair_remarks,
        pair_table,
    )

    found = compare_systems(table, first, second, **options)
    return _Answer(
        pair_remarks(found),
        pair_lines(found),
        functools.partial(pair_table, found),
        pair_record(found),
        functools.partial(pair_page, found),
        found.codes,
    )


def _snapshots(old: "ResponseTable", new: "ResponseTable", **options: Any) -> _Answer:
    """Return the comparison of two snapshots."""
    from irtjax.ranking import compare_tables
    from irtjax.report import (
        snapshot_lines,
        snapshot_page,
        snapshot_record,
        snapshot_remarks,
        snapshot_table,
    )

    found = compare_tables(old, new, **options)
    return _Answer(
        snapshot_remarks(found),
        snapshot_lines(found),
        functools.partial(snapshot_table, found),
        snapshot_record(found),
        functools.partial(snapshot_page, found),
        found.codes,
    )


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
