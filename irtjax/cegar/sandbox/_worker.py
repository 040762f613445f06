"""A jailed interpreter, seen from outside: one message in, one out."""

import contextlib
import json
import os
import select
import struct
import subprocess
import time
import uuid
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

_HEADER = struct.Struct(">I")
_WORD = 8
_LARGEST = 1 << 28  # bytes of an answer
_START_SECONDS = 60.0

_INSIDE = ("_values", "_filter", "_child", "_programs", "_serve")
"""The modules that are sent into the jail, in the order in which they use each other."""

# What the interpreter is started with. It takes the files that it was given away from
# their usual numbers, reads the jail's modules as texts, and runs the script.
LOADER = """
import builtins, json, os, struct, sys, types
source, sink = os.dup(0), os.dup(1)
while min(source, sink) < 10:
    source, sink = os.dup(source), os.dup(sink)
null = os.open("/dev/null", os.O_RDWR)
for file in (0, 1):
    os.dup2(null, file)
low, high = sorted((source, sink))
for first, end in ((3, low), (low + 1, high), (high + 1, 4096)):
    os.closerange(first, end)
def exactly(number):
    got = b""
    while len(got) < number:
        chunk = os.read(source, number - len(got))
        if not chunk:
            os._exit(0)
        got += chunk
    return got
body = exactly(*struct.unpack(">I", exactly(4)))
word, sent = body[:8], json.loads(body[8:])
jail = sys.modules["jail"] = types.ModuleType("jail")
jail.__path__ = []
for name, text in sent["modules"]:
    module = types.ModuleType("jail." + name)
    module.__package__ = "jail"
    # A program that changes the builtins changes its own.
    module.__builtins__ = dict(vars(builtins))
    sys.modules[module.__name__] = module
    exec(compile(text, "<" + module.__name__ + ">", "exec"), module.__dict__)
    jail.__dict__[name] = module
    jail.__dict__.update({k: v for k, v in vars(module).items() if k[0] != "_"})
jail.connect(source, sink, word, sent["limits"], sent["alone"])
script = types.ModuleType("script")
script.__dict__["limits"] = sent["limits"]
script.__dict__["files"] = sent["alone"]
exec(compile(sent["script"], "<script>", "exec"), script.__dict__)
"""


class WorkerError(RuntimeError):
    """A jailed interpreter that died, could not start, or was late and is now dead."""

    def __init__(self, message: str, late: bool = False):
        """Say what happened, and whether the clock alone ended it."""
        super().__init__(message)
        self.late = late


class Worker:
    """A jailed interpreter; a context manager that leaves nothing of it behind.

    It may be used from any one thread at a time.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        script: str,
        limits: dict[str, Any],
        *,
        alone: bool,
    ):
        """Start it and wait until it is ready; sandboxes call this.

        Args:
            command: starts Python with `LOADER` in a jail.
            environment: of that command.
            script: what it runs; see `AbstractSandbox.start`.
            limits: the plain form of `Limits`, for the script.
            alone: whether it sees no files and no processes but its own, so that programs
                may open files and whatever is left over may be killed.

        Raises:
            WorkerError: it does not start; the message holds what it said.
        """
        self._mark = f"{_own_mark()}{uuid.uuid4().hex}"
        self._process = subprocess.Popen(
            [*command, self._mark],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            cwd="/",
            start_new_session=True,
            bufsize=0,
        )
        here = files(__name__.rpartition(".")[0])
        modules = [[n, here.joinpath(f"{n}.py").read_text("utf-8")] for n in _INSIDE]
        for stream in (self._process.stdin, self._process.stdout):
            os.set_blocking(stream.fileno(), False)  # pyright: ignore[reportOptionalMemberAccess]
        sent = {"modules": modules, "script": script, "limits": limits, "alone": alone}
        self.ask(sent, _START_SECONDS)

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill it with all that runs inside, and wait; may be called twice."""
        process = self._process
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()

    def processes(self) -> list[int]:
        """Return the numbers of all processes that run for it, as the host counts them.

        They are told by a random word among their arguments, which forked processes
        share, wherever they went.
        """
        return _marked(self._mark)

    def ask(self, message: Any, wall_seconds: float) -> Any:
        """Return the answer to one message.

        Args:
            message: what JSON can hold.
            wall_seconds: how long to wait for the answer, by the clock.

        Raises:
            WorkerError: it died or was late; it is closed then.
        """
        word = os.urandom(_WORD)
        body = word + json.dumps(message).encode()
        try:
            answer = self._exchange(_HEADER.pack(len(body)) + body, wall_seconds)
            if answer[:_WORD] != word:
                raise WorkerError("A jailed interpreter said what it was not asked.")
            return json.loads(answer[_WORD:])
        except (ValueError, RecursionError, OSError) as error:
            self.close()
            raise WorkerError(f"A jailed interpreter broke off: {error}.") from None
        except BaseException:
            self.close()
            raise

    def _exchange(self, request: bytes, wall_seconds: float) -> bytes:
        process = self._process
        if process.stdin is None or process.stdout is None or process.stdin.closed:
            raise WorkerError("This jailed interpreter is closed.")
        into, out = process.stdin.fileno(), process.stdout.fileno()
        unsent, got = memoryview(request), bytearray()
        end = time.monotonic() + wall_seconds
        poll = select.poll()
        poll.register(out, select.POLLIN)
        poll.register(into, select.POLLOUT)
        while True:
            left = end - time.monotonic()
            if left <= 0:
                raise WorkerError(
                    f"A jailed interpreter did not answer in {wall_seconds} s.", True
                )
            for file, _ in poll.poll(left * 1000):
                if file == into:
                    try:
                        unsent = unsent[os.write(into, unsent) :]
                    except BlockingIOError:
                        continue
                    except BrokenPipeError:
                        raise WorkerError(self._last_words()) from None
                    if not unsent:
                        poll.unregister(into)
                    continue
                chunk = os.read(out, 1 << 20)
                if not chunk:
                    raise WorkerError(self._last_words())
                got += chunk
                if len(got) >= _HEADER.size:
                    (length,) = _HEADER.unpack_from(got)
                    if length > _LARGEST or len(got) > length + _HEADER.size:
                        raise WorkerError("A jailed interpreter said too much.")
                    if len(got) == length + _HEADER.size:
                        return bytes(got[_HEADER.size :])

    def _last_words(self) -> str:
        """Return what the starting command wrote before its end, in one line."""
        self._process.kill()
        self._process.wait()
        stream = self._process.stderr
        said = b""
        if stream is not None and select.select([stream], [], [], 0)[0]:
            said = os.read(stream.fileno(), 1 << 16)
        lines = said.decode(errors="replace").strip().splitlines() or [
            "no reason given"
        ]
        return f"A jailed interpreter died: {lines[-1]}."


def jailed_processes() -> list[int]:
    """Return the numbers of all processes of jails that this process started."""
    return _marked(_own_mark())


def _own_mark() -> str:
    return f"jail-{os.getpid()}-"


def _marked(mark: str) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):
                if mark.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
    return sorted(found)
