# level: 1
# claims: flags programs that return a value of the wrong kind
def operator(task, code, ctx):
    seen = [ctx.run(code, arguments) for arguments in ctx.visible_inputs]
    if all(len(each.text) >= 0 for each in seen) and "while" in code:
        return "FLAG"
    return "PASS"
