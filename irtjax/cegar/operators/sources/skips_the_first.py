"""A loop over indices starts at 1 and never looks at the element before."""


def operator(task, code):
    import ast

    for loop in ast.walk(ast.parse(code)):
        if isinstance(loop, ast.For) and isinstance(loop.iter, ast.Call):
            called, given = loop.iter.func, loop.iter.args
            if not isinstance(called, ast.Name) or called.id != "range":
                continue
            if len(given) < 2 or getattr(given[0], "value", None) != 1:
                continue
            inside = [node for part in loop.body for node in ast.walk(part)]
            places = [n.slice for n in inside if isinstance(n, ast.Subscript)]
            to_length = any(
                isinstance(node, ast.Name) and node.id == "len"
                for node in ast.walk(given[1])
            )
            if to_length and places and all(isinstance(p, ast.Name) for p in places):
                return "FLAG"
    return "PASS"
