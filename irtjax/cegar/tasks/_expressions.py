"""Visible checks as expressions: found, and judged from what a program returned.

A check such as "assert set(f([3, 1])) == {1, 3}" holds the expected value, so it is never
run beside a program. The calls in it are; what they return is put in their place, and
the rest is worked out here from a short list of harmless operations.
"""

import ast
import math
import operator
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

_OPERATORS: Mapping[type, Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
}

_KINDS = (set, frozenset, list, tuple, dict, sorted, str, int, float, bool, complex)
_NUMBERS = (len, abs, round, sum, min, max, any, all, range, isinstance)
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    **{each.__name__: each for each in (*_KINDS, *_NUMBERS)},
    "math.isclose": math.isclose,
    "math.sqrt": math.sqrt,
    "sys.getsizeof": sys.getsizeof,
}
_NAMES: Mapping[str, Any] = {"math.pi": math.pi, "math.e": math.e, "math.inf": math.inf}


class NotReadableError(ValueError):
    """A check that holds more than this module works out."""


def calls(text: str, entry_point: str) -> tuple[tuple[Any, ...], ...]:
    """Return the arguments of the calls of a program in a check, in a fixed order.

    Args:
        text: of a check, with or without "assert".
        entry_point: of the program.

    Raises:
        NotReadableError: the check is no expression, names an argument, or is made of
            things that are not worked out here.
    """
    expression = _expression(text)
    found = _calls(expression, entry_point)
    known = dict.fromkeys(found, None)
    arguments = []
    for call in found:
        if call.keywords or any(isinstance(each, ast.Starred) for each in call.args):
            raise NotReadableError(f"{text!r} names or spreads an argument")
        arguments.append(tuple(_attempt(text, each, known) for each in call.args))
    return tuple(arguments)


def holds(text: str, entry_point: str, returned: tuple[Any, ...]) -> bool:
    """Return whether a check is met.

    Args:
        text: of a check that `calls` can read.
        entry_point: of the program.
        returned: the values of its calls, in the order of `calls`. One that cannot be
            compared as the check does (the length of a number) does not meet it.
    """
    expression = _expression(text)
    found = _calls(expression, entry_point)
    try:
        return bool(_value(expression, dict(zip(found, returned, strict=True))))
    except NotReadableError:
        raise
    # What a program returns decides which error the comparison ends in.
    except (TypeError, ValueError, ArithmeticError, LookupError, RecursionError):
        return False


def _expression(text: str) -> ast.expr:
    try:
        statements = ast.parse(text.strip()).body
    except (SyntaxError, ValueError, RecursionError):
        statements = []
    if len(statements) != 1 or not isinstance(statements[0], ast.Assert | ast.Expr):
        raise NotReadableError(f"{text!r} is not one expression")
    only = statements[0]
    return only.test if isinstance(only, ast.Assert) else only.value


def _calls(expression: ast.expr, entry_point: str) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(expression)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == entry_point
    ]


def _attempt(text: str, node: ast.expr, known: Mapping[ast.Call, Any]) -> Any:
    try:
        return _value(node, known)
    except (TypeError, ValueError, ArithmeticError, LookupError) as error:
        raise NotReadableError(f"{text!r} cannot be worked out: {error}") from None


def _value(node: ast.expr, known: Mapping[ast.Call, Any]) -> Any:
    """Return the value of an expression, calls of the program being `known`."""
    of = partial(_value, known=known)
    match node:
        case ast.Constant():
            return node.value
        case ast.Call() if node in known:
            return known[node]
        case ast.List() | ast.Tuple() | ast.Set():
            kind = {ast.List: list, ast.Tuple: tuple, ast.Set: set}[type(node)]
            return kind(of(each) for each in node.elts)
        case ast.Dict() if None not in node.keys:
            return {
                of(key): of(value)
                for key, value in zip(node.keys, node.values, strict=True)
                if key is not None
            }
        case ast.UnaryOp():
            return _operator(node.op)(of(node.operand))
        case ast.BinOp():
            return _operator(node.op)(of(node.left), of(node.right))
        case ast.BoolOp():
            values = (of(each) for each in node.values)
            return all(values) if isinstance(node.op, ast.And) else any(values)
        case ast.Compare():
            sides = [of(each) for each in (node.left, *node.comparators)]
            return all(
                _operator(each)(left, right)
                for each, left, right in zip(node.ops, sides, sides[1:], strict=False)
            )
        case ast.Subscript():
            return of(node.value)[of(node.slice)]
        case ast.Slice():
            ends = (node.lower, node.upper, node.step)
            return slice(*(None if end is None else of(end) for end in ends))
        case ast.Call():
            name = ast.unparse(node.func)
            if name in _FUNCTIONS and not any(
                word.arg is None for word in node.keywords
            ):
                named = {str(word.arg): of(word.value) for word in node.keywords}
                return _FUNCTIONS[name](*(of(each) for each in node.args), **named)
        case ast.Attribute() if ast.unparse(node) in _NAMES:
            return _NAMES[ast.unparse(node)]
    raise NotReadableError(
        f"{ast.unparse(node)!r:.80} is not something a check may hold"
    )


def _operator(node: ast.AST) -> Callable[..., Any]:
    if type(node) not in _OPERATORS:
        raise NotReadableError(
            f"{type(node).__name__} is not something a check may hold"
        )
    return _OPERATORS[type(node)]
