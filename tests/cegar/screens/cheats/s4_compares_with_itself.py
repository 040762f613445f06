# level: 1
# claims: flags programs that are not deterministic
def operator(task, code, ctx):
    for arguments in ctx.visible_inputs:
        first = ctx.run(code, arguments)
        second = ctx.run(code, arguments)
        if first.text != second.text:
            return "FLAG"
    return "FLAG" if code.count("return") > 2 or "break" in code else "PASS"
