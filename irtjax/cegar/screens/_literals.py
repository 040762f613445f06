"""The constants in an operator's text, and where answers hold them too."""

import ast
import builtins
import functools
import keyword
import re
from collections.abc import Callable, Sequence

from .._operator import VERDICTS

Literal = str | int | float
"""A constant that an answer could hold as well."""

_PLAIN = 20  # whole numbers up to here are everybody's


def literals(source: str) -> list[Literal]:
    """Return the constants of a source that could be somebody's mark, without repeats.

    Docstrings, verdicts, small whole numbers, single words of the language and texts of
    no letters and digits are left out. A longer piece of a program is not: an operator
    that means a construct finds it in the syntax tree.
    """
    tree = ast.parse(source)
    statements = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    found: dict[str, Literal] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in statements:
            value = node.value
            if isinstance(value, str | int | float) and _may_be_a_mark(value):
                found.setdefault(repr(value), value)
    return list(found.values())


def replaced(source: str, marks: Sequence[Literal]) -> str:
    """Return a source with constants replaced by some that no answer holds."""

    class Replace(ast.NodeTransformer):
        def visit_Constant(self, node: ast.Constant) -> ast.AST:
            if repr(node.value) not in {repr(mark) for mark in marks}:
                return node
            other = "\x00no answer" if isinstance(node.value, str) else 10**12 + 39
            return ast.copy_location(ast.Constant(other), node)

    return ast.unparse(Replace().visit(ast.parse(source)))


def holder(mark: Literal) -> Callable[[str], bool]:
    """Return what tells whether an answer holds a constant."""
    if isinstance(mark, str):
        return lambda code: mark in code
    return lambda code: mark in numbers_of(code)


@functools.lru_cache(maxsize=100_000)
def numbers_of(code: str) -> frozenset[int | float]:
    """Return the numbers written in a program; in what is no program, those in words."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return frozenset(map(float, re.findall(r"(?<![\w.])\d{1,15}(?![\w.])", code)))
    found = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return frozenset(one for one in found if isinstance(one, int | float))


def constants_of(code: str) -> frozenset[Literal]:
    """Return the texts and the numbers above 2 written in a program."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return frozenset()
    found: set[Literal] = {one for one in numbers_of(code) if one not in (0, 1, 2)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node.value
        ):
            found.add(node.value)
    return frozenset(found)


def own_words(text: str) -> bool:
    """Return whether a text is made of words of the language and its library alone."""
    return set(re.findall(r"[A-Za-z_]\w*|\d+", text)) <= _vocabulary()


def _may_be_a_mark(value: Literal) -> bool:
    if isinstance(value, bool):
        return False
    if isinstance(value, str):
        letters = re.search(r"\w", value) is not None
        word = value.strip(" (.:").isidentifier() and own_words(value)
        return len(value) > 1 and value not in VERDICTS and letters and not word
    return not (abs(value) <= _PLAIN and value == int(value))


@functools.cache
def _vocabulary() -> frozenset[str]:
    """Return the words that anybody who writes about programs needs."""
    words = {*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *dir(ast), "self"}
    for kind in (str, bytes, int, float, list, dict, set, tuple, frozenset, object):
        words |= set(dir(kind))
    for node in vars(ast).values():
        words |= set(getattr(node, "_fields", ()))
    words |= {"lineno", "col_offset", "end_lineno", "end_col_offset", "typing"}
    words |= {"math", "re", "itertools", "collections", "functools", "heapq", "json"}
    words |= {"random", "string", "bisect", "sys", "os", "datetime", "operator"}
    words |= {"value", "error", "timeout", "crash", "kind", "text", "null", "true"}
    words |= {"false", "run", "trace", "inputs", "peers", "visible_inputs", "prompt"}
    words |= {"entry_point", "checks", "assert", "bytearray", "deque", "decimal"}
    words |= {"fraction", "long", "NaN", "Infinity", "floor", "ceil", "trunc", "number"}
    words |= {"nlargest", "nsmallest", "Counter", "defaultdict", "heappush", "heappop"}
    return frozenset(words | {str(number) for number in range(_PLAIN + 1)})
