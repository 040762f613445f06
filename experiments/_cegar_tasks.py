"""Tasks for growing pools: the project's own, or published ones with real programs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from irtjax.cegar import Case, Label
from irtjax.cegar.sandbox import AbstractSandbox, ExecutionCache, Limits
from irtjax.cegar.suite import OWN_LIMITS, own_cases, short_answer_cases
from irtjax.cegar.tasks import Bench, label_cases

from ._programs import load_programs

SETS = ("own", "short_answers", "mbpp_plus")
"""What `tasks` may name."""

BESIDE = {"mbpp_plus": ("humaneval_plus",)}
"""Sets that are scored beside the unseen tasks, and never trained on."""


@dataclass(frozen=True)
class Labelled:
    """Tasks with answers and what is known of them.

    Attributes:
        cases: distinct tasks.
        labels: for each case one label a candidate.
    """

    cases: tuple[Case, ...]
    labels: tuple[tuple[Label, ...], ...]

    def part(self, names: Sequence[str]) -> "Labelled":
        """Return the tasks of some ids, in the order they have here."""
        wanted = set(names)
        kept = [
            (case, label)
            for case, label in zip(self.cases, self.labels, strict=True)
            if case.task.task_id in wanted
        ]
        return Labelled(
            tuple(case for case, _ in kept), tuple(known for _, known in kept)
        )


def limits_of(name: str) -> Limits:
    """Return the limits of programs of a set of tasks."""
    return OWN_LIMITS if name == "own" else Limits()


def load_labelled(
    name: str,
    sandbox: AbstractSandbox,
    cache: ExecutionCache,
    folder: Path | None,
    progress: Callable[[int, int], None] | None = None,
) -> Labelled:
    """Return a set of tasks, its programs labelled by running them where need be.

    Args:
        name: of `SETS` or `BESIDE`.
        sandbox: where programs run.
        cache: of what was run before.
        folder: of published programs; see `programs_folder`.
        progress: called with the tasks labelled and all tasks.
    """
    if name == "short_answers":
        cases, labels = short_answer_cases()
        return Labelled(tuple(cases), tuple(tuple(known) for known in labels))
    bench = Bench(sandbox, limits_of(name), cache)
    if name == "own":
        own = own_cases(bench)
        return Labelled(own.cases, own.labels)
    programs = load_programs(name, bench, folder)
    verdicts = label_cases(programs.cases, programs.oracles, bench, progress)
    labels = tuple(tuple(one.label for one in known) for known in verdicts)
    return Labelled(programs.cases, labels)


def split(cases: Sequence[Case], training: int, seed: int) -> list[str]:
    """Return the ids of the training tasks of one run.

    Args:
        cases: all tasks.
        training: how many, or a percentage where it is given below 0: -60 for 60 %.
        seed: of the run.
    """
    ids = sorted(case.task.task_id for case in cases)
    count = training if training > 0 else round(-training / 100 * len(ids))
    order = np.random.default_rng([seed, 17]).permutation(len(ids))
    return [ids[place] for place in order[:count]]
