"""Replacing one node of a syntax tree."""

import ast
from collections.abc import Callable, Sequence

Replacement = ast.expr | Sequence[ast.stmt]
"""What stands in a node's place: an expression, or the statements for a statement."""

Alter = Callable[[ast.AST], Sequence[Replacement]]
"""All replacements of a node that one kind of change knows; none for most nodes."""


def sites(source: str, alter: Alter) -> list[tuple[int, int]]:
    """Return where `alter` applies: the place of a node and which replacement of it.

    Args:
        source: of a module that parses.
        alter: may change and return the node it is given.

    Returns:
        Pairs for `edit`, in the order of the nodes, breadth first.
    """
    offered = [len(alter(node)) for node in ast.walk(ast.parse(source))]
    return [(place, each) for place, n in enumerate(offered) for each in range(n)]


def edit(source: str, alter: Alter, site: tuple[int, int]) -> str:
    """Return the text of the program with one of the replacements that `sites` lists."""
    tree = ast.parse(source)
    node = list(ast.walk(tree))[site[0]]
    replace(tree, node, alter(node)[site[1]])
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def replace(tree: ast.AST, old: ast.AST, new: Replacement) -> None:
    """Put `new` where `old` stands in `tree`; an emptied block becomes `pass`."""
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
