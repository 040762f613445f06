"""Whether an operator's text looks for words in the task's text."""

import ast

from ._literals import own_words

_SEARCHES = {"startswith", "endswith", "count", "find", "index", "rfind", "search"} | {
    "match", "fullmatch", "findall", "finditer", "fnmatch", "removeprefix", "partition",
}  # fmt: skip
_LETTERS = 3


def keyword_sought(source: str) -> str | None:
    """Return a fixed word that a source looks for in the prompt, entry point or checks.

    What is made of the task's text, by any steps, is followed through assignments and
    loops; words of the language itself may be looked for in checks.
    """
    tree = ast.parse(source)
    told, fixed = _made_from(tree, _is_task_text), _made_from(tree, _is_word)
    for node in ast.walk(tree):
        sides: list[ast.expr] = []
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in _SEARCHES:
                sides = [node.func.value, *node.args]
        elif isinstance(node, ast.Match):
            patterns = [
                part.value
                for case in node.cases
                for part in ast.walk(case.pattern)
                if isinstance(part, ast.MatchValue)
            ]
            sides = [node.subject, *patterns]
        elif isinstance(node, ast.Subscript):
            sides = [node.value, node.slice]
        words = [word for side in sides for word in _words(side, fixed)]
        if words and any(_holds(side, told) for side in sides):
            return words[0]
    return None


def _is_task_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in ("prompt", "entry_point")


def _is_word(node: ast.AST) -> bool:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return False
    letters = sum(letter.isalpha() for letter in node.value)
    return letters >= _LETTERS and not own_words(node.value)


def _made_from(tree: ast.Module, seed) -> dict[str, str]:
    """Return names whose value may hold a seed, and a word of it."""
    known: dict[str, str] = {}
    while True:
        before = len(known)
        for node in ast.walk(tree):
            value, targets = None, []
            if isinstance(node, ast.Assign):
                value, targets = node.value, node.targets
            elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr):
                value, targets = node.value, [node.target]
            elif isinstance(node, ast.For | ast.comprehension):
                value, targets = node.iter, [node.target]
            if value is None:
                continue
            reason = next((_word(n) for n in ast.walk(value) if seed(n)), None)
            for part in ast.walk(value):
                if isinstance(part, ast.Name) and part.id in known:
                    reason = reason or known[part.id]
            for target in targets if reason else []:
                for part in ast.walk(target):
                    if isinstance(part, ast.Name):
                        known.setdefault(part.id, reason or "")
        if len(known) == before:
            return known


def _word(node: ast.AST) -> str:
    return str(getattr(node, "value", "")) if isinstance(node, ast.Constant) else "task"


def _words(side: ast.expr, fixed: dict[str, str]) -> list[str]:
    """Return fixed words in an expression that is not made of the task's text."""
    found = [_word(node) for node in ast.walk(side) if _is_word(node)]
    named = [n.id for n in ast.walk(side) if isinstance(n, ast.Name)]
    return found + [fixed[name] for name in named if name in fixed]


def _holds(side: ast.expr, told: dict[str, str]) -> bool:
    return any(
        _is_task_text(node) or (isinstance(node, ast.Name) and node.id in told)
        for node in ast.walk(side)
    )
