"""It returns a list or tuple made straight from a set, so its order means nothing."""


def operator(task, code):
    import ast

    def is_set(node):
        called = node.func if isinstance(node, ast.Call) else None
        named = isinstance(called, ast.Name) and called.id in ("set", "frozenset")
        if isinstance(node, ast.BinOp):
            return is_set(node.left) or is_set(node.right)
        return named or isinstance(node, ast.Set | ast.SetComp)

    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Call):
            called = node.value.func
            lists = isinstance(called, ast.Name) and called.id in ("list", "tuple")
            if lists and any(map(is_set, node.value.args)):
                return "FLAG"
    return "PASS"
