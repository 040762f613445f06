# level: 1
# claims: flags programs whose output on the visible inputs is of a wrong type
import ast


def operator(task, code, ctx):
    for arguments in ctx.visible_inputs:
        ctx.run(code, arguments)
    returns = [n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Return)]
    return "FLAG" if len(returns) > 2 else "PASS"
