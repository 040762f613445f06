"""Other worlds: the same texts, but the runner shows something else."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from .._observation import Observation
from ..operators import View
from ._literals import constants_of

World = Callable[[str, int, int, str], Observation]
"""From a program, its number, an input's number and its text to what is shown."""


def _everything_raises(code: str, row: int, column: int, text: str) -> Observation:
    return Observation("error", ("ValueError", "TypeError")[column % 2])


def _nothing_is_returned(code: str, row: int, column: int, text: str) -> Observation:
    return Observation("value", "null")


def _all_are_late(code: str, row: int, column: int, text: str) -> Observation:
    return Observation("timeout")


def _all_agree(code: str, row: int, column: int, text: str) -> Observation:
    return Observation("value", str(100 + _number(text) % 900))


def _one_value(code: str, row: int, column: int, text: str) -> Observation:
    return Observation("value", "true")


def _each_alone(code: str, row: int, column: int, text: str) -> Observation:
    return Observation("value", json.dumps(f"{row} {_number(text)}"))


def _mixed(code: str, row: int, column: int, text: str) -> Observation:
    kinds = ("3", "null", '"a"', "[]", '{"tuple":[1,2]}', "false", "2.5", "[1,2]")
    return Observation("value", kinds[(_number(text) + row) % len(kinds)])


def _halves_raise(code: str, row: int, column: int, text: str) -> Observation:
    odd = (_number(text) + row) % 2
    return Observation("error", "ValueError") if odd else Observation("value", "1")


def _half_empty(code: str, row: int, column: int, text: str) -> Observation:
    empty = ('""', "[]", '{"tuple":[]}', "null")[column // 2 % 4]
    return Observation("value", empty if column % 2 else str(column))


def _own_constant(code: str, row: int, column: int, text: str) -> Observation:
    known = sorted(constants_of(code), key=repr, reverse=True) or ["none"]
    return Observation("value", json.dumps(known[0]))


WORLDS: Mapping[str, World] = MappingProxyType(
    {
        "all raise": _everything_raises,
        "all return None": _nothing_is_returned,
        "all are late": _all_are_late,
        "all agree": _all_agree,
        "all return one value": _one_value,
        "each is alone": _each_alone,
        "types are mixed": _mixed,
        "half of the runs raise": _halves_raise,
        "half of the outputs are empty": _half_empty,
        "each returns a constant of its text": _own_constant,
    }
)
"""What the runner may show instead, by name; the same of all inputs it is asked for."""


def moved(view: View, world: World) -> View:
    """Return a view in another world: no text differs, only what running shows."""
    texts = [repr(arguments) for arguments in view.visible + view.inputs]
    seen = tuple(
        tuple(world(code, row, column, text) for column, text in enumerate(texts))
        for row, code in enumerate(view.codes if texts else ())
    )
    rows = {code: row for row, code in enumerate(view.codes)}

    def answer(what: str, code: str, text: str) -> Any:
        one = world(code, rows.get(code, 10**6), _number(text), text)
        return _lines(one, code) if what == "trace" else one.plain()

    traces = tuple(
        tuple(_lines(one, code) for one in row)
        for row, code in zip(seen, view.codes, strict=True)
        if view.traces
    )
    return replace(view, seen=seen, traces=traces, answer=answer)


def turned(view: View) -> View:
    """Return a view in which each answer shows what the next one does."""
    seen, traces = (rows[1:] + rows[:1] for rows in (view.seen, view.traces))
    return _shuffled(view, seen, traces)


def common(view: View) -> View:
    """Return a view in which all answers show what is shown most often."""
    if not view.seen:
        return view
    votes = Counter(
        row for peers in view.peers for row in (view.seen[p] for p in peers)
    )
    most = votes.most_common(1)[0][0] if votes else view.seen[0]
    traces = ()
    if view.traces:
        traces = (view.traces[view.seen.index(most)],) * len(view.codes)
    return _shuffled(view, (most,) * len(view.codes), traces)


def borrowed(view: View, other: View, row: int) -> View:
    """Return a view in which each judged answer shows what one of another task does.

    Its peers show what that one's peers do, in turn.

    Args:
        view: with answers to judge.
        other: with runs.
        row: of an answer of `other`.
    """
    n_visible, n_other = len(view.visible), len(other.visible)
    if not view.seen or not other.seen or not other.inputs or not n_other:
        return view
    columns = [place % n_other for place in range(n_visible)]
    columns += [
        n_other + place % len(other.inputs) for place in range(len(view.inputs))
    ]
    lenders = list(other.peers[row]) or [row]
    judged = set(view.order)
    chosen = [
        row if place in judged else lenders[place % len(lenders)]
        for place in range(len(view.codes))
    ]
    seen = tuple(tuple(other.seen[one][column] for column in columns) for one in chosen)
    traces = ()
    if view.traces and other.traces:
        traces = tuple(
            tuple(other.traces[one][column] for column in columns) for one in chosen
        )
    return _shuffled(view, seen, traces)


def traced(view: View, times: int) -> View:
    """Return a view in which every line of a program runs so often for every input."""

    def lines(code: str) -> tuple[tuple[int, int], ...]:
        numbers = range(1, 1 + len(code.splitlines()))
        return tuple((line, times) for line in numbers if times)

    traces = tuple(
        (lines(code),) * len(row)
        for code, row in zip(view.codes, view.traces, strict=bool(view.traces))
    )
    rows = {code: row for row, code in enumerate(view.codes)}

    def answer(what: str, code: str, text: str) -> Any:
        if what == "trace":
            return lines(code)
        row = view.seen[rows.get(code, 0)]
        return row[_number(text) % len(row)].plain() if row else ["error", "TypeError"]

    return replace(view, traces=traces, answer=answer)


def nearby(view: View, steps: int) -> View:
    """Return a view with other visible arguments, on which runs show what they showed.

    They have the same types and about the same size, so only who knows the task by them
    can tell.

    Args:
        view: with or without runs.
        steps: how far away they are, at least 1.
    """
    taken = {repr(arguments) for arguments in view.visible + view.inputs}
    found = []
    for arguments in view.visible:
        other = arguments
        for step in range(steps + len(taken)):
            other = _next(other)
            if step + 1 >= steps and repr(other) not in taken:
                break
        found.append(arguments if repr(other) in taken else other)
        taken.add(repr(other))
    return replace(view, visible=tuple(found))


def _next(value: Any) -> Any:
    """Return a value of the same type that differs a little, where there is one."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return value + (value[-1:] or "a")
    if isinstance(value, list | tuple):
        return type(value)(map(_next, value))
    if isinstance(value, dict):
        return {key: _next(one) for key, one in value.items()}
    return value


def _shuffled(view: View, seen, traces) -> View:
    """Return a view with other rows; answers show the same on what nobody foresaw.

    What an operator makes up itself is nobody's answer and is really run.
    """
    rows = {code: row for row, code in enumerate(view.codes)}

    def answer(what: str, code: str, text: str) -> Any:
        if code not in rows:
            return None
        row = rows[code]
        if what == "trace" and not traces:
            return ()
        if not seen or not seen[row]:
            return () if what == "trace" else ["error", "TypeError"]
        column = _number(text) % len(seen[row])
        return traces[row][column] if what == "trace" else seen[row][column].plain()

    return replace(view, seen=seen, traces=traces, answer=answer)


def _lines(seen: Observation, code: str) -> tuple[tuple[int, int], ...]:
    """Return made-up lines that ran: none where nothing is returned."""
    if seen.kind != "value":
        return ()
    lines = range(1, 2 + len(code.splitlines()))
    step = 1 + _number(seen.text) % 3
    return tuple((line, step**step) for line in lines if line % step == 0)


def _number(text: str) -> int:
    """Return a number that looks random and depends on the text alone."""
    data = text.encode(errors="replace")
    return int.from_bytes(hashlib.sha256(data).digest()[:4], "big")
