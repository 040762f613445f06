"""Runs that an operator asks for, of a program or on arguments of its own."""

import threading
from typing import Any

from .._observation import Observation
from ..sandbox import (
    AbstractSandbox,
    ExecutionCache,
    Job,
    Limits,
    Worker,
    WorkerError,
    execution_key,
    parse,
    run_programs,
)
from ..sandbox._jobs import SCRIPT
from ._views import lines_run

_PATIENCE = 30.0  # seconds beside those that the limits allow


class Wishes:
    """Runs single programs in a jail that is kept; may be used by several threads."""

    def __init__(
        self, sandbox: AbstractSandbox, cache: ExecutionCache | None, limits: Limits
    ):
        """Choose where and how programs run."""
        self._sandbox, self._cache, self._limits = sandbox, cache, limits
        self._jail: Worker | None = None
        self._lock = threading.Lock()

    def close(self) -> None:
        """End the jail; may be called twice."""
        if self._jail is not None:
            self._jail.close()
            self._jail = None

    def grant(self, entry_point: str, what: str, code: str, text: str) -> Any:
        """Return what a run shows, as the jail is told it.

        Args:
            entry_point: of the task.
            what: "run", or "trace" for the lines that run.
            code: any text.
            text: canonical text of the arguments.

        Returns:
            Kind and text of an observation, or pairs of a line and its count.
        """
        try:
            arguments = parse(text)
            job = Job(code, entry_point, (arguments,), self._limits, what == "trace")
            message = job.plain()
        except (ValueError, TypeError):
            seen = Observation("error", "TypeError")
        else:
            seen = self._run(job, message)
        return lines_run(seen) if what == "trace" else seen.plain()

    def _run(self, job: Job, message: dict[str, Any]) -> Observation:
        key = execution_key(message, self._sandbox.name)
        known = self._cache.load([key]) if self._cache is not None else {}
        if key in known:
            return known[key][0]
        with self._lock:
            if self._jail is None:
                self._jail = self._sandbox.start(SCRIPT, Limits())
            wall = _PATIENCE + 2 * self._limits.wall_seconds
            try:
                ((kind, text, late),) = self._jail.ask(message, wall)
            except WorkerError:
                self._jail, late, kind, text = None, True, "crash", ""
        if late:
            return run_programs(self._sandbox, [job], self._cache, 1)[0][0]
        seen = Observation(kind, text)
        if self._cache is not None:
            self._cache.store(key, [seen])
        return seen
