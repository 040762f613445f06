"""Tasks for growing pools: the project's own, or published ones with real programs."""

import json
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from irtjax.cegar import Case, Label, digest
from irtjax.cegar.sandbox import AbstractSandbox, ExecutionCache, Limits, canonical
from irtjax.cegar.suite import OWN_LIMITS, own_cases, short_answer_cases
from irtjax.cegar.tasks import Bench, label_cases
from irtjax.report import write_whole

from ._programs import Programs, load_programs

SETS = ("own", "short_answers", "mbpp_plus")
"""What `tasks` may name."""

LABEL_RECIPE = 1
"""Goes up when the same programs would get other labels."""

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

    Returns:
        Labels of published programs are kept beside the cache: those of a thousand slow
        wrong programs would take minutes each time.
    """
    if name == "short_answers":
        cases, labels = short_answer_cases()
        return Labelled(tuple(cases), tuple(tuple(known) for known in labels))
    bench = Bench(sandbox, limits_of(name), cache)
    if name == "own":
        own = own_cases(bench)
        return Labelled(own.cases, own.labels)
    programs = load_programs(name, bench, folder)
    store = cache.path.parent / f"labels-{_key(name, programs, bench.limits)}.json"
    if store.is_file():
        rows = json.loads(store.read_text(encoding="utf-8"))
        labels = tuple(tuple(Label(*pair) for pair in row) for row in rows)
        return Labelled(programs.cases, labels)
    verdicts = label_cases(programs.cases, programs.oracles, bench, progress)
    labels = tuple(tuple(one.label for one in known) for known in verdicts)
    rows = [[[one.visible, one.right] for one in known] for known in labels]
    write_whole(store, json.dumps(rows).encode())
    return Labelled(programs.cases, labels)


def _key(name: str, programs: Programs, limits: Limits) -> str:
    """Return a name for labels that changes with all that decides them."""
    texts = [candidate.text for case in programs.cases for candidate in case.candidates]
    parts = [str(LABEL_RECIPE), name, platform.python_version(), repr(limits)]
    for oracle in programs.oracles:
        parts += [oracle.reference, oracle.rule, repr(oracle.atol), *oracle.others]
        parts += [canonical(oracle.base), canonical(oracle.plus)]
    return digest([*parts, *texts])


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
