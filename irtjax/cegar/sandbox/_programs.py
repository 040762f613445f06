"""Running one untrusted program on many inputs, from within the jail.

Sent into the jail: standard library alone.
"""

import random
import sys
from collections.abc import Callable
from types import CodeType, FrameType, ModuleType
from typing import Any, NamedTuple

from ._child import Answer, Channel, Child
from ._values import canonical, parse, type_name

_FILENAME = "<program>"
_NAME = "program"
_LOAD = -1  # the question before the first input
_ROOM = 1 << 26  # characters of all texts of one program together
_DEPTH = 10_000  # of recursion while a result is written, whatever the program has set


class Outcome(NamedTuple):
    """What is said of one call.

    Attributes:
        kind: of an `Observation`.
        text: of an `Observation`.
        late: whether the clock alone ended it, so that another run may differ.
    """

    kind: str
    text: str = ""
    late: bool = False


def run_program(
    code: str,
    entry_point: str,
    inputs: list[str],
    limits: dict[str, Any],
    trace: bool,
    files: bool,
) -> list[Outcome]:
    """Return one outcome per input.

    The text is loaded once, in a process of its own, and called on each input in turn.
    After a call that timed out or crashed it is loaded anew, in a new process.

    Args:
        code: a module.
        entry_point: the function in it.
        inputs: canonical texts of tuples of arguments, read anew for each call.
        limits: the plain form of `Limits`.
        trace: whether the text of an outcome shall be the lines that ran.
        files: whether it may open files for reading.
    """

    def body(channel: Channel) -> None:
        _serve_calls(channel, code, entry_point, inputs, limits, trace)

    outcomes: list[Outcome] = []
    left, failures, room = limits["program_seconds"], 0, _ROOM
    child = None
    while len(outcomes) < len(inputs):
        question = len(outcomes) if child else _LOAD
        child = child or Child(body, limits, files)
        cpu = min(limits["cpu_seconds"], left)
        answer = child.ask(question, cpu, limits["wall_seconds"])
        left -= answer.cpu_seconds
        outcome = _outcome(answer, limits["text_bytes"])
        if question == _LOAD and outcome.kind == "value":
            continue
        room -= len(outcome.text)
        outcome = outcome if room >= 0 else Outcome("crash")
        outcomes.append(outcome)
        if outcome.kind in ("timeout", "crash"):
            failures += 1
            child.close()
            child = None
        rest = len(inputs) - len(outcomes)
        if (
            question == _LOAD
            or outcome.late
            or room < 0
            or failures >= limits["failures"]
        ):
            outcomes += [outcome] * rest
        elif left <= 0:
            outcomes += [Outcome("timeout")] * rest
    if child:
        child.close()
    return outcomes


def _outcome(answer: Answer, most: int) -> Outcome:
    """Return what an answer, made by an untrusted process, may be taken for."""
    if answer.kind == "late":
        return Outcome("timeout", "", True)
    if answer.kind == "reply" and type(answer.value) is list and len(answer.value) == 2:
        kind, text = answer.value
        plain = type(text) is str and text.isascii() and len(text) <= most
        if kind in ("value", "error") and plain:
            return Outcome(kind, text)
    return Outcome("timeout" if answer.kind == "timeout" else "crash")


def _serve_calls(
    channel: Channel,
    code: str,
    entry_point: str,
    inputs: list[str],
    limits: dict[str, Any],
    trace: bool,
) -> None:
    """Load the program and answer with its outcomes, until the process is killed."""
    channel.receive()
    loaded: list[Callable[..., Any]] = []
    channel.send(_attempt(lambda: loaded.append(_load(code, entry_point))))
    depth = sys.getrecursionlimit()
    while True:
        # What the program set holds for the program alone.
        sys.setrecursionlimit(_DEPTH)
        arguments = parse(inputs[channel.receive()])
        function, counts, result = loaded[0], {}, []
        if trace:
            function = _traced(function, counts)
        random.seed(0)
        sys.setrecursionlimit(depth)
        said = _attempt(lambda f=function, a=arguments, r=result: r.append(f(*a)))
        depth = sys.getrecursionlimit()
        sys.setrecursionlimit(_DEPTH)
        if said[0] != "crash" and (trace or said[0] == "value"):
            try:
                said[1] = canonical(
                    counts if trace else result[0], limits["text_bytes"]
                )
            except (ValueError, MemoryError):
                said = ["crash", ""]
        channel.send(said)


def _attempt(action: Callable[[], Any]) -> list[str]:
    """Return kind and text of what an action came to."""
    try:
        action()
    except MemoryError:
        return ["crash", ""]
    except BaseException as error:
        return ["error", type_name(type(error))]
    return ["value", ""]


def _load(code: str, entry_point: str) -> Callable[..., Any]:
    module = ModuleType(_NAME)
    sys.modules[_NAME] = module
    exec(compile(code, _FILENAME, "exec"), module.__dict__)
    if entry_point not in module.__dict__:
        raise NameError(entry_point)
    return module.__dict__[entry_point]


def _traced(function: Callable[..., Any], counts: dict[int, int]) -> Callable[..., Any]:
    """Return the function, counting how often each line of the program starts to run."""

    def line(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            counts[frame.f_lineno] = counts.get(frame.f_lineno, 0) + 1
        return line

    def call(frame: FrameType, event: str, _: Any) -> Any:
        code: CodeType = frame.f_code
        return line if code.co_filename == _FILENAME else None

    def counted(*arguments: Any) -> Any:
        sys.settrace(call)
        try:
            return function(*arguments)
        finally:
            sys.settrace(None)

    return counted
