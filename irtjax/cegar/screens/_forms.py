"""Programs in other forms that do the same: conditions, updates and bounds.

Each form is exact for plain values, and changes neither how many branches, loops,
statements that return, or literals there are to count, but for a `pass`.
"""

import ast
import functools

_MIRRORED = {
    ast.Lt: ast.Gt,
    ast.Gt: ast.Lt,
    ast.LtE: ast.GtE,
    ast.GtE: ast.LtE,
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
}


@functools.lru_cache(maxsize=100_000)
def in_other_forms(code: str) -> str:
    """Return a program in which whatever has another form stands in that one.

    A program that cannot be read, or has none of these forms, is returned as it is.
    """
    try:
        tree = ast.parse(code)
        before = ast.dump(tree)
        for form in (_Branches(), _Comparisons(), _Updates(), _Bounds()):
            tree = form.visit(tree)
        changed = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        return code if ast.dump(ast.parse(changed)) == before else changed
    except (SyntaxError, ValueError, RecursionError):
        return code


class _Branches(ast.NodeTransformer):
    """Swap two branches and negate their condition, or take its `not` away."""

    def visit_If(self, node: ast.If) -> ast.If:
        self.generic_visit(node)
        negated = _under_not(node.test)
        if negated is not None:
            return ast.If(negated, node.orelse or [ast.Pass()], node.body)
        chained = len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)
        if not node.orelse or chained:
            return node
        return ast.If(ast.UnaryOp(ast.Not(), node.test), node.orelse, node.body)

    def visit_IfExp(self, node: ast.IfExp) -> ast.IfExp:
        self.generic_visit(node)
        test = _under_not(node.test) or ast.UnaryOp(ast.Not(), node.test)
        return ast.IfExp(test, node.orelse, node.body)


class _Comparisons(ast.NodeTransformer):
    """Turn a comparison of names and constants round: `a < b` and `b > a`."""

    def visit_Compare(self, node: ast.Compare) -> ast.Compare:
        self.generic_visit(node)
        if len(node.ops) > 1 or type(node.ops[0]) not in _MIRRORED:
            return node
        left, right = node.left, node.comparators[0]
        if not all(isinstance(side, ast.Name | ast.Constant) for side in (left, right)):
            return node  # which side is worked out first may matter
        return ast.Compare(right, [_MIRRORED[type(node.ops[0])]()], [left])


class _Updates(ast.NodeTransformer):
    """Write `x += 1` as `x = x + 1`, and the other way round.

    With a number added nothing can change in place that has another name, too.
    """

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        if not isinstance(node.target, ast.Name) or not _step(node.op, node.value):
            return node
        read = ast.Name(node.target.id, ast.Load())
        return ast.Assign([node.target], ast.BinOp(read, node.op, node.value))

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        self.generic_visit(node)
        target, value = node.targets[0], node.value
        if (
            len(node.targets) == 1
            and isinstance(target, ast.Name)
            and isinstance(value, ast.BinOp)
            and isinstance(value.left, ast.Name)
            and value.left.id == target.id
            and _step(value.op, value.right)
        ):
            return ast.AugAssign(target, value.op, value.right)
        return node


class _Bounds(ast.NodeTransformer):
    """Add up what is added twice to a bound, which is a whole number or nothing."""

    def visit_Slice(self, node: ast.Slice) -> ast.Slice:
        self.generic_visit(node)
        for side in ("lower", "upper", "step"):
            bound = getattr(node, side)
            if bound is not None:
                setattr(node, side, _added_up(bound))
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "range":
            node.args = [_added_up(argument) for argument in node.args]
        return node


def _under_not(test: ast.expr) -> ast.expr | None:
    """Return what a condition negates, or None."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return None


def _step(op: ast.operator, value: ast.expr) -> bool:
    """Return whether an operation adds or takes a fixed number."""
    number = value.value if isinstance(value, ast.Constant) else None
    plain = isinstance(number, int | float) and not isinstance(number, bool)
    return plain and isinstance(op, ast.Add | ast.Sub)


def _added_up(bound: ast.expr) -> ast.expr:
    total, steps, rest = 0, 0, bound
    while isinstance(rest, ast.BinOp) and _step(rest.op, rest.right):
        assert isinstance(rest.right, ast.Constant)
        number = rest.right.value
        if not isinstance(number, int):
            return bound
        total += number if isinstance(rest.op, ast.Add) else -number
        steps, rest = steps + 1, rest.left
    if steps < 2:
        return bound
    sign = ast.Sub() if total < 0 else ast.Add()
    return ast.BinOp(rest, sign, ast.Constant(abs(total)))
