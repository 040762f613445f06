"""Other names for the variables of a program."""

import ast
import builtins
import random

_SHORT = tuple("abcdefghijklmnopqrstuvwxyz")
_COMMON = (
    *("res", "result", "out", "ans", "cur", "current", "tmp", "temp", "item", "elem"),
    *("idx", "pos", "val", "v", "x", "y", "n", "count", "cnt", "total", "acc", "prev"),
    *(
        "nxt",
        "seq",
        "data",
        "arr",
        "lst",
        "key",
        "flag",
        "start",
        "end",
        "left",
        "right",
    ),
    *("buf", "num", "k", "m", "ptr", "size", "length", "best", "limit", "row", "col"),
)


def rename(tree: ast.Module, draw: random.Random) -> ast.Module:
    """Give the variables other names: letters, words common in code, or longer ones.

    The names of functions, built-in names and attributes stay.

    Args:
        tree: changed and returned.
        draw: decides on the kind and the names.
    """
    own = _own_names(tree)
    kind = draw.choice(("letters", "common", "longer"))
    if kind == "letters":
        new = draw.sample(_SHORT, min(len(own), len(_SHORT)))
    elif kind == "common":
        new = draw.sample(_COMMON, min(len(own), len(_COMMON)))
    else:
        ending = draw.choice(("_value", "_now", "_", "2", "_here"))
        new = [name + ending for name in own]
    names = dict(zip(own, new, strict=False))
    names |= {name: name for name in own[len(new) :]}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = names.get(node.arg, node.arg)
    return tree


def _own_names(tree: ast.Module) -> list[str]:
    functions = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            found.append(node.arg)
        elif isinstance(node, ast.Name) and not hasattr(builtins, node.id):
            found.append(node.id)
    return [name for name in dict.fromkeys(found) if name not in functions]
