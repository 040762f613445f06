"""What every command does the same way: outputs checked, JAX set up, errors said."""

import contextlib
import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

if TYPE_CHECKING:
    from irtjax.report import Table

app = typer.Typer(
    add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False
)


def say(lines: Iterable[str], names: Iterable[str]) -> None:
    """Write lines to standard error, settings spelt as options.

    Args:
        lines: one remark each.
        names: of the settings that the command has options for.
    """
    for line in lines:
        typer.echo(as_options(line, names), err=True)


def show(lines: str, table: Callable[[], "Table"], top: int = 0) -> None:
    """Write an answer to standard output: drawn on a terminal, as lines into a pipe.

    Args:
        lines: tab-separated.
        table: makes the table to draw.
        top: how many rows to draw; 0 = all.
    """
    if not sys.stdout.isatty():
        typer.echo(lines, nl=False)
        return
    from rich.console import Console

    from irtjax.report import drawn

    console = Console()
    console.print(drawn(table(), top, console.width))


def fail(message: str) -> NoReturn:
    """Stop with one message and exit code 2."""
    typer.echo(f"error: {message}", err=True)
    raise typer.Exit(2)


@contextlib.contextmanager
def one_message(names: Iterable[str]) -> Iterator[None]:
    """Turn the library's refusals into one message and exit code 2.

    Args:
        names: of the settings that the command has options for.
    """
    try:
        yield
    except (ValueError, OSError) as error:
        fail(as_options(str(error), names))


def check_outputs(sources: Iterable[Path], outputs: dict[str, Path | None]) -> None:
    """Stop before any work if an output cannot be written or would cost an input."""
    taken = {source.resolve(): "the input" for source in sources}
    for option, path in outputs.items():
        if path is None:
            continue
        target = path.resolve()
        if target in taken:
            fail(f"{option} {path} is {taken[target]}; choose another file.")
        taken[target] = option
        if target.is_dir():
            fail(f"{option} {path} is a folder; name a file.")
        probe = target.with_name(f".{target.name}.{os.getpid()}.probe")
        try:
            with open(probe, "xb"):
                pass
            probe.unlink()
        except OSError as error:
            fail(f"{option} {path} cannot be written: {error.strerror}.")


def set_up_jax() -> None:
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


def write_json(path: Path | None, record: dict[str, Any]) -> None:
    """Write a record whole or not at all, if there is a path."""
    if path is None:
        return
    from irtjax.report import write_whole

    text = json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False)
    write_whole(path, (text + "\n").encode())


def as_options(message: str, names: Iterable[str]) -> str:
    """Return a message of the library with its settings spelt as options.

    The library says "pass score_is='failure'", the command "--score-is failure"; a
    list of one value, ignore=['task 1'], is --ignore 'task 1'.
    """

    def spelt(found: re.Match[str]) -> str:
        value = found["text"] or found["word"]
        option = "--" + found["name"].replace("_", "-")
        return f"{option} {shlex.quote(value)}" if value else option

    value = r"(?P<quote>['\"])(?P<text>.*?)(?P=quote)|(?P<word>\w+(?:\.\w+)*)"
    setting = rf"\b(?P<name>{'|'.join(names)})=(?P<list>\[)?(?:{value})?(?(list)\])"
    return re.sub(setting, spelt, message)
