"""Mistakes inside one expression, as replacements of a node of the syntax tree."""

import ast
import builtins
import copy
from collections.abc import Mapping
from types import MappingProxyType

from ._edit import Alter

_BOUNDARY = {
    ast.Lt: (ast.LtE,),
    ast.LtE: (ast.Lt,),
    ast.Gt: (ast.GtE,),
    ast.GtE: (ast.Gt,),
}
_RELATION = {
    ast.Lt: (ast.Gt,),
    ast.LtE: (ast.GtE,),
    ast.Gt: (ast.Lt,),
    ast.GtE: (ast.LtE,),
    ast.Eq: (ast.NotEq, ast.GtE, ast.LtE),
    ast.NotEq: (ast.Eq, ast.Gt, ast.Lt),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_ARITHMETIC = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.FloorDiv: (ast.Mod,),
    ast.Mod: (ast.FloorDiv,),
}
_METHODS = {
    "endswith": "startswith",
    "startswith": "endswith",
    "rstrip": "lstrip",
    "upper": "lower",
    "append": "extend",
    "islower": "isupper",
    "find": "rfind",
    "isdigit": "isalpha",
}
_FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}


def _compare(node: ast.AST, table: Mapping) -> list[ast.expr]:
    if not isinstance(node, ast.Compare):
        return []
    changed = []
    for place, operator in enumerate(node.ops):
        for other in table.get(type(operator), ()):
            new = copy.deepcopy(node)
            new.ops[place] = other()
            changed.append(new)
    return changed


def boundary(node: ast.AST) -> list[ast.expr]:
    """Let a comparison include its bound, or not."""
    return _compare(node, _BOUNDARY)


def relation(node: ast.AST) -> list[ast.expr]:
    """Turn a comparison round, or loosen an equality."""
    return _compare(node, _RELATION)


def arithmetic(node: ast.AST) -> list[ast.expr]:
    """Use another arithmetic operator."""
    if not isinstance(node, ast.BinOp):
        return []
    others = _ARITHMETIC.get(type(node.op), ())
    return [ast.BinOp(node.left, other(), node.right) for other in others]


def operands(node: ast.AST) -> list[ast.expr]:
    """Swap the operands of an operation that is not symmetric."""
    if isinstance(node, ast.BinOp) and isinstance(
        node.op, ast.Sub | ast.Mod | ast.FloorDiv | ast.Add
    ):
        return [ast.BinOp(node.right, node.op, node.left)]
    return []


def boolean(node: ast.AST) -> list[ast.expr]:
    """Confuse "and" with "or", or forget one of the conditions."""
    if not isinstance(node, ast.BoolOp):
        return []
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    changed: list[ast.expr] = [ast.BoolOp(other, node.values)]
    for place in range(len(node.values)):
        rest = node.values[:place] + node.values[place + 1 :]
        changed.append(rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest))
    return changed


def negation(node: ast.AST) -> list[ast.expr]:
    """Forget a "not"."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        return [node.operand]
    return []


def constant(node: ast.AST) -> list[ast.expr]:
    """Take a neighbouring number, the other truth value, or no text."""
    if not isinstance(node, ast.Constant):
        return []
    value = node.value
    if isinstance(value, bool):
        return [ast.Constant(not value)]
    if isinstance(value, int):
        return [ast.Constant(value + 1), ast.Constant(value - 1)]
    if isinstance(value, str) and value:
        return [ast.Constant(value[:-1])]
    return []


def off_by_one(node: ast.AST) -> list[ast.expr]:
    """Move an index, the bound of a slice or the bound of a range by one."""
    if isinstance(node, ast.Call) and _called(node) in ("range", "enumerate"):
        changed = []
        for place, argument in enumerate(node.args):
            if isinstance(argument, ast.Constant) or _called(node) == "enumerate":
                continue
            for operator in (ast.Add(), ast.Sub()):
                new = copy.deepcopy(node)
                new.args[place] = ast.BinOp(argument, operator, ast.Constant(1))
                changed.append(new)
        return changed
    if isinstance(node, ast.Slice):
        changed = []
        for side in ("lower", "upper"):
            bound = getattr(node, side)
            if bound is None:
                continue
            for operator in (ast.Add(), ast.Sub()):
                new = copy.deepcopy(node)
                setattr(new, side, ast.BinOp(bound, operator, ast.Constant(1)))
                changed.append(new)
        return changed
    return []


def slices(node: ast.AST) -> list[ast.expr]:
    """Forget one bound of a slice."""
    if not isinstance(node, ast.Slice):
        return []
    changed: list[ast.expr] = []
    if node.lower is not None:
        changed.append(ast.Slice(None, node.upper, node.step))
    if node.upper is not None:
        changed.append(ast.Slice(node.lower, None, node.step))
    return changed


def wrong_end(node: ast.AST) -> list[ast.expr]:
    """Take the first of a list for its last, or the other way round."""
    if not (isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load)):
        return []
    text = ast.unparse(node.slice)
    others = {"0": -1, "-1": 0}
    if text not in others:
        return []
    return [ast.Subscript(node.value, ast.Constant(others[text]), node.ctx)]


def order(node: ast.AST) -> list[ast.expr]:
    """Forget to sort, to sort the other way or by something, or to drop duplicates."""
    if not isinstance(node, ast.Call):
        return []
    name = _called(node)
    changed: list[ast.expr] = []
    if name in ("sorted", "set") and node.args:
        changed.append(ast.Call(ast.Name("list", ast.Load()), node.args[:1], []))
    for place in range(len(node.keywords)):
        rest = node.keywords[:place] + node.keywords[place + 1 :]
        changed.append(ast.Call(node.func, node.args, rest))
    if name == "sorted" and not node.keywords:
        reverse = ast.keyword("reverse", ast.Constant(True))
        changed.append(ast.Call(node.func, node.args, [reverse]))
    return changed


def function(node: ast.AST) -> list[ast.expr]:
    """Confuse min with max and the like, or leave such a function out."""
    if not isinstance(node, ast.Call):
        return []
    name = _called(node)
    changed: list[ast.expr] = []
    if name in _FUNCTIONS:
        other = ast.Name(_FUNCTIONS[name], ast.Load())
        changed.append(ast.Call(other, node.args, node.keywords))
    if name in ("min", "max") and len(node.args) > 1:
        changed += node.args
    if name == "abs":
        changed += node.args
    return changed


def method(node: ast.AST) -> list[ast.expr]:
    """Confuse a method with a related one, or leave it out."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return []
    changed: list[ast.expr] = []
    other = _METHODS.get(node.func.attr)
    if other:
        renamed = ast.Attribute(node.func.value, other, ast.Load())
        changed.append(ast.Call(renamed, node.args, node.keywords))
    if node.func.attr in ("lower", "upper", "rstrip", "lstrip", "strip", "replace"):
        changed.append(node.func.value)
    return changed


def arguments(node: ast.AST) -> list[ast.expr]:
    """Swap the first two arguments of a call."""
    if not (isinstance(node, ast.Call) and len(node.args) >= 2):
        return []
    if _called(node) in ("min", "max"):
        return []
    new = copy.deepcopy(node)
    new.args[:2] = new.args[1::-1]
    return [new]


def variable(node: ast.AST) -> list[ast.expr]:
    """Take another variable of the same expression."""
    if not isinstance(node, ast.Compare | ast.BinOp):
        return []
    reads = _variables(node)
    names = list(dict.fromkeys(name.id for name in reads))
    changed = []
    for place, read in enumerate(reads):
        for name in names:
            if name != read.id and len(names) <= 3:
                new = copy.deepcopy(node)
                target = _variables(new)[place]
                target.id = name
                changed.append(new)
    return changed


def _variables(node: ast.AST) -> list[ast.Name]:
    names = (n for n in ast.walk(node) if isinstance(n, ast.Name))
    return [name for name in names if not hasattr(builtins, name.id)]


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


EXPRESSION_MISTAKES: Mapping[str, Alter] = MappingProxyType(
    {
        "comparison boundary": boundary,
        "comparison": relation,
        "arithmetic operator": arithmetic,
        "swapped operands": operands,
        "boolean operator": boolean,
        "missing negation": negation,
        "constant": constant,
        "off by one": off_by_one,
        "slice bounds": slices,
        "wrong end": wrong_end,
        "missing sort or dedupe": order,
        "min or max": function,
        "method": method,
        "swapped arguments": arguments,
        "wrong variable": variable,
    }
)
"""Kinds of mistakes in an expression."""
