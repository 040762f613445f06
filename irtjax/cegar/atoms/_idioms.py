"""Static atoms: habits of writing that often go with a defect.

They read the syntax tree, so that names, comments, docstrings and layout change none.
Each function stands alone: rendered operators carry its text.
"""

from ._seen import Shown, Value


def literals(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of different constants, other than 0, 1, 2, "", None, True and False."""
    import ast

    tree = ast.parse(code)
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found = {
        repr(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and node not in texts
    }
    return len(found - {"0", "1", "2", "''", "None", "True", "False", "Ellipsis"})


def largest_number(task: "Shown", code: str, ctx: None) -> "Value":
    """Decimal digits before the point of the largest number written in the program."""
    import ast

    digits = 0
    for node in ast.walk(ast.parse(code)):
        number = getattr(node, "value", None)
        if isinstance(number, int | float) and abs(number) < 1e300:
            digits = max(digits, len(str(int(abs(number)))))
    return digits


def shared_with_expected(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of the program's constants that a visible check expects as its value."""
    import ast

    plain = (None, True, False, 0, 1, 2, "")

    def constants(tree):
        return {
            repr(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and node.value not in plain
        }

    expected = set()
    for check in task.checks:
        for node in ast.walk(ast.parse(check)):
            if isinstance(node, ast.Compare):
                expected |= set().union(*map(constants, node.comparators))
    return len(constants(ast.parse(code)) & expected)


def shared_with_arguments(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of the program's constants that are arguments in a visible check."""
    import ast

    plain = (None, True, False, 0, 1, 2, "")

    def constants(tree):
        return {
            repr(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and node.value not in plain
        }

    arguments = set()
    for check in task.checks:
        for node in ast.walk(ast.parse(check)):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Name) and called.id == task.entry_point:
                arguments |= set().union(*map(constants, getattr(node, "args", ())))
    return len(constants(ast.parse(code)) & arguments)


def parameters_compared_with_literals(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of places where a parameter is compared with a constant but 0, 1 and 2."""
    import ast

    found = 0
    for function in ast.walk(ast.parse(code)):
        if isinstance(function, ast.FunctionDef):
            names = {argument.arg for argument in function.args.args}
            for node in ast.walk(function):
                if isinstance(node, ast.Compare):
                    sides = [node.left, *node.comparators]
                    named = any(
                        isinstance(one, ast.Name) and one.id in names for one in sides
                    )
                    fixed = any(
                        isinstance(one, ast.Constant)
                        and one.value not in (0, 1, 2, None, "")
                        for one in sides
                    )
                    found += named and fixed
    return found


def unused_parameters(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of the entry point's parameters that it never reads."""
    import ast

    for function in ast.parse(code).body:
        if isinstance(function, ast.FunctionDef) and function.name == task.entry_point:
            read = {
                node.id
                for node in ast.walk(function)
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
            }
            return sum(argument.arg not in read for argument in function.args.args)
    return None


def mutates_parameters(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of places that change a parameter's value in place."""
    import ast

    changing = {"sort", "append", "extend", "insert", "remove", "pop", "reverse"}
    changing |= {"clear", "update", "add", "discard", "setdefault", "popitem"}
    found = 0
    for function in ast.walk(ast.parse(code)):
        if isinstance(function, ast.FunctionDef):
            names = {argument.arg for argument in function.args.args}
            for node in ast.walk(function):
                place = getattr(node, "value", None)
                if isinstance(node, ast.Subscript):
                    changes = not isinstance(node.ctx, ast.Load)
                else:
                    changes = getattr(node, "attr", None) in changing
                named = isinstance(place, ast.Name) and place.id in names
                found += changes and named
    return found


def loops_over_indices(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of `range` calls that hold a `len`."""
    import ast

    found = 0
    for node in ast.walk(ast.parse(code)):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Name) and called.id == "range":
            inside = [
                one for part in getattr(node, "args", ()) for one in ast.walk(part)
            ]
            found += any(isinstance(x, ast.Name) and x.id == "len" for x in inside)
    return found


def ranges_off_by_one(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of `range` calls with a start of 1 or an end that adds or takes 1."""
    import ast

    found = 0
    for node in ast.walk(ast.parse(code)):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Name) and called.id == "range":
            given = getattr(node, "args", ())
            for place, part in enumerate(given):
                one = part.right if isinstance(part, ast.BinOp) else part
                shifted = isinstance(part, ast.BinOp) or (place == 0 and len(given) > 1)
                found += shifted and isinstance(one, ast.Constant) and one.value == 1
    return found


def indices_off_by_one(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of indices and slices that add or take 1."""
    import ast

    found = 0
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Subscript):
            for one in ast.walk(node.slice):
                right = one.right if isinstance(one, ast.BinOp) else None
                found += isinstance(right, ast.Constant) and right.value == 1
    return found


def slices(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of slices."""
    import ast

    return sum(isinstance(node, ast.Slice) for node in ast.walk(ast.parse(code)))


def divisions(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of true divisions."""
    import ast

    return sum(isinstance(node, ast.Div) for node in ast.walk(ast.parse(code)))


def whole_divisions(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of whole divisions and remainders."""
    import ast

    kinds = ast.FloorDiv | ast.Mod
    return sum(isinstance(node, kinds) for node in ast.walk(ast.parse(code)))


def roundings(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of calls that turn numbers into whole ones."""
    import ast

    found = 0
    for node in ast.walk(ast.parse(code)):
        called = node.func if isinstance(node, ast.Call) else None
        name = getattr(called, "id", None) or getattr(called, "attr", None)
        found += name in {"int", "round", "floor", "ceil", "trunc"}
    return found


def sortings(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of calls that sort."""
    import ast

    found = 0
    for node in ast.walk(ast.parse(code)):
        called = node.func if isinstance(node, ast.Call) else None
        name = getattr(called, "id", None) or getattr(called, "attr", None)
        found += name in {"sort", "sorted", "nlargest", "nsmallest"}
    return found


def sets_made(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of sets made, which forget order and repeats."""
    import ast

    found = 0
    for node in ast.walk(ast.parse(code)):
        called = node.func if isinstance(node, ast.Call) else None
        named = isinstance(called, ast.Name) and called.id in {"set", "frozenset"}
        found += named or isinstance(node, ast.Set | ast.SetComp)
    return found


def text_methods(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of calls of a text's methods."""
    import ast

    names = {"lower", "upper", "strip", "split", "replace", "join", "isalpha"}
    names |= {"isdigit", "startswith", "endswith", "find", "swapcase", "title"}
    return sum(
        isinstance(node, ast.Attribute) and node.attr in names
        for node in ast.walk(ast.parse(code))
    )


def uses_patterns(task: "Shown", code: str, ctx: None) -> "Value":
    """Whether it imports regular expressions."""
    import ast

    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = {one.name for one in node.names} | {getattr(node, "module", "")}
            if "re" in names:
                return 1
    return 0


def strict_comparisons(task: "Shown", code: str, ctx: None) -> "Value":
    """Share of the order comparisons that are strict; none: cannot tell."""
    import ast

    kinds = [type(node) for node in ast.walk(ast.parse(code))]
    strict = sum(kind in (ast.Lt, ast.Gt) for kind in kinds)
    loose = sum(kind in (ast.LtE, ast.GtE) for kind in kinds)
    return strict / (strict + loose) if strict + loose else None


def broad_handlers(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of handlers that catch every exception."""
    import ast

    found = 0
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ExceptHandler):
            caught = getattr(node.type, "id", None)
            found += node.type is None or caught in {"Exception", "BaseException"}
    return found
