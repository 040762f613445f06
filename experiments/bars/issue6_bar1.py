"""Bar 1: labels of real programs, computed anew, against labels computed by others."""

import gzip
import json
import multiprocessing
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from irtjax.cegar.sandbox import ExecutionCache, best_sandbox
from irtjax.cegar.tasks import Bench, Verdict, check_inputs, label_cases

from .._programs import LABELS, Programs, load_programs, programs_folder
from . import Measurement

AGREEMENT = 0.995
KINDS: tuple[str, ...] = ("visible", "base", "plus")
SAMPLE = 12
"""Tasks of each set that are labelled again while the machine is busy."""

GIVEN = {"visible": "vis", "base": "base", "plus": "plus"}


class Disagreement(NamedTuple):
    """One program that got another label here.

    Attributes:
        task: its task.
        candidate: its index.
        kind: of check, the first that differs.
        given: the label computed by others.
        ours: the label computed here.
        seen: what it did on the first input on which that was no value, else "values".
    """

    task: str
    candidate: int
    kind: str
    given: bool
    ours: bool
    seen: str


def measure(limit: int | None = None) -> Measurement:
    """Label all programs, compare, and label some again on a busy machine.

    Args:
        limit: tasks of each set; all by default.
    """
    with ExecutionCache() as cache:
        bench = Bench(best_sandbox(), cache=cache)
        return judge([_measured(name, bench, limit) for name in LABELS])


def judge(measured: Sequence[dict[str, Any]]) -> Measurement:
    """Return the bar's verdict.

    Args:
        measured: for each set of tasks its counts, by kind of check, its disagreements,
            and the labels that changed on a busy machine.
    """
    return {
        "bar": "labels of all published programs (visible, base, plus) computed in our "
        "sandbox equal those computed by others, and do not change on a busy machine",
        "command": "scripts/bars 6 1",
        "required": {"agreement": AGREEMENT, "changed when busy": 0},
        "measured": list(measured),
        "passed": len(measured) == len(LABELS)
        and all(
            entry["agreement"][kind] >= AGREEMENT
            for entry in measured
            for kind in KINDS
        )
        and all(entry["changed when busy"] == 0 for entry in measured),
    }


def read_labels(path: Path) -> dict[str, dict[int, dict[str, bool | None]]]:
    """Return given labels by task and candidate.

    Args:
        path: JSON lines with task_id and labels, each with i, vis, and base and plus
            where those were run.
    """
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream]
    return {
        row["task_id"]: {
            entry["i"]: {
                kind: None if name not in entry else bool(entry[name])
                for kind, name in GIVEN.items()
            }
            for entry in row["labels"]
        }
        for row in rows
    }


def compare(
    programs: Programs,
    verdicts: Sequence[Sequence[Verdict]],
    given: dict[str, dict[int, dict[str, bool | None]]],
) -> tuple[dict[str, int], list[tuple[int, int, str, bool, bool]]]:
    """Return how many labels of each kind there are to compare, and those that differ.

    Args:
        programs: tasks and programs.
        verdicts: ours.
        given: those computed by others; a kind that is missing there is not compared.

    Returns:
        Counts by kind; and case, candidate, kind, given label, our label of each
        difference. A check that was not run here, as an earlier one failed, counts as
        failed.
    """
    counts, differing = dict.fromkeys(KINDS, 0), []
    for number, (case, row) in enumerate(zip(programs.cases, verdicts, strict=True)):
        for place, verdict in enumerate(row):
            for kind, label in given[case.task.task_id].get(place, {}).items():
                if label is None:
                    continue
                counts[kind] += 1
                ours = bool(getattr(verdict, kind))
                if ours != label:
                    differing.append((number, place, kind, label, ours))
    return counts, differing


@contextmanager
def busy(processes: int = 2) -> Iterator[None]:
    """Keep processors busy for as long as the block runs.

    Args:
        processes: endless loops.
    """
    context = multiprocessing.get_context("spawn")
    loops = [context.Process(target=_loop, daemon=True) for _ in range(processes)]
    for loop in loops:
        loop.start()
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.join()


def _loop() -> None:
    while True:
        pass


def _measured(name: str, bench: Bench, limit: int | None) -> dict[str, Any]:
    start = time.perf_counter()
    programs = load_programs(name, bench, limit=limit)
    verdicts = label_cases(programs.cases, programs.oracles, bench)
    seconds = time.perf_counter() - start
    given = read_labels(programs_folder() / LABELS[name])
    counts, differing = compare(programs, verdicts, given)
    again, changed = _again(programs, verdicts, bench)
    return {
        "tasks": name,
        "isolation": bench.sandbox.isolation,
        "number of tasks": len(programs.cases),
        "programs": sum(len(row) for row in verdicts),
        "seconds": round(seconds, 1),
        "compared": counts,
        "agreement": {
            kind: round(1 - sum(each[2] == kind for each in differing) / count, 5)
            for kind, count in counts.items()
        },
        "labelled again when busy": again,
        "changed when busy": changed,
        "disagreements": [
            _explained(programs, bench, *each)._asdict() for each in differing
        ],
    }


def _again(
    programs: Programs, verdicts: Sequence[Sequence[Verdict]], bench: Bench
) -> tuple[int, int]:
    """Return how many programs were labelled again, and how many labels changed."""
    places = range(0, len(programs.cases), max(1, len(programs.cases) // SAMPLE))
    fresh = Bench(bench.sandbox, bench.limits, None, bench.workers)
    with busy():
        found = label_cases(
            [programs.cases[place] for place in places],
            [programs.oracles[place] for place in places],
            fresh,
        )
    before = [verdict for place in places for verdict in verdicts[place]]
    after = [verdict for row in found for verdict in row]
    differ = sum(one != other for one, other in zip(before, after, strict=True))
    return len(after), differ


def _explained(
    programs: Programs,
    bench: Bench,
    number: int,
    place: int,
    kind: str,
    given: bool,
    ours: bool,
) -> Disagreement:
    """Return a difference with what the program did, which is in the cache by now."""
    case, oracle = programs.cases[number], programs.oracles[number]
    inputs = {
        "visible": check_inputs(case.task.checks, case.task.entry_point),
        "base": oracle.base,
        "plus": oracle.plus,
    }[kind]
    text = case.candidates[place].text
    (seen,) = bench.run([(text, oracle.entry_point, inputs)])
    other = [f"{each.kind} {each.text:.60}" for each in seen if each.kind != "value"]
    return Disagreement(
        oracle.task_id, place, kind, given, ours, other[0] if other else "values"
    )
