"""Running many programs on many inputs, several at a time."""

import queue
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .._observation import Observation
from ._cache import ExecutionCache, execution_key
from ._limits import Limits
from ._sandbox import AbstractSandbox
from ._values import canonical
from ._worker import Worker, WorkerError

SCRIPT = """
import jail

def handle(message):
    return jail.run_program(**message, files=files)

jail.serve(handle)
"""


@dataclass(frozen=True)
class Job:
    """One program to run on some inputs.

    Attributes:
        code: a module.
        entry_point: the function in it.
        inputs: arguments of each call, as plain Python values; they are copied for each
            call. What would be right is not among them.
        limits: of every call.
        trace: whether the text of each outcome shall be, instead of the value, how often
            each line of the program ran: a canonical dictionary.
    """

    code: str
    entry_point: str
    inputs: tuple[tuple[Any, ...], ...]
    limits: Limits = field(default_factory=Limits)
    trace: bool = False

    def written(self) -> list[str]:
        """Return the canonical texts of the inputs.

        Raises:
            ValueError: an argument is no plain value.
        """
        inputs = [canonical(tuple(arguments)) for arguments in self.inputs]
        for number, text in enumerate(inputs):
            # No text within the canonical text can hold these characters.
            if '{"object":"' in text:
                raise ValueError(
                    f"Input {number} of {self.entry_point} is no plain value: {text[:80]}"
                )
        return inputs

    def plain(self, written: list[str] | None = None) -> dict[str, Any]:
        """Return what the jail is told, as values that JSON can hold.

        Args:
            written: of `written`, where another job with the same inputs has it.

        Raises:
            ValueError: an argument is no plain value.
        """
        return {
            "code": self.code,
            "entry_point": self.entry_point,
            "inputs": self.written() if written is None else written,
            "limits": self.limits.plain(),
            "trace": self.trace,
        }


def run_programs(
    sandbox: AbstractSandbox,
    jobs: Sequence[Job],
    cache: ExecutionCache | None = None,
    workers: int = 2,
) -> list[list[Observation]]:
    """Return what running each program shows: one observation per input.

    The result does not depend on the order of the jobs, on the number of workers or on
    the cache. A program that the clock stopped, or with which its jail died, is run once
    more in a jail of its own.

    Args:
        sandbox: where they run.
        jobs: programs with their inputs; equal jobs run once.
        cache: where outcomes are kept; those that the clock decided are not.
        workers: jails at work at once.

    Raises:
        ValueError: an argument is no plain value, or fewer than one worker.
        WorkerError: no jail can be started.
    """
    if workers < 1:
        raise ValueError(f"`workers` must be at least 1, got {workers}.")
    # All programs of one task share its inputs, which are written once.
    shared = {id(job.inputs): job for job in jobs}
    written = {place: job.written() for place, job in shared.items()}
    plain = [job.plain(written[id(job.inputs)]) for job in jobs]
    keys = [execution_key(message, sandbox.name) for message in plain]
    known = cache.load(keys) if cache is not None else {}
    todo: queue.SimpleQueue[tuple[str, dict[str, Any]]] = queue.SimpleQueue()
    unknown = {k: m for k, m in zip(keys, plain, strict=True) if k not in known}
    for item in unknown.items():
        todo.put(item)
    crew = _Crew(sandbox, todo, known, cache)
    threads = [
        threading.Thread(target=crew.work, daemon=True)
        for _ in range(min(workers, len(unknown)))
    ]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except BaseException:
        crew.stop()
        raise
    if crew.error is not None:
        raise crew.error
    return [list(known[key]) for key in keys]


class _Crew:
    """Threads that take programs from one queue, each with a jail of its own."""

    def __init__(
        self,
        sandbox: AbstractSandbox,
        todo: "queue.SimpleQueue[tuple[str, dict[str, Any]]]",
        known: dict[str, list[Observation]],
        cache: ExecutionCache | None,
    ):
        self._sandbox, self._todo, self._known = sandbox, todo, known
        self._cache = cache
        self._stopped = False
        self.error: BaseException | None = None

    def stop(self) -> None:
        self._stopped = True

    def work(self) -> None:
        """Run programs until there are no more, or something goes wrong."""
        worker = None
        try:
            while not self._stopped:
                try:
                    key, message = self._todo.get_nowait()
                except queue.Empty:
                    return
                worker, outcomes, certain = self._run(worker, message)
                self._known[key] = outcomes
                if certain and self._cache is not None:
                    self._cache.store(key, outcomes)
        except BaseException as error:
            self.error = error
            self.stop()
        finally:
            if worker is not None:
                worker.close()

    def _run(
        self, worker: Worker | None, message: dict[str, Any]
    ) -> tuple[Worker | None, list[Observation], bool]:
        """Return a jail to go on with, the outcomes, and whether they always come out so."""
        outcomes: list[Observation] = []
        for _ in range(2):
            if worker is None:
                worker = self._sandbox.start(SCRIPT, Limits())
            try:
                said = worker.ask(message, _patience(message))
                outcomes = [Observation(kind, text) for kind, text, _ in said]
                late = any(late for _, _, late in said)
            except WorkerError as error:
                worker, late = None, True
                kind = "timeout" if error.late else "crash"
                outcomes = [Observation(kind)] * len(message["inputs"])
            if not late:
                return worker, outcomes, True
            if worker is not None:
                worker.close()
                worker = None
        return worker, outcomes, False


def _patience(message: dict[str, Any]) -> float:
    """Return seconds within which a jail surely answers, unless it is broken."""
    limits = message["limits"]
    starved = limits["wall_seconds"] / limits["cpu_seconds"]
    return 30 + 2 * limits["wall_seconds"] + starved * limits["program_seconds"]
