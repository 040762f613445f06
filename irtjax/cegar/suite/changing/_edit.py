"""Replacing one node of a syntax tree."""

import ast
from collections.abc import Callable, Iterator, Sequence

Replacement = ast.expr | Sequence[ast.stmt]
"""What stands in a node's place: an expression, or the statements for a statement."""

Alter = Callable[[ast.AST], Sequence[Replacement]]
"""All replacements of a node that one kind of change knows; none for most nodes."""


def edits(source: str, alter: Alter) -> Iterator[str]:
    """Yield the text of the program for each single replacement that `alter` offers.

    Args:
        source: of a module that parses.
        alter: may change and return the node it is given, which is a copy's.

    Yields:
        Texts in the order of the nodes, breadth first.
    """
    sites = [len(alter(node)) for node in ast.walk(ast.parse(source))]
    for place, offered in enumerate(sites):
        for choice in range(offered):
            tree = ast.parse(source)
            node = list(ast.walk(tree))[place]
            replace(tree, node, alter(node)[choice])
            yield ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def replace(tree: ast.AST, old: ast.AST, new: Replacement) -> None:
    """Put `new` where `old` stands in `tree`; an emptied block becomes `pass`."""
    if old is new:
        return
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, field, new)
                return
            if isinstance(value, list) and any(entry is old for entry in value):
                place = next(i for i, entry in enumerate(value) if entry is old)
                value[place : place + 1] = [new] if isinstance(new, ast.AST) else new
                if not value and field == "body":
                    value.append(ast.Pass())
                return


def parsed(text: str) -> ast.expr:
    """Return the expression that a text spells."""
    return ast.parse(text, mode="eval").body
