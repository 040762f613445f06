"""Programs laid out otherwise, line for line, with the same syntax tree."""

import ast
import functools
import io
import itertools
import tokenize
from collections.abc import Iterator

_WRAPPED = ast.BinOp | ast.BoolOp | ast.Compare | ast.IfExp
_CLOSE, _SPACE, _OPEN = range(3)  # in this order where they meet

_Insert = tuple[int, int, int]  # a line, from 0; a place in it; what is put there


@functools.lru_cache(maxsize=100_000)
def spread_out(code: str) -> str:
    """Return a program with every compound expression in parentheses, and wider gaps.

    Nobody writes like this, so what looks for a piece of text in a program hardly finds
    it any more. Its syntax tree and the lines on which things stand are the same; a
    program that cannot be read is returned as it is.
    """
    try:
        tree = ast.parse(code)
        lines = code.splitlines(keepends=True)
        inserts = sorted({*_parentheses(tree, lines), *_gaps(code)})
        # Each expression that ends, or begins, at a place has its own parenthesis.
        counts = _counts(tree, lines)
        for row, column, what in reversed(inserts):
            text = " " if what == _SPACE else ("( ", " )")[what == _CLOSE]
            number = 1 if what == _SPACE else counts[row, column, what]
            lines[row] = lines[row][:column] + number * text + lines[row][column:]
        changed = "".join(lines)
        same = ast.dump(ast.parse(changed)) == ast.dump(tree)
    except (SyntaxError, ValueError, RecursionError, IndexError, tokenize.TokenError):
        return code
    return changed if same else code


def _counts(tree: ast.Module, lines: list[str]) -> dict[_Insert, int]:
    found: dict[_Insert, int] = {}
    for one in _parentheses(tree, lines):
        found[one] = found.get(one, 0) + 1
    return found


def _parentheses(tree: ast.Module, lines: list[str]) -> Iterator[_Insert]:
    """Yield where compound expressions begin and end."""
    left_out = {
        id(node)
        for whole in ast.walk(tree)
        if isinstance(whole, ast.JoinedStr | ast.pattern)
        for node in ast.walk(whole)
    }
    for node in ast.walk(tree):
        negated = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        if (negated or isinstance(node, _WRAPPED)) and id(node) not in left_out:
            assert isinstance(node, ast.expr)
            assert node.end_lineno is not None
            assert node.end_col_offset is not None
            yield _place(lines, node.lineno, node.col_offset, _OPEN)
            yield _place(lines, node.end_lineno, node.end_col_offset, _CLOSE)


def _place(lines: list[str], line: int, offset: int, what: int) -> _Insert:
    """Return a place whose offset is in bytes, as syntax trees have it."""
    return line - 1, len(lines[line - 1].encode()[:offset].decode()), what


def _gaps(code: str) -> Iterator[_Insert]:
    """Yield where tokens of one line stand a space apart."""
    tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    names = [tokenize.tok_name[token.type] for token in tokens]
    inside = 0  # of how many formatted texts; since Python 3.12 they are many tokens
    for (one, name), (other, _) in itertools.pairwise(zip(tokens, names, strict=True)):
        inside += (name == "FSTRING_START") - (name == "FSTRING_END")
        apart = one.end[0] == other.start[0] and one.end[1] + 1 == other.start[1]
        if apart and not inside and other.string.strip():
            yield one.end[0] - 1, one.end[1], _SPACE
