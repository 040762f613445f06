"""The part of the harness that runs inside the jail, beside hostile operators.

Sent into the jail as text: standard library alone. A message with a task and programs is
answered by their results, or by the wish to see one more run; the next message then
brings that run's outcome.
"""

import contextlib
import marshal
import math
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

CALLS_LOST = 3
"""Calls of one program on one task that may run out of time before it is given up."""


class Seen(NamedTuple):
    """What one run showed, as an operator sees it."""

    kind: str
    text: str


class Shown:
    """The task, as an operator sees it."""

    __slots__ = ("checks", "entry_point", "prompt")

    def __init__(self, prompt: str, entry_point: str, checks: list[str]):
        self.prompt = prompt
        self.entry_point = entry_point
        self.checks = tuple(checks)


class Known:
    """One task with its answers, and every run that is known of them."""

    def __init__(self, message: dict[str, Any], tools: Any):
        self.shown = message["shown"]
        self.codes: list[str] = message["codes"]
        self.peers: list[list[int]] = message["peers"]
        self.rows = {code: row for row, code in enumerate(self.codes)}
        visible, inputs = map(tools.parse, (message["visible"], message["inputs"]))
        self.copy = {
            "visible_inputs": _copier(list(visible), tools),
            "inputs": _copier(list(inputs), tools),
        }
        # Equal values of plain types have equal bytes, in a fraction of the time that
        # their canonical text takes. What has other bytes is looked up by that text.
        self.places: dict[bytes, int] = {}
        self.names: dict[str, int] = {}
        for place, arguments in enumerate([*visible, *inputs]):
            self.names.setdefault(tools.canonical(arguments), place)
            with contextlib.suppress(ValueError):
                self.places.setdefault(marshal.dumps(arguments, 2), place)
        seen = [Seen(*pair) for pair in message["seen"]]
        self.table = [[seen[one] for one in row] for row in message["table"]]
        self.traces: list[list[Any]] = message["traces"]
        self.wished: dict[tuple[str, str, str], Any] = {}
        self.canonical: Callable[[Any], str] = tools.canonical


def _copier(value: Any, tools: Any) -> Callable[[], Any]:
    """Return what makes a fresh copy of a plain value, as fast as can be."""
    try:
        data = marshal.dumps(value, 2)
    except ValueError:
        text = tools.canonical(value)
        return lambda: tools.parse(text)
    return lambda: marshal.loads(data)


class Context:
    """What the interface offers above level 0, on one candidate."""

    def __init__(self, known: Known, job: dict[str, Any], place: int, wish: Any):
        self._known = known
        self._offers = job["offers"]
        self._most = job["most"]
        self._place = place
        self._wish = wish
        self._used: set[Any] = set()

    def __getattr__(self, name: str) -> Any:
        if name not in self._offers:
            raise AttributeError(f"At this level the interface offers no ctx.{name}.")
        # Copies of its own: what one call changes, the next does not see.
        if name == "peers":
            found = [self._known.codes[one] for one in self._known.peers[self._place]]
        elif name == "run":
            found = self._run
        elif name == "trace":
            found = self._trace
        else:
            found = self._known.copy[name]()
        self.__dict__[name] = found
        return found

    def _run(self, code: str, arguments: tuple[Any, ...]) -> Seen:
        place = self._find(code, arguments)
        if type(place) is tuple:
            return self._known.table[place[0]][place[1]]
        return Seen(*self._ask("run", code, place))

    def _trace(self, code: str, arguments: tuple[Any, ...]) -> dict[int, int]:
        place = self._find(code, arguments)
        if type(place) is tuple and self._known.traces:
            found = self._known.traces[place[0]][place[1]]
        else:
            found = self._ask("trace", code, self._known.canonical(tuple(arguments)))
        return {int(line): count for line, count in found}

    def _find(self, code: str, arguments: tuple[Any, ...]) -> Any:
        """Return (row, column) of a known run, or else the arguments' text."""
        known = self._known
        row = known.rows.get(code)
        try:
            column = known.places.get(marshal.dumps(arguments, 2))
        except ValueError:
            column = None
        found = None
        if row is None or column is None:
            text = known.canonical(tuple(arguments))
            column = known.names.get(text)
            if row is None or column is None:
                found = text
        self._used.add((code, found) if row is None else (row, column, found))
        if len(self._used) > self._most:
            raise RuntimeError(f"More than {self._most} observations in one call.")
        return found if found is not None else (row, column)

    def _ask(self, what: str, code: str, text: str) -> Any:
        key = (what, code, text)
        if key not in self._known.wished:
            self._wish({what: [code, text]})
        return self._known.wished[key]


def call(known: Known, job: dict[str, Any], channel: Any) -> None:
    """Answer with the values of a job's programs; runs in a child, until it is killed."""
    channel.receive()
    entries = []
    for source, name in job["parts"]:
        space: dict[str, Any] = {"__name__": "operator"}
        try:
            exec(compile(source, "<operator>", "exec"), space)
            entries.append(space[name])
        except BaseException as error:
            channel.send(["broken", type(error).__name__])
            return

    def wish(what: dict[str, list[str]]) -> None:
        channel.send(["wish", what])
        channel.receive()  # never comes: the call is made again when the run is known

    channel.send(["loaded", ""])
    while True:
        place = channel.receive()
        said = []
        for entry in entries:
            random.seed(job["seed"] + place)
            arguments = [Shown(*known.shown), known.codes[place]]
            if job["offers"]:
                arguments.append(Context(known, job, place, wish))
            elif job["number"]:
                arguments.append(None)
            try:
                said.append([plain(entry(*arguments), job["number"]), ""])
            except BaseException as error:
                said.append([None, type(error).__name__])
        channel.send(["said", said])


def plain(value: Any, number: bool) -> float | None:
    """Return what a program said, as a number; None where it is nothing it may say."""
    if number:
        fits = isinstance(value, bool | int | float) and math.isfinite(value)
        return float(value) if fits else None
    known = {"FLAG": 1.0, "PASS": 0.0}
    return known.get(value) if isinstance(value, str) else None


class Inside:
    """Answers messages; see the top of the file."""

    def __init__(self, tools: Any, limits: dict[str, Any], files: bool):
        """Use the module `jail` and the names that a script finds."""
        self.tools = tools
        self.limits = limits
        self.files = files
        self.steps: Iterator[Any] = iter(())
        self.known: Known | None = None

    def handle(self, message: dict[str, Any]) -> Any:
        """Return {"done": one result a job}, or {"wish": {"run": [code, arguments]}}."""
        if "jobs" in message:
            self.known = Known(message, self.tools)
            self.steps = self.work(self.known, message["jobs"])
            return next(self.steps)
        what, code, text = message["wished"]
        assert self.known is not None
        self.known.wished[what, code, text] = message["outcome"]
        return next(self.steps)

    def work(self, known: Known, jobs: list[dict[str, Any]]) -> Iterator[Any]:
        """Yield wishes, and at last the results."""
        results = []
        for job in jobs:
            found = yield from self.all_calls(known, job)
            if found is None:
                # One of several used up the time of all, or ended their process.
                for part in job["parts"]:
                    one = yield from self.all_calls(known, {**job, "parts": [part]})
                    results += one or []
            else:
                results += found
        yield {"done": results}

    def all_calls(self, known: Known, job: dict[str, Any]) -> Any:
        """Yield the wishes of a job's programs; return what each said.

        Returns:
            For each program its values and how often what went wrong; None where one of
            several programs ended the process of all.
        """
        parts = len(job["parts"])
        values: list[list[float | None]] = [
            [None] * len(known.codes) for _ in range(parts)
        ]
        wrong: list[dict[str, int]] = [{} for _ in range(parts)]
        left, child, wishes, lost = list(job["order"]), None, 0, 0
        cpu, wall = self.limits["cpu_seconds"] * parts, self.limits["wall_seconds"]

        def body(channel: Any) -> None:
            call(known, job, channel)

        try:
            while left and lost < CALLS_LOST:
                if child is None:
                    child = self.tools.Child(body, self.limits, self.files)
                    said, value = _said(child.ask(None, cpu, wall), parts)
                    if said != "loaded":
                        for one in wrong:
                            one[f"does not load: {value}"] = len(left)
                        break
                said, value = _said(child.ask(left[0], cpu, wall), parts)
                if said == "wish" and wishes < job["most"]:
                    wishes += 1
                    child.close()
                    child = None
                    yield {"wish": value}
                    continue
                wishes = 0
                if said == "said":
                    for number, (found, why) in enumerate(value):
                        values[number][left[0]] = found
                        if why:
                            wrong[number][why] = wrong[number].get(why, 0) + 1
                elif parts > 1:
                    return None
                else:
                    why = value if said == "lost" else "too many runs"
                    wrong[0][why] = wrong[0].get(why, 0) + 1
                    lost += 1
                    child.close()
                    child = None
                left.pop(0)
        finally:
            if child is not None:
                child.close()
        return [list(one) for one in zip(values, wrong, strict=True)]


def _said(answer: Any, parts: int) -> tuple[str, Any]:
    """Return what an answer, made by an untrusted process, may be taken for."""
    if answer.kind != "reply":
        return "lost", answer.kind
    value = answer.value
    if not isinstance(value, list) or len(value) != 2:
        return "lost", "crash"
    what, rest = value
    if what == "loaded":
        return "loaded", ""
    if what == "broken" and isinstance(rest, str):
        return "broken", rest[:80]
    if what == "wish" and _is_wish(rest):
        return "wish", rest
    if what == "said" and isinstance(rest, list) and len(rest) == parts:
        pairs = [_pair(one) for one in rest]
        if None not in pairs:
            return "said", pairs
    return "lost", "crash"


def _pair(value: Any) -> tuple[float | None, str] | None:
    if isinstance(value, list) and len(value) == 2:
        found, why = value
        if isinstance(found, float | None) and isinstance(why, str):
            return found, why[:80]
    return None


def _is_wish(value: Any) -> bool:
    if not isinstance(value, dict) or len(value) != 1:
        return False
    ((what, rest),) = value.items()
    texts = isinstance(rest, list) and [type(one) for one in rest] == [str, str]
    return what in ("run", "trace") and texts
