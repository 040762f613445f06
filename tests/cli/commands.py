"""Running a command in this process, and reading what it printed."""

import csv
import io

from typer.testing import CliRunner

from irtjax import cli


def run(*arguments):
    return CliRunner().invoke(cli.app, list(map(str, arguments)))


def done(*arguments):
    """Return the result of a command that must succeed."""
    result = run(*arguments)
    assert result.exit_code == 0, result.stderr
    return result


def rows_of(text, delimiter="\t"):
    return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))


def refused(*arguments):
    """Return the one message of a command that must fail before doing anything."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert isinstance(result.exception, SystemExit)
    return " ".join(result.stderr.split())
