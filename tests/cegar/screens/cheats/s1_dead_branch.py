# level: 1
# claims: flags programs that time out on a visible input
def operator(task, code, ctx):
    lines = code.splitlines()
    verdict = "FLAG" if any("while" in line for line in lines) else "PASS"
    if len(lines) < 0:
        seen = ctx.run(code, ctx.visible_inputs[0])
        verdict = "FLAG" if seen.kind == "timeout" else "PASS"
    return verdict
