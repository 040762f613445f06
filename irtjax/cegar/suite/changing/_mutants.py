"""Mutants: programs with one small mistake made on purpose."""

import ast
import random
from dataclasses import dataclass
from types import MappingProxyType

from ._edit import edit, sites
from ._expression_mistakes import EXPRESSION_MISTAKES
from ._statement_mistakes import STATEMENT_MISTAKES

MISTAKES = MappingProxyType({**EXPRESSION_MISTAKES, **STATEMENT_MISTAKES})
"""Kinds of mistakes, by a few words."""


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
    for mistake, alter in MISTAKES.items():
        for site in sites(source, alter):
            text = edit(source, alter, site)
            if text != original:
                found.setdefault(text, mistake)
    return tuple(Mutant(mistake, text) for text, mistake in found.items())


def random_mutant(source: str, draw: random.Random) -> Mutant:
    """Return one program that differs from `source` by one mistake.

    Its kind is drawn first, then the place: kinds with many places would crowd out the
    others.

    Args:
        source: of a module that parses.
        draw: decides.

    Raises:
        SyntaxError: `source` does not parse.
        ValueError: it has no place for any mistake.
    """
    kinds = list(MISTAKES.items())
    for mistake, alter in draw.sample(kinds, len(kinds)):
        offered = sites(source, alter)
        if offered:
            return Mutant(mistake, edit(source, alter, draw.choice(offered)))
    raise ValueError("The program has no place for a mistake: give a longer one.")
