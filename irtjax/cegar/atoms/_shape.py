"""Static atoms: the size and the control flow of a program.

They read the syntax tree, so that names, comments, docstrings and layout change none.
Each function stands alone: rendered operators carry its text.
"""

from ._seen import Shown, Value


def syntax_nodes(task: "Shown", code: str, ctx: None) -> "Value":
    """Size of the program, in nodes of its syntax tree."""
    import ast

    nodes = 0
    for node in ast.walk(ast.parse(code)):
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        nodes += -1 if text else not isinstance(node, ast.Load | ast.Store)
    return nodes


def statements(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of statements, docstrings left out."""
    import ast

    return sum(
        isinstance(node, ast.stmt)
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for node in ast.walk(ast.parse(code))
    )


def branches(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of `if`s, conditional expressions and match cases."""
    import ast

    kinds = ast.If | ast.IfExp | ast.match_case
    return sum(isinstance(node, kinds) for node in ast.walk(ast.parse(code)))


def for_loops(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of `for` statements."""
    import ast

    return sum(isinstance(node, ast.For) for node in ast.walk(ast.parse(code)))


def while_loops(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of `while` statements."""
    import ast

    return sum(isinstance(node, ast.While) for node in ast.walk(ast.parse(code)))


def comprehensions(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of `for` clauses in comprehensions and generator expressions."""
    import ast

    return sum(
        isinstance(node, ast.comprehension) for node in ast.walk(ast.parse(code))
    )


def loop_depth(task: "Shown", code: str, ctx: None) -> "Value":
    """Most loops around one place, comprehensions counted."""
    import ast

    kinds = ast.For | ast.While | ast.comprehension
    deepest = 0
    todo: list[tuple[ast.AST, int]] = [(ast.parse(code), 0)]
    while todo:
        node, depth = todo.pop()
        comprehended = getattr(node, "generators", ())
        depth += isinstance(node, kinds) or len(comprehended)
        deepest = max(deepest, depth)
        for child in ast.iter_child_nodes(node):
            todo.append((child, depth - (child in comprehended)))
    return deepest


def block_depth(task: "Shown", code: str, ctx: None) -> "Value":
    """Most compound statements around one place."""
    import ast

    kinds = ast.For | ast.While | ast.If | ast.With | ast.Try | ast.FunctionDef
    deepest, todo = 0, [(ast.parse(code), 0)]
    while todo:
        node, depth = todo.pop()
        depth += isinstance(node, kinds)
        deepest = max(deepest, depth)
        todo += [(child, depth) for child in ast.iter_child_nodes(node)]
    return deepest


def returns(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of return statements."""
    import ast

    return sum(isinstance(node, ast.Return) for node in ast.walk(ast.parse(code)))


def falls_off_the_end(task: "Shown", code: str, ctx: None) -> "Value":
    """Whether the entry point returns a value on one path and nothing on another."""
    import ast

    def ends(body):
        last = body[-1]
        if isinstance(last, ast.Return | ast.Raise):
            return True
        if isinstance(last, ast.If):
            return bool(last.orelse) and ends(last.body) and ends(last.orelse)
        if isinstance(last, ast.Try):
            ways = [last.orelse or last.body, *(one.body for one in last.handlers)]
            return all(map(ends, ways)) or bool(last.finalbody and ends(last.finalbody))
        if isinstance(last, ast.With):
            return ends(last.body)
        forever = isinstance(last, ast.While) and isinstance(last.test, ast.Constant)
        return forever or isinstance(last, ast.Match)

    for node in ast.parse(code).body:
        if isinstance(node, ast.FunctionDef) and node.name == task.entry_point:
            inside = [one for one in ast.walk(node) if isinstance(one, ast.Return)]
            return any(one.value for one in inside) and not ends(node.body)
    return None


def calls_itself(task: "Shown", code: str, ctx: None) -> "Value":
    """Whether a function of the program calls itself."""
    import ast

    for function in ast.walk(ast.parse(code)):
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                called = node.func if isinstance(node, ast.Call) else None
                if isinstance(called, ast.Name) and called.id == function.name:
                    return 1
    return 0


def returns_in_loops(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of return statements inside loops."""
    import ast

    found = set()
    for loop in ast.walk(ast.parse(code)):
        if isinstance(loop, ast.For | ast.While):
            found |= {node for node in ast.walk(loop) if isinstance(node, ast.Return)}
    return len(found)


def first_round_decides(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of loops whose first round always returns or leaves the loop."""
    import ast

    def ends(body):
        last = body[-1]
        if isinstance(last, ast.If):
            return bool(last.orelse) and ends(last.body) and ends(last.orelse)
        return isinstance(last, ast.Return | ast.Break | ast.Raise)

    def skips(loop):
        return any(isinstance(node, ast.Continue) for node in ast.walk(loop))

    return sum(
        isinstance(node, ast.For | ast.While) and ends(node.body) and not skips(node)
        for node in ast.walk(ast.parse(code))
    )


def functions(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of functions defined."""
    import ast

    return sum(isinstance(node, ast.FunctionDef) for node in ast.walk(ast.parse(code)))


def imports(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of modules imported, `typing` left out."""
    import ast

    found = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module)
    return len(found - {"typing"})


def try_blocks(task: "Shown", code: str, ctx: None) -> "Value":
    """Number of `try` statements."""
    import ast

    return sum(isinstance(node, ast.Try) for node in ast.walk(ast.parse(code)))
