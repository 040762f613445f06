"""It prints, or asks the user, where it should return."""


def operator(task, code):
    import ast

    tree = ast.parse(code)
    for function in tree.body:
        if isinstance(function, ast.FunctionDef) and function.name == task.entry_point:
            for node in ast.walk(function):
                called = node.func if isinstance(node, ast.Call) else None
                if isinstance(called, ast.Name) and called.id in ("print", "input"):
                    return "FLAG"
    return "PASS"
