"""The suite's programming tasks with the programs of simulated systems, labelled by running."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from .._task import Candidate, Case, Label, Task
from ..sandbox import Limits
from ..tasks import Bench, Oracle, Verdict, label_cases, perturb
from ._programs import write_programs
from ._systems import Habits, candidates_of, sample_answers
from .programming import OWN_TASKS, OwnTask

WRONG = 20
"""Different wrong programs that a task has at least, where so many could be made."""

OWN_LIMITS = Limits(cpu_seconds=0.1, memory_bytes=1 << 29, failures=1)
"""Ample for the suite's right programs; what mutants waste in endless loops stays small."""


@dataclass(frozen=True)
class OwnCases:
    """Tasks of the suite with programs, and apart from them the hidden half.

    Attributes:
        cases: what may be shown to operators.
        oracles: for each case what decides whether a program is right.
        labels: for each case one label a candidate, found by running it.
    """

    cases: tuple[Case, ...]
    oracles: tuple[Oracle, ...]
    labels: tuple[tuple[Label, ...], ...]


def own_cases(
    bench: Bench,
    seed: int = 0,
    tasks: Sequence[OwnTask] = OWN_TASKS,
    habits: Habits = Habits(),
    distinct_wrong: int = WRONG,
) -> OwnCases:
    """Return tasks of the suite with programs of simulated systems of different skill.

    For each task right programs in several styles and programs with one or two mistakes
    are written and all run: only that says which are right. The systems then draw from
    them, as `sample_answers` says.

    Args:
        bench: where programs run; `OWN_LIMITS` are limits that suit them.
        seed: of all draws; a task's own do not depend on which others there are.
        tasks: of the suite.
        habits: of the systems.
        distinct_wrong: different wrong programs wanted for each task.

    Raises:
        ValueError: a reference solution does not pass its own checks on this machine.
    """
    draws = [random.Random(f"{seed} {task.name}") for task in tasks]
    shown = [_task(task, seed) for task in tasks]
    oracles = tuple(_oracle(task) for task in tasks)
    written = [
        Case(task, tuple(Candidate(text) for text in write_programs(own, draw)))
        for own, task, draw in zip(tasks, shown, draws, strict=True)
    ]
    verdicts = label_cases(written, oracles, bench)
    cases, labels = [], []
    for case, known, draw in zip(written, verdicts, draws, strict=True):
        truth = _truth(case, known)
        right = [text for text, label in truth.items() if label.right]
        wrong = [text for text, label in truth.items() if not label.right]
        tally = sample_answers(right, wrong, draw, habits, distinct_wrong)
        cases.append(Case(case.task, candidates_of(tally)))
        labels.append(tuple(truth[text] for text in tally.given))
    return OwnCases(tuple(cases), oracles, tuple(labels))


def _truth(case: Case, verdicts: Sequence[Verdict]) -> dict[str, Label]:
    labels = [verdict.label for verdict in verdicts]
    if not labels[0].right:
        raise ValueError(
            f"The reference solution of {case.task.task_id} fails its own checks here: "
            "give the bench more time or memory."
        )
    texts = [candidate.text for candidate in case.candidates]
    return dict(zip(texts, labels, strict=True))


def _task(own: OwnTask, seed: int) -> Task:
    name = f"own/{own.name}"
    inputs = perturb(own.visible, seed=seed, task_id=name)
    return Task(name, own.prompt, own.name, own.visible, inputs)


def _oracle(own: OwnTask) -> Oracle:
    hidden = own.hidden()
    edges = len(own.edges)
    return Oracle(
        f"own/{own.name}", own.name, own.source, hidden[:edges], hidden[edges:]
    )
