"""Mutants: programs with one small mistake made on purpose."""

import ast
from dataclasses import dataclass

from ._edit import edits
from ._expression_mistakes import EXPRESSION_MISTAKES
from ._statement_mistakes import STATEMENT_MISTAKES


@dataclass(frozen=True)
class Mutant:
    """A program with one mistake.

    Attributes:
        mistake: its kind, a few words.
        source: of the changed program.
    """

    mistake: str
    source: str


def mutants(source: str) -> tuple[Mutant, ...]:
    """Return all programs that differ from `source` by one mistake of a known kind.

    Some behave as the original does: whether a mutant is wrong is found by running it.

    Args:
        source: of a module that parses. Its layout and comments are lost.

    Returns:
        Distinct programs, none the original, kind after kind; always in the same order.

    Raises:
        SyntaxError: `source` does not parse.

    References:
        DeMillo, Lipton and Sayward (1978), Hints on test data selection: help for the
        practicing programmer.
    """
    found: dict[str, str] = {}
    original = ast.unparse(ast.parse(source)) + "\n"
    for mistake, alter in {**EXPRESSION_MISTAKES, **STATEMENT_MISTAKES}.items():
        for text in edits(source, alter):
            if text != original:
                found.setdefault(text, mistake)
    return tuple(Mutant(mistake, text) for text, mistake in found.items())
