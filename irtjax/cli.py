"""The `irtjax` command: a file of results in, a ranking out.

The answer goes to standard output, everything said about it to standard error, so that
a pipe gets the ranking alone. Heavy modules are imported when a command needs them.
"""

import contextlib
import enum
import inspect
import json
import os
import re
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from typer.models import OptionInfo

app = typer.Typer(
    add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False
)


class _SystemsIn(enum.StrEnum):
    rows = "rows"
    columns = "columns"


class _ScoreIs(enum.StrEnum):
    success = "success"
    failure = "failure"


class _Duplicates(enum.StrEnum):
    error = "error"
    mean = "mean"
    sum = "sum"
    first = "first"
    last = "last"


class _Layout(enum.StrEnum):
    long = "long"
    wide = "wide"


class _Values(enum.StrEnum):
    score = "score"
    successes = "successes"


_FILE = "How to read the file (what it says itself need not be repeated)"


def _column(holds: str) -> OptionInfo:
    """Return an option that names the column which holds something."""
    return typer.Option(metavar="COLUMN", help=f"Holds {holds}.", rich_help_panel=_FILE)


def main() -> None:
    """Run the command line."""
    app()


def _print_version(wanted: bool) -> bool:
    if wanted:
        from irtjax.report import versions

        typer.echo(f"irtjax {versions()['irtjax']}")
        raise typer.Exit
    return wanted


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help="Print the version and stop.",
        ),
    ] = False,
) -> None:
    """Rank systems from incomplete, uneven evaluation data."""


@app.command()
def rank(
    file: Annotated[
        Path, typer.Argument(help="CSV, Parquet or JSON lines; wide or long.")
    ],
    ranker: Annotated[
        str,
        typer.Option(
            help="How to rank: two_pl, one_pl, bradley_terry, logit_least_squares, "
            "within_item_rank, item_centred_average or average."
        ),
    ] = "two_pl",
    systems_in: Annotated[
        _SystemsIn | None,
        typer.Option(help="Where a wide table has its systems.", rich_help_panel=_FILE),
    ] = None,
    score_is: Annotated[
        _ScoreIs | None,
        typer.Option(help="What a score of 1 means.", rich_help_panel=_FILE),
    ] = None,
    trials: Annotated[
        str | None,
        typer.Option(
            metavar="N|COLUMN",
            help="How many trials stand behind each score: a number or a column.",
            rich_help_panel=_FILE,
        ),
    ] = None,
    duplicates: Annotated[
        _Duplicates,
        typer.Option(
            help="What to do where a system has an item twice.", rich_help_panel=_FILE
        ),
    ] = _Duplicates.error,
    layout: Annotated[
        _Layout | None,
        typer.Option(
            help="Long: one observation a row. Wide: one system or item a row.",
            rich_help_panel=_FILE,
        ),
    ] = None,
    system: Annotated[str | None, _column("the systems' names")] = None,
    item: Annotated[str | None, _column("the items' names")] = None,
    score: Annotated[str | None, _column("the scores")] = None,
    successes: Annotated[str | None, _column("counts of successes")] = None,
    values: Annotated[
        _Values | None,
        typer.Option(
            help="Whether the numbers are scores or counts of successes.",
            rich_help_panel=_FILE,
        ),
    ] = None,
    missing: Annotated[
        float | None,
        typer.Option(
            help="A number that marks a missing result.", rich_help_panel=_FILE
        ),
    ] = None,
    out_of: Annotated[
        float,
        typer.Option(help="The highest possible score.", rich_help_panel=_FILE),
    ] = 1.0,
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="A column to leave out; may be repeated.",
            rich_help_panel=_FILE,
        ),
    ] = None,
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
    _check_outputs(file, {"--report": report, "--json": json_out})
    _set_up_jax()
    from irtjax.data import read_table
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

    try:
        table = read_table(
            file,
            systems_in=systems_in.value if systems_in else None,
            score_is=score_is.value if score_is else None,
            trials=_trials(trials),
            duplicates=duplicates.value,
            layout=layout.value if layout else None,
            system=system,
            item=item,
            score=score,
            successes=successes,
            values=values.value if values else None,
            missing=missing,
            out_of=out_of,
            ignore=tuple(ignore or ()),
        )
        # Said before the fit: who sees the wrong system on top need not wait for it.
        _say(table.describe())
        ranking = rank_table(
            table, ranker=ranker, level=level, seed=seed, trials=assume_trials
        )
    except (ValueError, OSError) as error:
        _fail(_as_options(str(error)))
    _say(remarks(ranking, table))
    if sys.stdout.isatty():
        from rich.console import Console

        console = Console()
        console.print(drawn_table(ranking, top, console.width))
    else:
        typer.echo(tab_separated(ranking, top), nl=False)
    if json_out is not None:
        record = ranking_record(ranking, table)
        text = json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False)
        write_whole(json_out, (text + "\n").encode())
    if report is not None:
        write_whole(report, ranking_page(ranking, table).encode())
    if any(name != RESULTS.successful.name for name in ranking.codes):
        raise typer.Exit(1)


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        typer.echo(_as_options(line), err=True)


def _fail(message: str) -> NoReturn:
    typer.echo(f"error: {message}", err=True)
    raise typer.Exit(2)


def _check_outputs(source: Path, outputs: dict[str, Path | None]) -> None:
    """Stop before any work if an output cannot be written or would cost the input."""
    taken = {source.resolve(): "the input"}
    for option, path in outputs.items():
        if path is None:
            continue
        target = path.resolve()
        if target in taken:
            _fail(f"{option} {path} is {taken[target]}; choose another file.")
        taken[target] = option
        if target.is_dir():
            _fail(f"{option} {path} is a folder; name a file.")
        probe = target.with_name(f".{target.name}.{os.getpid()}.probe")
        try:
            with open(probe, "xb"):
                pass
            probe.unlink()
        except OSError as error:
            _fail(f"{option} {path} cannot be written: {error.strerror}.")


def _set_up_jax() -> None:
    """Switch on 64-bit numbers and keep compiled programs for the next call."""
    import jax

    jax.config.update("jax_enable_x64", True)
    if not os.environ.get("JAX_COMPILATION_CACHE_DIR"):
        home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        folder = Path(home) / "irtjax" / "jax"
        # A home that cannot be written costs a few seconds a call, nothing else.
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            jax.config.update("jax_compilation_cache_dir", str(folder))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.1)


def _trials(given: str | None) -> int | str | None:
    """Return a number of trials, or the name of the column that holds them."""
    return int(given) if given is not None and given.isdecimal() else given


def _as_options(message: str) -> str:
    """Return a message of the library with its settings spelt as options.

    The library says "pass score_is='failure'", the command "--score-is failure"; a
    list of one value, ignore=['task 1'], is --ignore 'task 1'.
    """
    names = "|".join(parameter for parameter in inspect.signature(rank).parameters)

    def spelt(found: re.Match[str]) -> str:
        value = found["text"] or found["word"]
        option = "--" + found["name"].replace("_", "-")
        return f"{option} {shlex.quote(value)}" if value else option

    value = r"(?P<quote>['\"])(?P<text>.*?)(?P=quote)|(?P<word>\w+(?:\.\w+)*)"
    setting = rf"\b(?P<name>{names})=(?P<list>\[)?(?:{value})?(?(list)\])"
    return re.sub(setting, spelt, message)


if __name__ == "__main__":
    main()
