"""It raises, or uses up its time, on the arguments of a visible check."""


def operator(task, code, ctx):
    for arguments in ctx.visible_inputs:
        if ctx.run(code, arguments).kind != "value":
            return "FLAG"
    return "PASS" if ctx.visible_inputs else "ABSTAIN"
