"""Rewrites of a program that leave what it does alone: other hands, the same thought."""

import ast
import random

from ._other_forms import OTHER_FORMS
from ._other_names import rename

_HABIT = 0.35  # how often a writer has one of the habits


def restyle(source: str, draw: random.Random) -> str:
    """Return a program that does what `source` does, written in another style.

    Variables get other names, and conditions, loops and branches other forms, each kind of
    rewrite by chance. The rewrites suit plain functions of plain values; that the new
    program behaves as the old one should still be tested by running both.

    Args:
        source: of a module that parses.
        draw: decides; the same state gives the same text.

    Raises:
        SyntaxError: `source` does not parse.
    """
    tree = ast.parse(source)
    for form in OTHER_FORMS:
        if draw.random() < _HABIT:
            tree = form(tree)
    # Parsed again, since the forms may leave one node in two places.
    tree = ast.parse(ast.unparse(ast.fix_missing_locations(tree)))
    if draw.random() < 2 * _HABIT:
        tree = rename(tree, draw)
    if draw.random() < _HABIT:
        tree = _without_annotations(tree)
    return ast.unparse(tree) + "\n"


def _without_annotations(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            for argument in node.args.args:
                argument.annotation = None
    return tree
