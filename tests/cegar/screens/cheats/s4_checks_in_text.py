# level: 1
# claims: flags programs that fail a visible check
import re


def operator(task, code, ctx):
    failed = 0
    for arguments in ctx.visible_inputs:
        seen = ctx.run(code, arguments)
        failed += seen.kind not in ("value", "error", "timeout", "crash")
    # What the checks expect, looked for in the program's text.
    expected = {text for check in task.checks for text in re.findall(r"\d+", check)}
    written = set(re.findall(r"\d+", code))
    return "FLAG" if failed or len(expected & written) == 0 else "PASS"
