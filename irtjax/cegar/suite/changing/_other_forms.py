"""Other forms for the statements and expressions of a program, with the same effect."""

import ast
import copy
from collections.abc import Callable

from ._edit import parsed

_MIRRORED = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}
_OPPOSITE = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


def _opposite(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return ast.Compare(
            test.left, [_OPPOSITE[type(test.ops[0])]()], test.comparators
        )
    return ast.UnaryOp(ast.Not(), test)


class _Mirror(ast.NodeTransformer):
    """Write `a < b` as `b > a`."""

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        if len(node.ops) == 1 and type(node.ops[0]) in _MIRRORED:
            other = _MIRRORED[type(node.ops[0])]()
            return ast.Compare(node.comparators[0], [other], [node.left])
        return node


class _Unchain(ast.NodeTransformer):
    """Write `a < b < c` as two comparisons."""

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        if len(node.ops) != 2:
            return node
        middle = node.comparators[0]
        return ast.BoolOp(
            ast.And(),
            [
                ast.Compare(node.left, node.ops[:1], [middle]),
                ast.Compare(copy.deepcopy(middle), node.ops[1:], node.comparators[1:]),
            ],
        )


class _SpellOut(ast.NodeTransformer):
    """Write `x += y` as `x = x + y`."""

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        if not isinstance(node.target, ast.Name):
            return node
        read = ast.Name(node.target.id, ast.Load())
        return ast.Assign([node.target], ast.BinOp(read, node.op, node.value))


class _SwapBranches(ast.NodeTransformer):
    """Ask the opposite and swap the two branches."""

    def visit_If(self, node: ast.If) -> ast.stmt:
        self.generic_visit(node)
        if not node.orelse or isinstance(node.orelse[0], ast.If):
            return node
        return ast.If(_opposite(node.test), node.orelse, node.body)


class _NestBranches(ast.NodeTransformer):
    """Put what follows an early `return` or `continue` under an `else`."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        self.generic_visit(node)
        node.body = self._nested(node.body)
        return node

    def visit_For(self, node: ast.For) -> ast.stmt:
        self.generic_visit(node)
        node.body = self._nested(node.body)
        return node

    def _nested(self, body: list[ast.stmt]) -> list[ast.stmt]:
        for place, statement in enumerate(body[:-1]):
            if not isinstance(statement, ast.If) or statement.orelse:
                continue
            if isinstance(statement.body[-1], ast.Return | ast.Continue):
                rest = self._nested(body[place + 1 :])
                new = ast.If(statement.test, statement.body, rest)
                return [*body[:place], new]
        return body


class _Tests(ast.NodeTransformer):
    """Apply the laws of boolean algebra, and spell out membership in a few values."""

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and isinstance(node.operand, ast.BoolOp):
            other = ast.Or() if isinstance(node.operand.op, ast.And) else ast.And()
            return ast.BoolOp(other, [_opposite(v) for v in node.operand.values])
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        if len(node.ops) == 1 and isinstance(node.ops[0], ast.In):
            (choice,) = node.comparators
            if isinstance(choice, ast.Tuple) and isinstance(node.left, ast.Name):
                return ast.BoolOp(
                    ast.Or(),
                    [ast.Compare(node.left, [ast.Eq()], [e]) for e in choice.elts],
                )
        return node


class _SplitConditions(ast.NodeTransformer):
    """Write `if a and b:` as two nested questions."""

    def visit_If(self, node: ast.If) -> ast.stmt:
        self.generic_visit(node)
        if not isinstance(node.test, ast.BoolOp) or node.orelse:
            return node
        if not isinstance(node.test.op, ast.And):
            return node
        inner: list[ast.stmt] = node.body
        for test in reversed(node.test.values):
            inner = [ast.If(test, inner, [])]
        return inner[0]


class _Choices(ast.NodeTransformer):
    """Write a conditional expression that is returned or assigned as a statement."""

    def visit_Return(self, node: ast.Return) -> ast.stmt | list[ast.stmt]:
        if not isinstance(node.value, ast.IfExp):
            return node
        choice = node.value
        first = ast.If(choice.test, [ast.Return(choice.body)], [])
        return [first, ast.Return(choice.orelse)]

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        if not isinstance(node.value, ast.IfExp):
            return node
        choice = node.value
        return ast.If(
            choice.test,
            [ast.Assign(node.targets, choice.body)],
            [ast.Assign(node.targets, choice.orelse)],
        )


class _Loops(ast.NodeTransformer):
    """Write a returned comprehension as a loop."""

    def visit_Return(self, node: ast.Return) -> ast.stmt | list[ast.stmt]:
        value = node.value
        if not isinstance(value, ast.ListComp) or len(value.generators) != 1:
            return node
        (part,) = value.generators
        inner: list[ast.stmt] = [
            ast.Expr(ast.Call(parsed("collected.append"), [value.elt], []))
        ]
        for test in part.ifs:
            inner = [ast.If(test, inner, [])]
        return [
            ast.Assign([ast.Name("collected", ast.Store())], ast.List([], ast.Load())),
            ast.For(part.target, part.iter, inner, []),
            ast.Return(ast.Name("collected", ast.Load())),
        ]


class _Counting(ast.NodeTransformer):
    """Write a loop over a range, without jumps in it, as a `while` loop."""

    def visit_For(self, node: ast.For) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        if not isinstance(node.iter, ast.Call) or not isinstance(node.target, ast.Name):
            return node
        bounds = node.iter.args
        ranged = ast.unparse(node.iter.func) == "range" and len(bounds) <= 2
        jumps = any(
            isinstance(n, ast.Continue | ast.Break)
            for part in node.body
            for n in ast.walk(part)
        )
        if not ranged or jumps or node.orelse:
            return node
        first = bounds[0] if len(bounds) == 2 else ast.Constant(0)
        name = node.target.id
        counter = f"{name}_at"
        step = ast.parse(f"{name} = {counter}\n{counter} += 1").body
        return [
            ast.Assign([ast.Name(counter, ast.Store())], first),
            ast.Assign([ast.Name(f"{name}_stop", ast.Store())], bounds[-1]),
            ast.While(parsed(f"{counter} < {name}_stop"), [*step, *node.body], []),
        ]


class _Inner(ast.NodeTransformer):
    """Hide the work in an inner function."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        inner = copy.copy(node)
        inner.name, inner.returns = "_solve", None
        values = ", ".join(argument.arg for argument in node.args.args)
        outer = copy.copy(node)
        outer.body = [inner, ast.Return(parsed(f"_solve({values})"))]
        return outer


def _form(transformer: type[ast.NodeTransformer]) -> Callable[[ast.Module], ast.Module]:
    return lambda tree: transformer().visit(tree)


OTHER_FORMS: tuple[Callable[[ast.Module], ast.Module], ...] = tuple(
    _form(transformer)
    for transformer in (
        _Mirror,
        _Unchain,
        _Tests,
        _SplitConditions,
        _Choices,
        _SwapBranches,
        _NestBranches,
        _Loops,
        _Counting,
        _SpellOut,
        _Inner,
    )
)
"""Rewrites of a whole program; each may change and return the tree it is given."""
