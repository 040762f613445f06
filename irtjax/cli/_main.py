"""The `irtjax` command itself.

The answer goes to standard output, everything said about it to standard error, so that
a pipe gets the answer alone. Heavy modules are imported when a command needs them.
"""

from typing import Annotated

import typer

from ._common import app


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
    """Rank and measure systems from incomplete, uneven evaluation data."""
