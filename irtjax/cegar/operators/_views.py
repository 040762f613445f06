"""A task as operators see it: texts, peers, and every run that is known beforehand."""

import functools
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .._levels import OBSERVATIONS
from .._observation import Observation
from .._task import Case
from ..sandbox import Job, Limits, canonical
from ._electorate import electorate

Answer = Callable[[str, str, str], Any]
"""From "run" or "trace", a program and the text of its arguments to what is shown, or
None: it is really run."""


@dataclass(frozen=True)
class View:
    """One task with its answers, as operators see it. It holds no label.

    Attributes:
        prompt: of the task.
        entry_point: of the task.
        checks: texts of the visible checks.
        codes: every distinct answer.
        peers: of each answer, indices into `codes`.
        visible: arguments of the visible checks.
        inputs: perturbed arguments.
        seen: of each answer, what it shows on `visible` and then on `inputs`; no rows
            where answers are not programs.
        traces: likewise, pairs of a line and how often it ran; no rows where no operator
            asks for them.
        judged: indices of the answers that operators are asked about; None: all.
        answer: what any other run shows; None: it is really run.
    """

    prompt: str
    entry_point: str
    checks: tuple[str, ...]
    codes: tuple[str, ...]
    peers: tuple[tuple[int, ...], ...]
    visible: tuple[tuple[Any, ...], ...]
    inputs: tuple[tuple[Any, ...], ...]
    seen: tuple[tuple[Observation, ...], ...]
    traces: tuple[tuple[tuple[tuple[int, int], ...], ...], ...] = ()
    judged: tuple[int, ...] | None = None
    answer: Answer | None = field(default=None, compare=False)

    @property
    def order(self) -> list[int]:
        """Return the answers that operators are asked about."""
        return list(range(len(self.codes)) if self.judged is None else self.judged)

    @functools.cached_property
    def digest(self) -> str:
        """Return the SHA-256 of `plain`, 64 hexadecimal digits."""
        return digest(self.plain)

    @functools.cached_property
    def plain(self) -> dict[str, Any]:
        """Return what the jail is told, as values that JSON can hold."""
        kinds: dict[Observation, int] = {}
        table = [
            [kinds.setdefault(one, len(kinds)) for one in row] for row in self.seen
        ]
        return {
            "shown": [self.prompt, self.entry_point, list(self.checks)],
            "codes": list(self.codes),
            "peers": [list(one) for one in self.peers],
            "visible": canonical(list(self.visible)),
            "inputs": canonical(list(self.inputs)),
            "seen": [one.plain() for one in kinds],
            "table": table,
            "traces": [[list(one) for one in row] for row in self.traces],
        }


def view_of(case: Case, seed: int) -> View:
    """Return a task before anything was run."""
    task = case.task
    shown = tuple(c.arguments for c in task.checks if c.arguments is not None)
    # Answers in words have nothing to be called.
    runs = bool(task.entry_point)
    return View(
        task.prompt,
        task.entry_point,
        tuple(check.text for check in task.checks),
        tuple(candidate.text for candidate in case.candidates),
        electorate(case, seed=seed),
        shown if runs else (),
        task.inputs if runs else (),
        (),
    )


def jobs_of(view: View, limits: Limits, *, trace: bool) -> list[Job]:
    """Return what must be run for a view: one job an answer, or none."""
    inputs = view.visible + view.inputs
    if not inputs:
        return []
    return [Job(code, view.entry_point, inputs, limits, trace) for code in view.codes]


def lines_run(seen: Observation) -> tuple[tuple[int, int], ...]:
    """Return a traced run's pairs of a line and how often it ran."""
    try:
        pairs = json.loads(seen.text)["dict"]
        return tuple((int(line), int(count)) for line, count in pairs)
    except (ValueError, TypeError, KeyError):
        return ()  # nothing is known of a run that was stopped


def digest(value: Any) -> str:
    """Return the SHA-256 of values that JSON can hold, 64 hexadecimal digits."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def check_sizes(views: Sequence[View], peers: int) -> None:
    """Raise a `ValueError` where looking at everything once would be too much."""
    for view in views:
        runs = (1 + peers) * (len(view.inputs) + len(view.visible))
        if runs > OBSERVATIONS:
            raise ValueError(
                f"{view.entry_point} has {len(view.visible)} visible and "
                f"{len(view.inputs)} perturbed inputs: an answer and {peers} peers on all "
                f"of them are {runs} runs, and an operator may see {OBSERVATIONS}. Make "
                "fewer perturbed inputs."
            )
