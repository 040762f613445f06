"""Calling hostile operators in jails, task after task, and keeping what they say."""

import platform
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.resources import files

from .._levels import LEVELS, PEERS
from .._observation import Observation
from .._task import Case
from ..sandbox import (
    AbstractSandbox,
    ExecutionCache,
    Limits,
    Worker,
    WorkerError,
    run_programs,
)
from ._call import CLOCK, Call, Said, jobs_of_calls, of_kept, said_of, to_keep
from ._views import View, check_sizes, digest, jobs_of, lines_run, view_of
from ._wishes import Wishes

RECIPE = 1
"""Goes up when the same program would now say something else of the same view."""

_START = "\n\nimport jail\n\njail.serve(Inside(jail, limits, files).handle)\n"
_PATIENCE = 30.0  # seconds beside those that the limits allow


class Harness:
    """Jails in which operators look at answers; a context manager.

    Jails are started when they are needed and kept until it is closed. It may be used by
    one thread at a time.

    Attributes:
        sandbox: where operators and programs run.
        cache: of runs and of what operators said; None keeps nothing.
        program_limits: of the programs that are looked at.
        operator_limits: of operators; `cpu_seconds` is that of one call.
        workers: jails at work at once.
        seed: of the choice of peers; see `electorate`.
    """

    def __init__(
        self,
        sandbox: AbstractSandbox,
        cache: ExecutionCache | None = None,
        *,
        program_limits: Limits = Limits(),
        operator_limits: Limits = Limits(),
        workers: int = 2,
        seed: int = 0,
    ):
        """Choose where and how operators run.

        Raises:
            ValueError: fewer than one worker.
        """
        if workers < 1:
            raise ValueError(f"`workers` must be at least 1, got {workers}.")
        self.sandbox = sandbox
        self.cache = cache
        self.program_limits = program_limits
        self.operator_limits = operator_limits
        self.workers = workers
        self.seed = seed
        self._wishes = Wishes(sandbox, cache, program_limits)
        self._shown: dict[int, tuple[tuple[Case, ...], list[View]]] = {}
        self._jails: list[Worker] = []
        # Kept as long as the jails: a jail dies with the thread that started it.
        self._threads = ThreadPoolExecutor(workers)

    def __enter__(self) -> "Harness":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all jails; may be called twice."""
        self._threads.shutdown(cancel_futures=True)
        self._wishes.close()
        while self._jails:
            self._jails.pop().close()

    def show(self, cases: Sequence[Case], level: int) -> list[View]:
        """Return cases as operators of a level see them.

        Every answer is run once on the visible and on the perturbed inputs, where the
        level offers runs at all.

        Args:
            cases: tasks with their answers. What was last shown of one tuple is kept.
            level: of the interface.

        Raises:
            ValueError: a task has too many perturbed inputs to look at with all peers.
            WorkerError: no jail can be started.
        """
        last, views = self._shown.get(level, (None, []))
        if last is not cases:
            views = self.run([view_of(case, self.seed) for case in cases], level)
            if isinstance(cases, tuple):
                self._shown[level] = (cases, views)
        return list(views)

    def run(self, views: Sequence[View], level: int) -> list[View]:
        """Return views with what their answers show, run anew; see `show`."""
        check_sizes(views, PEERS)
        if "run" not in LEVELS[level].offers:
            return list(views)
        seen = self._observe(views, trace=False)
        views = [replace(v, seen=rows) for v, rows in zip(views, seen, strict=True)]
        if "trace" not in LEVELS[level].offers:
            return views
        traced = [
            tuple(tuple(map(lines_run, row)) for row in rows)
            for rows in self._observe(views, trace=True)
        ]
        return [replace(v, traces=rows) for v, rows in zip(views, traced, strict=True)]

    def _observe(
        self, views: Sequence[View], *, trace: bool
    ) -> list[tuple[tuple[Observation, ...], ...]]:
        jobs = [jobs_of(view, self.program_limits, trace=trace) for view in views]
        flat = [job for part in jobs for job in part]
        shown = iter(run_programs(self.sandbox, flat, self.cache, self.workers))
        return [tuple(tuple(next(shown)) for _ in part) for part in jobs]

    def ask(self, calls: Sequence[Call], views: Sequence[View]) -> list[list[Said]]:
        """Return what programs say of views: for each view one entry a program.

        Args:
            calls: untrusted programs.
            views: with runs, where the programs' levels offer them.

        Raises:
            WorkerError: no jail can be started.
        """
        keys = [self._keys(calls, view) for view in views]
        found = self._load(keys, views)

        def fill(place: int) -> None:
            missing = [n for n, said in enumerate(found[place]) if said is None]
            wanted = [calls[number] for number in missing]
            said = self._put(views[place], wanted)
            for number, one in zip(missing, said, strict=True):
                found[place][number] = one
                key = keys[place][number]
                if self.cache is not None and key and not one.wrong.keys() & CLOCK:
                    self.cache.store(key, to_keep(one))

        todo = [place for place, row in enumerate(found) if None in row]
        waiting = [self._threads.submit(fill, place) for place in todo]
        try:
            for one in waiting:
                one.result()
        finally:
            for one in waiting:
                one.cancel()
        return found  # pyright: ignore[reportReturnType]

    def _keys(self, calls: Sequence[Call], view: View) -> list[str]:
        """Return names under which what is said is kept; "" for what is not."""
        if self.cache is None or view.answer is not None:
            return [""] * len(calls)
        limits = [self.operator_limits.plain(), self.program_limits.plain()]
        where = [RECIPE, platform.python_version(), self.sandbox.name]
        common = [*where, limits, view.digest]
        return [digest([common, call.plain(view.order)]) for call in calls]

    def _load(
        self, keys: list[list[str]], views: Sequence[View]
    ) -> list[list[Said | None]]:
        named = [key for row in keys for key in row if key]
        known = self.cache.load(named) if self.cache is not None else {}
        return [
            [of_kept(known.get(key), len(view.codes)) for key in row]
            for row, view in zip(keys, views, strict=True)
        ]

    def _put(self, view: View, calls: list[Call]) -> list[Said]:
        """Return what programs say of one view, found out in one jail."""
        n_candidate = len(view.codes)
        jobs = jobs_of_calls(calls, view.order)
        limits = self.operator_limits
        wall = _PATIENCE + len(calls) * (limits.program_seconds + limits.wall_seconds)
        jail = self._jails.pop() if self._jails else self._start()
        try:
            reply = jail.ask({**view.plain, "jobs": jobs}, wall)
            while "wish" in reply:
                ((what, (code, text)),) = reply["wish"].items()
                outcome = view.answer(what, code, text) if view.answer else None
                if outcome is None:
                    outcome = self._wishes.grant(view.entry_point, what, code, text)
                reply = jail.ask(
                    {"wished": [what, code, text], "outcome": outcome}, wall
                )
            said = [said_of(one, n_candidate) for one in reply["done"]]
        except WorkerError:
            if len(calls) == 1:
                return [Said((None,) * n_candidate, {"crash": n_candidate})]
            # One of them ended the jail. The others must not pay for it.
            return [said for call in calls for said in self._put(view, [call])]
        self._jails.append(jail)
        return said

    def _start(self) -> Worker:
        text = files("irtjax.cegar.operators").joinpath("_jailed.py").read_text("utf-8")
        return self.sandbox.start(text + _START, self.operator_limits)
