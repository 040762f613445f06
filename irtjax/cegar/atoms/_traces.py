"""Atoms of which lines of an answer run. Each function stands alone."""

from ._seen import Context, Shown, Value


def lines_never_run(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the lines with statements in functions that no input reaches."""
    import ast

    lines = {
        node.lineno
        for function in ast.walk(ast.parse(code))
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.stmt) and node is not function
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    }
    run = set()
    for arguments in [*ctx.visible_inputs, *ctx.inputs]:
        run |= set(ctx.trace(code, arguments))
    return len(lines - run) / len(lines) if lines else None


def lines_unseen_by_checks(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Share of the lines that perturbed inputs reach, and no visible one does."""
    shown, all_run = set(), set()
    for arguments in ctx.visible_inputs:
        shown |= set(ctx.trace(code, arguments))
    for arguments in ctx.inputs:
        all_run |= set(ctx.trace(code, arguments))
    return len(all_run - shown) / len(all_run | shown) if all_run | shown else None


def busiest_line(task: "Shown", code: str, ctx: "Context") -> "Value":
    """Digits of the most runs of one line, over the perturbed inputs."""
    most = 0
    for arguments in ctx.inputs:
        most = max([most, *ctx.trace(code, arguments).values()])
    return len(str(most)) if ctx.inputs else None
