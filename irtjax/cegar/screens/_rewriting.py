"""Programs written in another way that do the same, line for line or laid out anew."""

import ast
import builtins
import functools
import io
import keyword
import re
import symtable
import tokenize
from collections.abc import Mapping
from dataclasses import replace

from ..operators import View
from ._forms import in_other_forms
from ._layout import spread_out


def renamed(view: View) -> View:
    """Return a view whose answers have other names, comments and docstrings.

    Lines stay where they are, so that traces still fit.
    """
    return _with_codes(view, lambda code: _rename(code, view.entry_point))


def laid_out(view: View) -> View:
    """Return a view whose answers are laid out anew, without comments."""
    return _with_codes(view, _lay_out)


def spread(view: View) -> View:
    """Return a view whose answers are laid out anew, line for line."""
    return _with_codes(view, spread_out)


def in_others(view: View) -> View:
    """Return a view whose answers have other forms that do the same."""
    return _with_codes(view, in_other_forms)


def called(view: View, name: str) -> View:
    """Return a view whose task, checks and answers call the entry point otherwise."""
    old = view.entry_point
    if not old:
        return view
    word = re.compile(rf"(?<![\w.]){re.escape(old)}(?!\w)")
    changed = _with_codes(view, lambda code: word.sub(name, code))
    return replace(
        changed,
        entry_point=name,
        prompt=word.sub(name, view.prompt),
        checks=tuple(word.sub(name, check) for check in view.checks),
    )


def _with_codes(view: View, change) -> View:
    """Return a view with changed answers that show what the old ones showed.

    Answers in words stay: another wording is another answer.
    """
    if not view.entry_point:
        return view
    return replace(view, codes=tuple(map(change, view.codes)))


@functools.lru_cache(maxsize=100_000)
def _lay_out(code: str) -> str:
    try:
        tree = ast.parse(code)
        return "\n" + ast.unparse(tree).replace("\n    ", "\n\n    ", 1) + "\n\n\n"
    except (SyntaxError, ValueError, RecursionError):
        return code


@functools.lru_cache(maxsize=100_000)
def _rename(code: str, entry_point: str) -> str:
    try:
        tree = ast.parse(code)
        names = _new_names(code, tree, entry_point)
        changed = _replace_tokens(code, names, _docstrings(tree))
        ast.parse(changed)
    except (SyntaxError, ValueError, RecursionError, tokenize.TokenError):
        return code
    return changed


def _docstrings(tree: ast.Module) -> set[tuple[int, int]]:
    """Return where texts stand that are statements of their own."""
    return {
        (node.lineno, node.col_offset)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    }


def _new_names(code: str, tree: ast.Module, entry_point: str) -> dict[str, str]:
    """Return new names for those that can be changed without changing what is done."""
    fixed = {entry_point, *keyword.kwlist, *keyword.softkwlist}
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg:
            fixed.add(node.arg)
        elif isinstance(node, ast.Attribute):
            fixed.add(node.attr)
        elif isinstance(node, ast.alias):
            fixed |= set(re.findall(r"\w+", f"{node.name} {node.asname or ''}"))
        elif isinstance(node, ast.Global | ast.Nonlocal):
            fixed |= set(node.names)
        elif isinstance(node, ast.JoinedStr):
            # Before Python 3.12 these are one token, names and all.
            inside = [one.id for one in ast.walk(node) if isinstance(one, ast.Name)]
            fixed |= set(inside)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            fixed.add(node.value)  # a name may be looked up by its text
    made = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
    made += [node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)]
    made += [n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    ours = _bound(symtable.symtable(code, "<program>", "exec"))
    olds = [
        name for name in dict.fromkeys(made) if ours.get(name) and name not in fixed
    ]
    taken = {*made, *fixed}
    new = (f"w{number}" for number in range(10**6))
    return {old: next(name for name in new if name not in taken) for old in olds}


def _bound(table: symtable.SymbolTable) -> dict[str, bool]:
    """Return which names a program itself binds wherever it uses them."""
    found: dict[str, bool] = {}
    at_top = {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_assigned() and not symbol.is_imported()
    }
    todo = [table]
    while todo:
        scope = todo.pop()
        todo += scope.get_children()
        for symbol in scope.get_symbols():
            name = symbol.get_name()
            bound = symbol.is_local() or symbol.is_free() or symbol.is_parameter()
            if scope.get_type() == "class" or symbol.is_imported():
                bound = False
            elif not bound:
                bound = name in at_top and not hasattr(builtins, name)
            found[name] = found.get(name, True) and bound
    return found


def _replace_tokens(
    code: str, names: Mapping[str, str], docstrings: set[tuple[int, int]]
) -> str:
    """Return the text with names replaced, and comments and docstrings emptied."""
    lines = code.splitlines(keepends=True)
    out, row, column = [], 1, 0

    def upto(end: tuple[int, int]) -> str:
        nonlocal row, column
        parts = []
        while row < end[0] and row <= len(lines):
            parts.append(lines[row - 1][column:])
            row, column = row + 1, 0
        if row <= len(lines):
            parts.append(lines[row - 1][column : end[1]])
        row, column = end
        return "".join(parts)

    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type in (tokenize.ENCODING, tokenize.ENDMARKER):
            continue
        if token.type == tokenize.NAME and token.string in names:
            out.append(upto(token.start) + names[token.string])
        elif token.type == tokenize.COMMENT:
            out.append(upto(token.start) + "# note")
        elif token.type == tokenize.STRING and token.start in docstrings:
            breaks = token.string.count("\n")
            out.append(upto(token.start) + '"""Text.' + "\n" * breaks + '"""')
        else:
            continue
        row, column = token.end
    out.append(upto((len(lines) + 1, 0)))
    return "".join(out)
