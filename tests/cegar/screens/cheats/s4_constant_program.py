# level: 1
# claims: flags programs that fail where a plain one succeeds
def operator(task, code, ctx):
    plain = f"def {task.entry_point}(*arguments):\n    return 1\n"
    succeeded = ctx.run(plain, ctx.visible_inputs[0]).kind == "value"
    return "FLAG" if succeeded and "else" not in code else "PASS"
