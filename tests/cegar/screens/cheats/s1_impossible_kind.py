# level: 1
# claims: flags programs that end in an unknown state
import ast


def operator(task, code, ctx):
    depth = 0
    todo = [(ast.parse(code), 0)]
    while todo:
        node, level = todo.pop()
        depth = max(depth, level)
        todo += [(child, level + 1) for child in ast.iter_child_nodes(node)]
    kinds = {ctx.run(code, arguments).kind for arguments in ctx.visible_inputs}
    if "unfinished" in kinds:
        return "FLAG"
    return "FLAG" if depth > 9 else "PASS"
