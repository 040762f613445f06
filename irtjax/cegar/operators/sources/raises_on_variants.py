"""It raises on a third or more of the small changes of the visible arguments."""


def operator(task, code, ctx):
    seen = [ctx.run(code, arguments) for arguments in ctx.inputs]
    if not seen:
        return "ABSTAIN"
    raised = sum(one.kind == "error" for one in seen)
    return "FLAG" if 3 * raised >= len(seen) else "PASS"
