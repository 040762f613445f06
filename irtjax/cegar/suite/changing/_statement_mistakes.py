"""Mistakes in whole statements, as replacements of a node of the syntax tree."""

import ast
import copy
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from ._edit import Alter

Statements = list[Sequence[ast.stmt]]

Node = TypeVar("Node", bound=ast.For | ast.While | ast.FunctionDef)


def removed_branch(node: ast.AST) -> Statements:
    """Forget a case: a branch is gone, and its alternative stays."""
    if not isinstance(node, ast.If):
        return []
    changed: Statements = [node.orelse]
    if node.orelse:
        changed.append([ast.If(node.test, node.body, [])])
    return changed


def removed_condition(node: ast.AST) -> Statements:
    """Do always what should depend on a condition."""
    return [node.body] if isinstance(node, ast.If) else []


def negated_condition(node: ast.AST) -> Statements:
    """Do a thing exactly when it should not be done."""
    if not isinstance(node, ast.If):
        return []
    return [[ast.If(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)]]


def separate_branches(node: ast.AST) -> Statements:
    """Ask again where the second of two cases excludes the first."""
    if not (isinstance(node, ast.If) and len(node.orelse) == 1):
        return []
    second = node.orelse[0]
    if not isinstance(second, ast.If):
        return []
    return [[ast.If(node.test, node.body, []), second]]


def removed_statement(node: ast.AST) -> Statements:
    """Forget an update or a call."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return [[]]
    if isinstance(node, ast.AugAssign):
        return [[]]
    if isinstance(node, ast.Continue | ast.Break):
        return [[]]
    return []


def other_jump(node: ast.AST) -> Statements:
    """Go on where the loop should end, or end where it should go on."""
    if isinstance(node, ast.Continue):
        return [[ast.Break()]]
    if isinstance(node, ast.Break):
        return [[ast.Continue()]]
    return []


def update(node: ast.AST) -> Statements:
    """Overwrite, or count down, where something should be added."""
    if not (isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add | ast.Sub)):
        return []
    other = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
    return [
        [ast.Assign([node.target], node.value)],
        [ast.AugAssign(node.target, other, node.value)],
    ]


def early_return(node: ast.AST) -> Statements:
    """Return from inside the last loop what should be returned after it."""
    if not (isinstance(node, ast.FunctionDef) and len(node.body) >= 2):
        return []
    loop, last = node.body[-2:]
    if not (isinstance(loop, ast.For | ast.While) and isinstance(last, ast.Return)):
        return []
    body = [*node.body[:-2], _with_body(loop, [*loop.body, last]), last]
    return [[_with_body(node, body)]]


def swapped_statements(node: ast.AST) -> Statements:
    """Do two neighbouring steps of a loop's body in the wrong order."""
    if not isinstance(node, ast.For | ast.While):
        return []
    changed: Statements = []
    for place in range(1, len(node.body)):
        body = list(node.body)
        body[place - 1 : place + 1] = body[place], body[place - 1]
        changed.append([_with_body(node, body)])
    return changed


def _with_body(node: Node, body: list[ast.stmt]) -> Node:
    changed = copy.copy(node)
    changed.body = body
    return changed


STATEMENT_MISTAKES: Mapping[str, Alter] = MappingProxyType(
    {
        "removed branch": removed_branch,
        "removed condition": removed_condition,
        "negated condition": negated_condition,
        "separate branches": separate_branches,
        "removed statement": removed_statement,
        "other jump": other_jump,
        "update": update,
        "early return": early_return,
        "swapped statements": swapped_statements,
    }
)
"""Kinds of mistakes in statements."""
