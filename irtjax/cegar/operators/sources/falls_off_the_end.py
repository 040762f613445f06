"""One path returns a value, and another ends without a return."""


def operator(task, code):
    import ast

    def ends(body):
        last = body[-1]
        if isinstance(last, ast.If):
            return bool(last.orelse) and ends(last.body) and ends(last.orelse)
        if isinstance(last, ast.Try):
            ways = [last.orelse or last.body, *(one.body for one in last.handlers)]
            return all(map(ends, ways)) or bool(last.finalbody and ends(last.finalbody))
        if isinstance(last, ast.With):
            return ends(last.body)
        if isinstance(last, ast.While):
            return isinstance(last.test, ast.Constant)
        return isinstance(last, ast.Return | ast.Raise | ast.Match)

    for node in ast.parse(code).body:
        if isinstance(node, ast.FunctionDef) and node.name == task.entry_point:
            returned = [one for one in ast.walk(node) if isinstance(one, ast.Return)]
            if any(one.value for one in returned) and not ends(node.body):
                return "FLAG"
            return "PASS"
    return "ABSTAIN"
