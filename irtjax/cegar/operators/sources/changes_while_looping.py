"""A list, set or dict is made longer or shorter by the body of the loop over it."""


def operator(task, code):
    import ast

    changing = (
        "append",
        "insert",
        "remove",
        "pop",
        "clear",
        "extend",
        "add",
        "discard",
    )
    for loop in ast.walk(ast.parse(code)):
        if isinstance(loop, ast.For) and isinstance(loop.iter, ast.Name):
            for node in ast.walk(loop):
                held = None
                if isinstance(node, ast.Attribute) and node.attr in changing:
                    held = node.value
                elif isinstance(node, ast.Delete):
                    held = getattr(node.targets[0], "value", None)
                if isinstance(held, ast.Name) and held.id == loop.iter.id:
                    return "FLAG"
    return "PASS"
