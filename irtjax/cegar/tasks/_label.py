"""Labels of programs, by running them: visible checks first, then the hidden ones."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from .._observation import Observation
from .._task import Case, Label, Task
from ._bench import Bench
from ._checks import check_inputs, checks_met
from ._equality import is_right
from ._oracle import Oracle
from ._visible import visible_met

BATCH = 8
"""Tasks run together: enough for all workers, few enough for steady progress."""


@dataclass(frozen=True)
class Verdict:
    """What the checks of a task said of one program.

    Attributes:
        visible: whether it meets the visible checks; true where there are none.
        base: whether it does on the original tests; None where they were not run.
        plus: whether it does on the further tests; None where they were not run.
    """

    visible: bool
    base: bool | None = None
    plus: bool | None = None

    @property
    def label(self) -> Label:
        """Return the label: right is right on all hidden tests."""
        return Label(self.visible, bool(self.base and self.plus))


def sound_checks(
    tasks: Sequence[Task], oracles: Sequence[Oracle], bench: Bench
) -> tuple[Task, ...]:
    """Return tasks without the visible checks that their own reference does not meet.

    Some examples in published prompts are wrong; keeping them would shut out all right
    programs. This is the one place where something hidden touches the visible half, and
    it can only take examples away.

    Args:
        tasks: of programs.
        oracles: for each task its own.
        bench: where references run.

    Raises:
        ValueError: an oracle is of another task.
    """
    _fit(tasks, oracles)
    inputs = [check_inputs(task.checks, task.entry_point) for task in tasks]
    seen = bench.run(
        [
            (oracle.reference, oracle.entry_point, each)
            for oracle, each in zip(oracles, inputs, strict=True)
        ]
    )
    kept = []
    for task, observations in zip(tasks, seen, strict=True):
        met = checks_met(task.checks, task.entry_point, observations)
        sound = (each for each, good in zip(task.checks, met, strict=True) if good)
        kept.append(replace(task, checks=tuple(sound)))
    return tuple(kept)


def label_cases(
    cases: Sequence[Case],
    oracles: Sequence[Oracle],
    bench: Bench,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[tuple[Verdict, ...], ...]:
    """Return for each case one verdict a candidate.

    A program runs on the visible inputs, then, where it met the visible checks, on the
    base inputs, then, where it was right, on the plus inputs; a few inputs first and the
    rest where those were right, since a slow wrong program uses up its time on each. A
    hidden input on which the reference does not return in half the time is left out.

    Args:
        cases: tasks with programs.
        oracles: for each case its own.
        bench: where programs run.
        progress: called with the cases done and all cases, after each batch.

    Raises:
        ValueError: an oracle is of another task, or its reference returns nowhere.
    """
    _fit([case.task for case in cases], oracles)
    verdicts: list[tuple[Verdict, ...]] = []
    for start in range(0, len(cases), BATCH):
        stop = min(start + BATCH, len(cases))
        verdicts += _batch(cases[start:stop], oracles[start:stop], bench)
        if progress is not None:
            progress(stop, len(cases))
    return tuple(verdicts)


def _fit(tasks: Sequence[Task], oracles: Sequence[Oracle]) -> None:
    if len(tasks) != len(oracles):
        raise ValueError(f"{len(tasks)} tasks but {len(oracles)} oracles.")
    for task, oracle in zip(tasks, oracles, strict=True):
        if task.task_id != oracle.task_id:
            raise ValueError(
                f"The oracle of {oracle.task_id} stands beside task {task.task_id}: give "
                "tasks and oracles in one order."
            )


def _batch(
    cases: Sequence[Case], oracles: Sequence[Oracle], bench: Bench
) -> list[tuple[Verdict, ...]]:
    programs = [
        (number, candidate.text)
        for number, case in enumerate(cases)
        for candidate in case.candidates
    ]
    visible = [met for row in visible_met(cases, bench) for met in row]
    base = _hidden(oracles, programs, visible, bench, plus=False)
    plus = _hidden(oracles, programs, base, bench, plus=True)
    rows: list[list[Verdict]] = [[] for _ in cases]
    for (number, _), *said in zip(programs, visible, base, plus, strict=True):
        rows[number].append(
            Verdict(said[0], said[1] if said[0] else None, said[2] if said[1] else None)
        )
    return [tuple(row) for row in rows]


def _hidden(
    oracles: Sequence[Oracle],
    programs: Sequence[tuple[int, str]],
    alive: Sequence[bool],
    bench: Bench,
    *,
    plus: bool,
) -> list[bool]:
    """Return which programs are right on all of one kind of hidden inputs."""
    stored = [oracle.plus if plus else oracle.base for oracle in oracles]
    needed = sorted(
        {number for (number, _), on in zip(programs, alive, strict=True) if on}
    )
    inputs, accepted = _decidable(oracles, stored, needed, bench)
    right = list(alive)
    longest = max((len(inputs[number]) for number in needed), default=0)
    for start, stop in _steps(longest):
        going = [
            place
            for place, (number, _) in enumerate(programs)
            if right[place] and len(inputs[number]) > start
        ]
        jobs = [
            (
                programs[place][1],
                oracles[programs[place][0]].entry_point,
                tuple(inputs[programs[place][0]][start:stop]),
            )
            for place in going
        ]
        for place, seen in zip(going, bench.run(jobs), strict=True):
            number = programs[place][0]
            right[place] = all(
                is_right(oracles[number], arguments, wanted, observed, others)
                for arguments, (wanted, *others), observed in zip(
                    inputs[number][start:stop],
                    accepted[number][start:stop],
                    seen,
                    strict=True,
                )
            )
    return right


def _steps(longest: int) -> list[tuple[int, int]]:
    """Return stretches of inputs: the first few, then all the rest."""
    edges = [0, *(edge for edge in (6,) if edge < longest), longest]
    return list(pairwise(edges)) if longest else []


def _decidable(
    oracles: Sequence[Oracle],
    stored: Sequence[tuple[tuple, ...]],
    needed: Sequence[int],
    bench: Bench,
) -> tuple[dict[int, list[tuple]], dict[int, list[tuple[Observation, ...]]]]:
    """Return by task the inputs on which its reference returns, and what is right there."""
    owners = [
        (number, text)
        for number in needed
        for text in (oracles[number].reference, *oracles[number].others)
    ]
    seen = bench.for_references().run(
        [(text, oracles[number].entry_point, stored[number]) for number, text in owners]
    )
    columns: dict[int, list[list[Observation]]] = {number: [] for number in needed}
    for (number, _), observations in zip(owners, seen, strict=True):
        columns[number].append(observations)
    inputs: dict[int, list[tuple]] = {}
    accepted: dict[int, list[tuple[Observation, ...]]] = {}
    for number, of_task in columns.items():
        both = zip(stored[number], zip(*of_task, strict=True), strict=True)
        kept = [(each, said) for each, said in both if said[0].kind == "value"]
        if stored[number] and not kept:
            raise ValueError(
                f"The reference of {oracles[number].task_id} returns on none of its "
                f"{len(stored[number])} inputs: it is broken, or needs higher limits."
            )
        inputs[number] = [each for each, _ in kept]
        accepted[number] = [said for _, said in kept]
    return inputs, accepted
