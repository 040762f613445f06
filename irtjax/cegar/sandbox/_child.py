"""A forked process that runs untrusted text and answers its jailer in lockstep.

Sent into the jail: standard library alone. The jailer watches the child's processor time
from outside, so there is no exception that a program could catch and no timer that it
could stop. Each question carries a random word that its answer must repeat: what a
program writes into the pipe beforehand answers nothing.
"""

import ctypes
import json
import os
import resource
import select
import signal
import struct
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from ._filter import install, prepare

_HEADER = struct.Struct(">I")
_WORD = 8  # bytes that an answer repeats
_IN, _OUT = 3, 4  # a child's only files but for the empty ones at 0, 1 and 2
_STACK = 64 << 20
_FRAMING = 1 << 16  # bytes of an answer beside its text
_PARENT_DEATH_SIGNAL = 1


@dataclass(frozen=True)
class Answer:
    """How a question to a child ended.

    Attributes:
        kind: "reply", or "timeout", "late" (by the clock alone) or "crash", after which
            the child is no more.
        value: of a reply, what the child sent; made by an untrusted process.
        cpu_seconds: that it took.
    """

    kind: Literal["reply", "timeout", "late", "crash"]
    value: Any = None
    cpu_seconds: float = 0.0


class Channel:
    """A child's end: what it is asked and what it says."""

    def __init__(self, source: int, sink: int):
        """Use two open files."""
        self._source, self._sink, self.word = source, sink, b""

    def receive(self) -> Any:
        """Wait for the next question and return it."""
        body = _read_exactly(
            self._source, *_HEADER.unpack(_read_exactly(self._source, 4))
        )
        self.word = body[:_WORD]
        return json.loads(body[_WORD:])

    def send(self, value: Any) -> None:
        """Answer the last question with something that JSON can hold."""
        body = self.word + json.dumps(value).encode()
        _write_all(self._sink, _HEADER.pack(len(body)) + body)


class Child:
    """A forked process; a context manager that leaves nothing of it behind."""

    def __init__(
        self, body: Callable[[Channel], None], limits: dict[str, Any], files: bool
    ):
        """Fork.

        Args:
            body: run in the child with its end of the channel; its return ends the child.
            limits: the plain form of `Limits`.
            files: whether it may open files for reading.
        """
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        self._largest = limits["text_bytes"] + _FRAMING
        prepare(files)
        self._pid = os.fork()
        if self._pid == 0:
            _become(body, limits, files, theirs_in, theirs_out)
        os.close(theirs_in)
        os.close(theirs_out)
        os.set_blocking(ours_out, False)
        os.set_blocking(ours_in, False)
        self._in, self._out = ours_in, ours_out

    def __enter__(self) -> "Child":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill it, wait for its end and return; may be called twice."""
        if self._pid:
            os.close(self._in)
            os.close(self._out)
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            self._pid = 0

    def ask(self, question: Any, cpu_seconds: float, wall_seconds: float) -> Answer:
        """Send a question and wait for its answer.

        Args:
            question: anything that JSON can hold.
            cpu_seconds: the most processor time until the answer is there.
            wall_seconds: the most time by the clock.
        """
        if not self._pid:
            return Answer("crash")
        start = self._cpu()
        kind, value = self._exchange(question, start + cpu_seconds, wall_seconds)
        used = max(0.0, self._cpu() - start)
        if kind != "reply":
            self.close()
        return Answer(kind, value, used)

    def _cpu(self) -> float:
        """Return the processor time of all its threads so far, in seconds."""
        try:
            # The kernel's name for the processor clock of another process.
            return time.clock_gettime((~self._pid << 3) | 2)
        except OSError:
            return 0.0  # it has ended, as its pipe will say

    def _exchange(self, question: Any, cpu_end: float, wall_seconds: float) -> Any:
        word = os.urandom(_WORD)
        body = word + json.dumps(question).encode()
        unsent = memoryview(_HEADER.pack(len(body)) + body)
        got = bytearray()
        wall_end = time.monotonic() + wall_seconds
        poll = select.poll()
        poll.register(self._in, select.POLLIN)
        poll.register(self._out, select.POLLOUT)
        if _jailer is not None:
            poll.register(_jailer, 0)
        while True:
            cpu_left, wall_left = cpu_end - self._cpu(), wall_end - time.monotonic()
            if cpu_left <= 0:
                return "timeout", None
            if wall_left <= 0:
                return "late", None
            # It cannot use up what is left any sooner than this.
            wait = min(wall_left, max(cpu_left, 0.001))
            for file, event in poll.poll(wait * 1000):
                if file == _jailer:
                    os._exit(0)  # nobody waits for the answer any more
                if file == self._out:
                    try:
                        unsent = unsent[os.write(self._out, unsent) :]
                    except BlockingIOError:
                        continue
                    except OSError:
                        return "crash", None
                    if not unsent:
                        poll.unregister(self._out)
                elif event:
                    chunk = os.read(self._in, 1 << 20)
                    got += chunk
                    done = self._complete(got, word, not chunk)
                    if done is not None:
                        return done

    def _complete(self, got: bytearray, word: bytes, ended: bool) -> Any:
        """Return how the exchange ended, or None if more must come."""
        if len(got) >= _HEADER.size:
            (length,) = _HEADER.unpack_from(got)
            here = len(got) - _HEADER.size
            if length > self._largest or here > length:
                return "crash", None
            if here == length:
                body = bytes(got[_HEADER.size :])
                try:
                    if body[:_WORD] == word:
                        return "reply", json.loads(body[_WORD:])
                except (ValueError, RecursionError):
                    pass
                return "crash", None
        return ("crash", None) if ended else None


_jailer: int | None = None


def watch(file: int) -> None:
    """End this process as soon as nobody holds the other end of a pipe any more.

    Args:
        file: the end that this process reads.
    """
    global _jailer
    _jailer = file


def _become(
    body: Callable[[Channel], None],
    limits: dict[str, Any],
    files: bool,
    source: int,
    sink: int,
) -> None:
    """Be the child until the end of the process."""
    try:
        source, sink = os.dup(source), os.dup(sink)
        # First out of the way, since one of them may lie where the other must go.
        high = [os.dup(source), os.dup(sink)]
        while min(high) <= _OUT:
            high = [os.dup(file) for file in high]
        os.dup2(high[0], _IN)
        os.dup2(high[1], _OUT)
        os.closerange(_OUT + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        confine(limits, files)
        channel = Channel(_IN, _OUT)
        # What the program may import again must not be our own tools.
        for name in [n for n in sys.modules if n.split(".")[0] in ("jail", "ctypes")]:
            del sys.modules[name]
        body(channel)
    finally:
        os._exit(1)


def confine(limits: dict[str, Any], files: bool) -> None:
    """Bind this process, for good: resource limits and the filter of system calls.

    Args:
        limits: the plain form of `Limits`.
        files: whether it may open files for reading.

    Raises:
        OSError: the kernel does not take the filter.
    """
    ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    cpu = int(limits["program_seconds"] + limits["cpu_seconds"]) + 2
    for what, most in (
        (resource.RLIMIT_AS, limits["memory_bytes"]),
        (resource.RLIMIT_CPU, cpu),
        (resource.RLIMIT_STACK, _STACK),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(int(most), hard)
        resource.setrlimit(what, (most, most))
    install(files)


def _read_exactly(file: int, number: int) -> bytes:
    whole = bytearray()
    while len(whole) < number:
        chunk = os.read(file, number - len(whole))
        if not chunk:
            raise EOFError
        whole += chunk
    return bytes(whole)


def _write_all(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]
