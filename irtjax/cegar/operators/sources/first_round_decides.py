"""A loop never gets to its second round: every path through its body leaves it."""


def operator(task, code):
    import ast

    def leaves(body):
        last = body[-1]
        if isinstance(last, ast.If):
            return bool(last.orelse) and leaves(last.body) and leaves(last.orelse)
        return isinstance(last, ast.Return | ast.Break | ast.Raise)

    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.For | ast.While):
            goes_on = any(isinstance(one, ast.Continue) for one in ast.walk(node))
            if leaves(node.body) and not goes_on:
                return "FLAG"
    return "PASS"
