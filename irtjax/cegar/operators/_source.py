"""What an operator's source may hold; looked at before it is run anywhere."""

import ast

from .._levels import LEVELS
from .._operator import Operator

LONGEST = 100_000
"""Most characters of an operator's source."""

_WORDS = (
    "ast bisect cmath collections copy dataclasses decimal difflib fractions functools",
    "heapq io itertools json keyword math numbers operator re statistics string",
    "textwrap token tokenize typing unicodedata zlib",
)
MODULES = frozenset(" ".join(_WORDS).split())
"""Modules an operator may import: those that neither look outside nor at the clock."""

_FORBIDDEN = frozenset(
    (
        "breakpoint",
        "compile",
        "eval",
        "exec",
        "globals",
        "hash",
        "id",
        "input",
        "locals",
    )
) | {"memoryview", "open", "vars"}
_OFFERED = frozenset().union(*(level.offers for level in LEVELS.values()))


def refused_source(operator: Operator) -> str | None:
    """Return why a source is not run at all, or None.

    This is no wall: the sandbox is. It turns away what cannot be an operator, and what
    could make verdicts depend on something else than the task, the code and the runs.
    """
    if operator.level not in LEVELS:
        return f"level {operator.level} is none of {sorted(LEVELS)}"
    if len(operator.source) > LONGEST:
        return f"its source is longer than {LONGEST} characters"
    try:
        tree = ast.parse(operator.source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"its source does not parse: {error}"
    return _wrong_entry(operator, tree) or next(
        filter(None, map(_forbidden, ast.walk(tree))), None
    )


def offers_used(source: str) -> frozenset[str]:
    """Return the members of `ctx` that a source names."""
    return frozenset(
        node.attr
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "ctx"
        and node.attr in _OFFERED
    )


def _wrong_entry(operator: Operator, tree: ast.Module) -> str | None:
    wanted = 3 if operator.level else 2
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == operator.entry:
            got = len(node.args.posonlyargs) + len(node.args.args)
            if got != wanted:
                return (
                    f"{operator.entry} takes {got} arguments, but at level "
                    f"{operator.level} it is called with {wanted}"
                )
            return None
    return f"it defines no function {operator.entry}"


def _forbidden(node: ast.AST) -> str | None:
    names: list[str] = []
    if isinstance(node, ast.Import):
        names = [one.name for one in node.names]
    elif isinstance(node, ast.ImportFrom):
        names = [node.module or "."]
    for name in names:
        if name.split(".")[0] not in MODULES:
            return f"it imports {name}, which is none of {', '.join(sorted(MODULES))}"
    if isinstance(node, ast.Name) and node.id in _FORBIDDEN:
        return f"it uses {node.id}"
    if isinstance(node, ast.Name) and _hidden(node.id):
        return f"it uses {node.id}"
    if isinstance(node, ast.Attribute) and _hidden(node.attr):
        return f"it reads the attribute {node.attr}"
    return None


def _hidden(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and name != "__name__"
