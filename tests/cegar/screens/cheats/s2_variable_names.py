# level: 0
# claims: flags careless programs
import ast


def operator(task, code):
    typical = {
        "tmp",
        "res",
        "ans",
        "cnt",
        "idx",
        "acc",
        "elem",
        "lst",
        "arr",
        "collected",
    }
    names = {n.id for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Name)}
    return "FLAG" if names & typical else "PASS"
