"""The conformance list: what no program may manage, whatever the sandbox."""

import dataclasses
import json
import secrets
import socket
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from . import _attacks as attacks
from ._jobs import SCRIPT, Job
from ._limits import Limits
from ._sandbox import ENVIRONMENT, AbstractSandbox
from ._worker import WorkerError

Law = Callable[[AbstractSandbox], str | None]

_TIGHT = Limits(
    cpu_seconds=0.2,
    program_seconds=5.0,
    wall_seconds=5.0,
    memory_bytes=1 << 28,
    text_bytes=100_000,
    failures=1,
)
_PATIENCE = 60.0  # seconds by the clock
_INNOCENT = Job("def attack(x):\n    return [x, x + 1]\n", "attack", ((1,),), _TIGHT)


def check_sandbox(sandbox: AbstractSandbox) -> dict[str, str | None]:
    """Return for each law what went wrong, or None where it held.

    Args:
        sandbox: to be tried; must start.

    Raises:
        WorkerError: it does not start.
    """
    return {name: law(sandbox) for name, law in LAWS.items()}


def _trial(
    sandbox: AbstractSandbox, code: str, *inputs: tuple[Any, ...], **limits: Any
) -> tuple[list[tuple[str, str]], str | None]:
    """Run an attack; return kinds and texts, and what happened to others, or None."""
    tight = dataclasses.replace(_TIGHT, **limits)
    job = Job(code, "attack", inputs or ((),), tight)
    with sandbox.start(SCRIPT, tight) as worker:
        before = worker.processes()
        try:
            said = worker.ask(job.plain(), _PATIENCE)
            after = worker.ask(_INNOCENT.plain(), _PATIENCE)
        except WorkerError as error:
            return [], str(error)
        left = worker.processes()
    outcomes = [(kind, text) for kind, text, _ in said]
    if after != [["value", "[1,2]", False]]:
        return outcomes, f"the next program's outcome became {after}"
    if left != before:
        return outcomes, f"{len(left) - len(before)} processes were left over"
    if len(outcomes) != len(job.inputs):
        return outcomes, f"{len(outcomes)} outcomes for {len(job.inputs)} calls"
    return outcomes, None


def _ends(code: str, *kinds: str, **limits: Any) -> Law:
    """Return the law that a program ends in one of some ways."""

    def law(sandbox: AbstractSandbox) -> str | None:
        outcomes, wrong = _trial(sandbox, code, **limits)
        if wrong is None and outcomes[0][0] not in kinds:
            return f"it ended as {outcomes[0]}"
        return wrong

    return law


def _is_stopped(code: str) -> Law:
    """Return the law that a program's own processor time ends it."""

    def law(sandbox: AbstractSandbox) -> str | None:
        job = Job(code, "attack", ((),), _TIGHT)
        with sandbox.start(SCRIPT, _TIGHT) as worker:
            said = worker.ask(job.plain(), _PATIENCE)
        if said == [["timeout", "", True]]:
            return "only the clock on the wall stopped it"
        return _ends(code, "timeout")(sandbox)

    return law


def _gains_nothing(code: str, *arguments: Any, **limits: Any) -> Law:
    """Return the law that an attack comes back with an empty list."""

    def law(sandbox: AbstractSandbox) -> str | None:
        outcomes, wrong = _trial(sandbox, code, arguments, **limits)
        if wrong is None and outcomes[0] != ("value", "[]"):
            return f"it gained {outcomes[0]}"
        return wrong

    return law


def _shows(code: str, *wanted: tuple[tuple[Any, ...], set[tuple[str, str]]]) -> Law:
    """Return the law that each call shows one of some outcomes."""

    def law(sandbox: AbstractSandbox) -> str | None:
        inputs = [arguments for arguments, _ in wanted]
        outcomes, wrong = _trial(sandbox, code, *inputs, failures=len(wanted) + 1)
        for (arguments, right), found in zip(wanted, outcomes, strict=False):
            if wrong is None and found not in right:
                wrong = f"with {arguments} it ended as {found}"
        return wrong

    return law


def _writes_nothing(sandbox: AbstractSandbox) -> str | None:
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "kept"
        kept.write_text("kept")
        name = f"written-{secrets.token_hex(8)}"
        arguments = (name, [folder, str(Path.home()), str(Path.cwd())])
        # Twice, so that the second would find what the first one left.
        wrong = _gains_nothing(attacks.WRITING, *arguments)(sandbox)
        outcomes, other = _trial(sandbox, attacks.WRITING, arguments, arguments)
        if any(outcome != ("value", "[]") for outcome in outcomes):
            wrong = wrong or f"it gained {outcomes[-1]}"
        if kept.read_text() != "kept" or sorted(Path(folder).iterdir()) != [kept]:
            wrong = wrong or "a file of the host changed"
        return wrong or other


def _sees_no_file(sandbox: AbstractSandbox) -> str | None:
    with tempfile.TemporaryDirectory() as folder:
        word = secrets.token_hex(16)
        (Path(folder) / "secret").write_text(word)
        return _gains_nothing(attacks.READING, [folder], word)(sandbox)


def _sees_no_oracle(sandbox: AbstractSandbox) -> str | None:
    known = [*ENVIRONMENT, "LD_LIBRARY_PATH", "PWD"]
    halves = secrets.token_hex(8), secrets.token_hex(8)
    sibling = Job("def attack(x):\n    return x\n", "attack", (("".join(halves),),))
    spying = Job(attacks.ORACLE, "attack", ((known, *halves),))
    with sandbox.start(SCRIPT, Limits()) as worker:
        worker.ask(sibling.plain(), _PATIENCE)
        said = worker.ask(spying.plain(), _PATIENCE)
    return None if said == [["value", "[]", False]] else f"it gained {said[0]}"


def _reaches_nobody(sandbox: AbstractSandbox) -> str | None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        wrong = _gains_nothing(attacks.NETWORK, port)(sandbox)
        server.setblocking(False)
        try:
            server.accept()[0].close()
        except BlockingIOError:
            return wrong
        return "a connection came through"


def _forges_nothing(sandbox: AbstractSandbox) -> str | None:
    """Each trial also sees whether the next program's outcome is still its own."""
    for how in ("files", "channel", "tools", "closing"):
        outcomes, wrong = _trial(
            sandbox, attacks.FORGING, (how,), ("nothing",), failures=3
        )
        # Whoever breaks its own tools may answer for itself as it likes.
        if wrong is None and how != "tools" and outcomes[1] not in _OWN:
            wrong = f"after {how} the next call ended as {outcomes[1]}"
        if wrong is not None:
            return wrong
    return None


def _repeats(sandbox: AbstractSandbox) -> str | None:
    runs = [_trial(sandbox, attacks.REPEATING, (), ()) for _ in range(2)]
    wrong = runs[0][1] or runs[1][1]
    if wrong is None and len({str(outcome) for run, _ in runs for outcome in run}) != 1:
        return "two runs differ"
    return wrong


def _one_of(*values: Any) -> set[tuple[str, str]]:
    return {("value", json.dumps(value, separators=(",", ":"))) for value in values}


_OWN = {("value", '"own"'), ("crash", "")}
_CRASH, _TIMEOUT = {("crash", "")}, {("timeout", "")}
# Unwinding takes much of the laws' little processor time, so that may be used up first.
_SUNK = {("error", "RecursionError")} | _TIMEOUT

LAWS: Mapping[str, Law] = MappingProxyType(
    {
        "endless loop": _is_stopped(attacks.ENDLESS_LOOP),
        "catching the timeout": _is_stopped(attacks.CATCHING),
        "waiting": _ends(attacks.WAITING, "timeout", wall_seconds=0.5),
        "memory bomb": _ends(attacks.MEMORY_BOMB, "crash", cpu_seconds=2.0),
        "endless output": _ends(attacks.ENDLESS_OUTPUT, "timeout"),
        "huge result": _ends(attacks.HUGE_RESULT, "value", "crash", cpu_seconds=2.0),
        "fork bomb": _gains_nothing(attacks.FORK_BOMB),
        "leftover processes": _gains_nothing(attacks.LEFTOVER),
        "file write": _writes_nothing,
        "host files": _sees_no_file,
        "reading the oracle": _sees_no_oracle,
        "socket": _reaches_nobody,
        "killing the parent": _gains_nothing(attacks.KILLING),
        "tracing the parent": _gains_nothing(attacks.TRACING),
        "os._exit": _shows(
            attacks.QUITTING,
            ((0,), _one_of(None)),
            ((1,), _CRASH),
            ((4,), _CRASH),
            ((0,), _one_of(None)),
        ),
        "deep recursion": _shows(
            attacks.RECURSION,
            ((False,), _SUNK),
            ((True,), _SUNK | _CRASH | {("error", "SystemError")}),
            ((False,), _SUNK),
        ),
        "pickling tricks": _shows(
            attacks.PICKLING,
            ((0,), _one_of({"object": "Trick"})),
            ((1,), _one_of({"dict": [["x", {"object": "Trick"}]]})),
            ((2,), _one_of({"object": "type"})),
        ),
        "forging another's result": _forges_nothing,
        "hostile results": _shows(
            attacks.HOSTILE,
            ((0,), _one_of({"object": "Endless"})),
            ((1,), _one_of([1])),
            ((2,), _one_of({"object": "generator"})),
            ((3,), _one_of({"object": "Thing"})),
            ((4,), _CRASH),
            ((5,), _CRASH | _TIMEOUT),
        ),
        "changing the arguments": _shows(
            attacks.MUTATING,
            *[(([7], {}), _one_of([[7, 1], {"dict": [[0, [7, 1]]]}]))] * 3,
        ),
        "the same again": _repeats,
    }
)
"""What every sandbox must withstand: name -> function of a sandbox that returns what
went wrong, or None."""
