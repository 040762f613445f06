"""What is asked of a program that looks at answers, and what it says."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .._levels import LEVELS, OBSERVATIONS
from .._observation import Observation

CLOCK = frozenset({"late", "crash"})
"""Reasons that another try may not give again, so what goes with them is not kept."""

TOGETHER = 16
"""Most programs in one process."""


@dataclass(frozen=True)
class Call:
    """A program that looks at answers: an operator or an atom.

    Attributes:
        source: a whole module.
        entry: the function in it.
        level: of the interface.
        number: whether it returns a number; else a verdict.
        backwards: whether answers come in the opposite order.
    """

    source: str
    entry: str
    level: int
    number: bool = False
    backwards: bool = False

    def plain(self, order: list[int]) -> dict[str, Any]:
        """Return what the jail is told, as values that JSON can hold."""
        return {
            "parts": [[self.source, self.entry]],
            "offers": sorted(LEVELS[self.level].offers),
            "number": self.number,
            "order": order[::-1] if self.backwards else order,
            # Another order comes with other luck: neither may matter.
            "seed": int(self.backwards),
            "most": OBSERVATIONS,
        }


class Said(NamedTuple):
    """What one program said of one task's answers.

    Attributes:
        values: one an answer: 1 for "FLAG", 0 for "PASS", or a number; None for anything
            else.
        wrong: how often it raised which exception, or was stopped and why.
    """

    values: tuple[float | None, ...]
    wrong: Mapping[str, int]


def jobs_of_calls(calls: Sequence[Call], order: list[int]) -> list[dict[str, Any]]:
    """Return what the jail is told of many programs, in their order.

    A process of its own for each would take most of the time of what only returns a
    number, so neighbours among those share one, in name spaces of their own.
    """
    jobs: list[dict[str, Any]] = []
    for call in calls:
        job = call.plain(order)
        last = jobs[-1] if jobs else None
        alike = last is not None and {**last, "parts": []} == {**job, "parts": []}
        if last is not None and alike and call.number and len(last["parts"]) < TOGETHER:
            last["parts"] += job["parts"]
        else:
            jobs.append(job)
    return jobs


def said_of(reply: Any, n_candidate: int) -> Said:
    """Return what a jail's answer about one program may be taken for."""
    values, wrong = reply
    if len(values) != n_candidate:
        raise ValueError(f"{len(values)} values of {n_candidate} answers.")
    return Said(tuple(None if v is None else float(v) for v in values), dict(wrong))


def to_keep(said: Said) -> list[Observation]:
    """Return what the cache keeps."""
    return [Observation("value", json.dumps([said.values, said.wrong]))]


def of_kept(kept: list[Observation] | None, n_candidate: int) -> Said | None:
    """Return what was kept, if anything was."""
    return said_of(json.loads(kept[0].text), n_candidate) if kept else None
