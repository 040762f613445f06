"""The type of what it returns changes with the arguments."""


def operator(task, code, ctx):
    import json

    kinds = set()
    for arguments in [*ctx.visible_inputs, *ctx.inputs]:
        one = ctx.run(code, arguments)
        if one.kind == "value":
            value = json.loads(one.text)
            kind = (
                next(iter(value)) if isinstance(value, dict) else type(value).__name__
            )
            kinds.add("number" if kind in ("int", "float") else kind)
    return "FLAG" if len(kinds) > 1 else "PASS"
