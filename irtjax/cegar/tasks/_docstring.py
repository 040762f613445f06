"""Worked examples in the text of a task, in the ways that authors write them down."""

import ast
import re
from typing import Any

from ._expressions import NotReadableError, calls

_ARROW = re.compile(r"\s*(?:==>|=>|->|➞|==|=|returns?\b)\s*")
_SPELLINGS = {"true": "True", "false": "False", "null": "None"}


def docstring_checks(text: str, entry_point: str) -> tuple[str, ...]:
    """Return the examples in a docstring as checks, "assert f(1) == 2".

    An example is a call of the entry point with literal arguments and the literal that it
    gives: after an arrow (`->`, `=>`, `==>`, `➞`), `==`, `=` or "returns", or, after the
    prompt of an interpreter `>>>`, on the next line. A call without a literal result says
    nothing that can be checked and is left out, as is prose about the function.

    Args:
        text: of the task, all of it or its docstring.
        entry_point: the function that it asks for.
    """
    lines = text.splitlines()
    checks = []
    for number, line in enumerate(lines):
        prompted = line.lstrip().startswith(">>>")
        written = line.lstrip().removeprefix(">>>").lstrip() if prompted else line
        following = lines[number + 1] if number + 1 < len(lines) else ""
        found = _example(written, following if prompted else None, entry_point)
        if found is not None and found not in checks:
            checks.append(found)
    return tuple(checks)


def _example(line: str, following: str | None, entry_point: str) -> str | None:
    """Return the check that one line (and the one below it) gives, if it gives one."""
    start = re.search(rf"(?<![\w.]){re.escape(entry_point)}\s*\(", line)
    if start is None:
        return None
    if following is not None:
        whole = _readable(line.split(" # ")[0].strip(), entry_point)
        if whole and not _is_comparison(whole):
            return _check(whole, following.strip())
    call = _call(line[start.start() :], entry_point)
    if call is None:
        return None
    rest = line[start.start() + len(call) :]
    arrow = _ARROW.match(rest)
    return _check(call, rest[arrow.end() :]) if arrow else None


def _call(text: str, entry_point: str) -> str | None:
    """Return the call that a text starts with, its arguments being literals."""
    for place, character in enumerate(text):
        if character == ")" and _readable(text[: place + 1], entry_point):
            return text[: place + 1]
    return None


def _readable(text: str, entry_point: str) -> str | None:
    try:
        return text if calls(text, entry_point) else None
    except NotReadableError:
        return None


def _is_comparison(text: str) -> bool:
    return isinstance(ast.parse(text, mode="eval").body, ast.Compare)


def _check(call: str, wanted: str) -> str | None:
    wanted = wanted.split(" # ")[0].strip()
    for text in (wanted, wanted.rstrip(".,;")):
        text = _SPELLINGS.get(text, text)
        if _is_literal(text):
            return f"assert {call} == {text}"
    return None


def _is_literal(text: str) -> bool:
    value: Any
    try:
        value = ast.literal_eval(text)
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        return False
    return value is not ...
