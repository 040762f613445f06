"""A default value is a list, dict or set that all calls share and the body changes."""


def operator(task, code):
    import ast

    for function in ast.walk(ast.parse(code)):
        if isinstance(function, ast.FunctionDef):
            defaults = function.args.defaults
            names = [one.arg for one in function.args.args][-len(defaults) :]
            shared = {
                name
                for name, value in zip(names, defaults, strict=False)
                if isinstance(value, ast.List | ast.Dict | ast.Set | ast.Call)
            }
            for node in ast.walk(function):
                held = None
                if isinstance(node, ast.Attribute):
                    held = node.value
                elif isinstance(node, ast.Subscript):
                    held = None if isinstance(node.ctx, ast.Load) else node.value
                if isinstance(held, ast.Name) and held.id in shared:
                    return "FLAG"
    return "PASS"
