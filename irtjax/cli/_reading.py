"""The options that say how to read a table, the same for every command."""

import enum
import functools
import inspect
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.models import OptionInfo

if TYPE_CHECKING:
    from irtjax.data import ResponseTable


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


class _Format(enum.StrEnum):
    table = "table"
    lm_eval = "lm_eval"
    inspect = "inspect"
    helm = "helm"
    swe_bench = "swe_bench"
    evalplus = "evalplus"


class _NotScored(enum.StrEnum):
    missing = "missing"
    failure = "failure"


_FILE = "How to read the file (what it says itself need not be repeated)"


_TOOLS = "How to read the results of an evaluation tool"


def _column(holds: str) -> OptionInfo:
    """Return an option that names the column which holds something."""
    return typer.Option(metavar="COLUMN", help=f"Holds {holds}.", rich_help_panel=_FILE)


def _options(
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
    format: Annotated[
        _Format | None,
        typer.Option(
            help="What wrote the file or folder; found out where not said.",
            rich_help_panel=_TOOLS,
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            help="Which metric is the score; repeated: the first that a task has.",
            rich_help_panel=_TOOLS,
        ),
    ] = None,
    filter: Annotated[
        list[str] | None,
        typer.Option(
            help="lm_eval: which filter's answers count.", rich_help_panel=_TOOLS
        ),
    ] = None,
    split: Annotated[
        list[str] | None,
        typer.Option(help="helm: which split counts.", rich_help_panel=_TOOLS),
    ] = None,
    not_scored: Annotated[
        _NotScored | None,
        typer.Option(
            help="swe_bench, inspect: what a result without a verdict is.",
            rich_help_panel=_TOOLS,
        ),
    ] = None,
) -> None:
    """Carry the options; never called."""


_OPTIONS = inspect.signature(_options).parameters
Reading = dict[str, Any]


def reads_a_table(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command whose parameter `reading` is spelt as options of its own.

    Args:
        command: takes what the user said in `reading`, see `read`.
    """
    own = inspect.signature(command).parameters
    before = [value for name, value in own.items() if name != "reading"]
    # Arguments of the command line come first, options of the file, then its own.
    plain = [each for each in before if each.default is inspect.Parameter.empty]
    rest = [each for each in before if each.default is not inspect.Parameter.empty]

    @functools.wraps(command)
    def spelt(**given: Any) -> None:
        reading = {name: given.pop(name) for name in _OPTIONS}
        command(reading=reading, **given)

    del spelt.__wrapped__
    together = [*plain, *_OPTIONS.values(), *rest]
    signature = inspect.Signature(together, return_annotation=None)
    setattr(spelt, "__signature__", signature)  # noqa: B010
    spelt.__annotations__ = {
        name: each.annotation
        for name, each in inspect.signature(spelt).parameters.items()
    }
    return spelt


_OF_TOOLS = ("metric", "filter", "split", "not_scored")
_OF_BOTH = ("duplicates", "score_is", "out_of", "missing")


def read(file: Path, reading: Reading, *, least: int = 2) -> "ResponseTable":
    """Return the table in a file or a folder of results, read as the options say.

    Args:
        file: CSV, Parquet or JSON lines, or the results of an evaluation tool.
        reading: what `reads_a_table` collected.
        least: fewest systems, and items, that make sense.

    Raises:
        ValueError: as `irtjax.data.read_table` and `irtjax.data.formats.read_results`.
    """
    from irtjax.data import read_table
    from irtjax.data.formats import detect_format, read_results

    said: Reading = {
        name: value.value if isinstance(value, enum.StrEnum) else value
        for name, value in reading.items()
    }
    given = {
        name: value for name, value in said.items() if value != _OPTIONS[name].default
    }
    format_ = said.pop("format")
    if format_ is None and file.exists():
        format_ = detect_format(file)
    if format_ in (None, "table"):
        _refuse(file, given, _OF_TOOLS, "a table")
        table = {name: value for name, value in said.items() if name not in _OF_TOOLS}
        trials = table["trials"]
        if trials is not None and trials.isdecimal():
            table["trials"] = int(trials)
        table["ignore"] = tuple(table["ignore"] or ())
        return read_table(file, least=least, **table)
    others = [name for name in said if name not in _OF_TOOLS + _OF_BOTH]
    _refuse(file, given, others, f"results of the format {format_}")
    tool = {name: said[name] for name in _OF_TOOLS + _OF_BOTH}
    return read_results(file, format_, least=least, **tool)


def _refuse(file: Path, given: Reading, names: Iterable[str], what: str) -> None:
    """Refuse an option that is given and has no meaning for what is read."""
    for name in names:
        if name in given:
            raise ValueError(
                f"{file}: this was taken for {what}, where {name}= has no meaning. Leave "
                "it out, or say what the file is with format=."
            )


def counted(table: "ResponseTable", trials: float | None) -> "ResponseTable":
    """Return a table of right and wrong answers, for models of those.

    Args:
        table: any.
        trials: how many each score is taken to be worth where the table does not say.

    Raises:
        ValueError: if the table does not say and nothing is given, or both do, or it
            holds categories.
    """
    import dataclasses

    import jax.numpy as jnp

    from irtjax.data import BinomialResponses, LongResponses, ScoreResponses

    responses = table.responses
    if isinstance(responses, ScoreResponses):
        if trials is None:
            raise ValueError(
                f"{table.source}: the scores are no counts of right and wrong answers. "
                "Say how many stand behind each score by trials=, or how many it shall "
                "count as by assume_trials=."
            )
        if not trials > 0:
            raise ValueError(f"assume_trials= must be positive, got {trials}.")
        made = responses.as_binomial(jnp.full((1, 1), float(trials)))
        return dataclasses.replace(
            table, responses=made, trials_from=f"assumed: {trials:g}"
        )
    if trials is not None:
        raise ValueError(
            f"{table.source} has trial counts ({table.trials_from}), so assume_trials= "
            "must not be given."
        )
    if not isinstance(responses, BinomialResponses | LongResponses):
        raise ValueError(
            f"{table.source}: right and wrong answers are needed, not categories."
        )
    return table
