"""It returns one and the same value whatever it is given."""


def operator(task, code, ctx):
    seen = [ctx.run(code, arguments) for arguments in ctx.inputs]
    if len(seen) < 4:
        return "ABSTAIN"
    values = {one.text for one in seen if one.kind == "value"}
    return "FLAG" if len(values) == 1 else "PASS"
