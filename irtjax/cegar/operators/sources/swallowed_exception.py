"""Any exception whatever is caught, and an answer is given in spite of it."""


def operator(task, code):
    import ast

    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ExceptHandler):
            caught = getattr(node.type, "id", None)
            everything = node.type is None or caught in ("Exception", "BaseException")
            if everything and not any(isinstance(x, ast.Raise) for x in ast.walk(node)):
                return "FLAG"
    return "PASS"
