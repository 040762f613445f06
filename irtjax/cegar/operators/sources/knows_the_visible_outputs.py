"""What it returns for a visible check's arguments stands in it as a constant."""


def operator(task, code, ctx):
    import ast
    import json

    plain = (None, True, False, 0, 1, 2, "")
    constants = {
        json.dumps(node.value)
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, int | float | str)
        and node.value not in plain
    }
    seen = [ctx.run(code, arguments) for arguments in ctx.visible_inputs]
    if not seen:
        return "ABSTAIN"
    known = [one.kind == "value" and one.text in constants for one in seen]
    return "FLAG" if all(known) else "PASS"
