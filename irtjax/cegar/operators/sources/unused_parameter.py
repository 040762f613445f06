"""The entry point never reads one of its parameters."""


def operator(task, code):
    import ast

    for function in ast.parse(code).body:
        if isinstance(function, ast.FunctionDef) and function.name == task.entry_point:
            read = {
                node.id
                for node in ast.walk(function)
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
            }
            unread = [one.arg for one in function.args.args if one.arg not in read]
            return "FLAG" if unread else "PASS"
    return "ABSTAIN"
