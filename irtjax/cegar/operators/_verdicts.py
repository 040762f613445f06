"""Verdicts of operators and values of atoms: what the rest of the library asks for."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from .._operator import ABSTAIN, Operator
from .._task import Case
from ..atoms import ALL_ATOMS, Atom
from ._call import Call, Said
from ._harness import Harness
from ._source import refused_source
from ._views import View


class Verdicts(NamedTuple):
    """What operators said.

    Attributes:
        by_case: for each case `FLAG`, `PASS` or `ABSTAIN`.
        refused: why an operator is not to be used, by its number; all its verdicts are
            `ABSTAIN` then.
        wrong: for each operator how often it raised which exception, or was stopped and
            why; each time it abstained.
    """

    by_case: list[Int[np.ndarray, "operator candidate"]]
    refused: Mapping[int, str]
    wrong: tuple[Mapping[str, int], ...]


def run_operators(
    operators: Sequence[Operator], cases: Sequence[Case], harness: Harness
) -> Verdicts:
    """Return the verdicts of operators on every answer.

    Each operator judges each task twice, in processes of their own: the second time with
    the answers in the opposite order and other random numbers. One whose verdicts differ
    is refused.

    Args:
        operators: untrusted.
        cases: tasks with their answers.
        harness: where they run.

    Raises:
        ValueError: a task has too many perturbed inputs to look at with all peers.
        WorkerError: no jail can be started.
    """
    levels = [operator.level for operator in operators if not refused_source(operator)]
    views = harness.show(cases, max(levels, default=0))
    return judge(operators, views, harness)


def judge(
    operators: Sequence[Operator], views: Sequence[View], harness: Harness
) -> Verdicts:
    """Return the verdicts of operators on views; see `run_operators`."""
    refused = {
        number: reason
        for number, operator in enumerate(operators)
        if (reason := refused_source(operator)) is not None
    }
    able = [number for number in range(len(operators)) if number not in refused]
    calls = [
        Call(operators[n].source, operators[n].entry, operators[n].level, False, again)
        for n in able
        for again in (False, True)
    ]
    by_case = [np.full((len(operators), len(v.codes)), ABSTAIN, np.int8) for v in views]
    wrong: list[dict[str, int]] = [{} for _ in operators]
    for place, said in enumerate(harness.ask(calls, views)):
        for number, once, twice in zip(able, said[::2], said[1::2], strict=True):
            if once.values != twice.values and number not in refused:
                refused[number] = _differs(views[place], once, twice)
            by_case[place][number] = [_verdict(value) for value in once.values]
            for why, times in once.wrong.items():
                wrong[number][why] = wrong[number].get(why, 0) + times
    for verdicts in by_case:
        verdicts[list(refused)] = ABSTAIN
    return Verdicts(by_case, refused, tuple(wrong))


def opinions(
    operator: Operator, views: Sequence[View], harness: Harness
) -> list[Int[np.ndarray, " candidate"]]:
    """Return an operator's verdicts on views, each asked for once.

    Args:
        operator: one that `judge` does not refuse.
        views: with the runs that its level offers. Answers that are not to be judged get
            `ABSTAIN`.
        harness: where it runs.

    Raises:
        WorkerError: no jail can be started.
    """
    call = Call(operator.source, operator.entry, operator.level)
    return [
        np.array([_verdict(value) for value in said.values], np.int8)
        for (said,) in harness.ask([call], views)
    ]


def measure_atoms(
    names: Sequence[str],
    cases: Sequence[Case],
    harness: Harness,
    atoms: Mapping[str, Atom] = ALL_ATOMS,
) -> list[Float[np.ndarray, "atom candidate"]]:
    """Return the values of atoms of every answer, for each case.

    They come about where and how operators run, from the text that a rendered operator
    carries: a threshold on them is what such an operator does.

    Args:
        names: of `atoms`.
        cases: tasks with their answers.
        harness: where they run.
        atoms: by name.

    Returns:
        In each atom's units; nan where it cannot tell.

    Raises:
        KeyError: there is no atom of that name.
        ValueError: a task has too many perturbed inputs to look at with all peers.
        WorkerError: no jail can be started.
    """
    chosen = [atoms[name] for name in names]
    views = harness.show(cases, max((atom.level for atom in chosen), default=0))
    calls = [Call(atom.source, atom.name, atom.level, True) for atom in chosen]
    return [
        np.array([one.values for one in said], np.float64).reshape(
            len(names), len(view.codes)
        )
        for said, view in zip(harness.ask(calls, views), views, strict=True)
    ]


def _verdict(value: float | None) -> int:
    return ABSTAIN if value is None else int(value)


def _differs(view: View, once: Said, twice: Said) -> str:
    pairs = zip(once.values, twice.values, strict=True)
    place = next(n for n, (a, b) in enumerate(pairs) if a != b)
    words = {None: "ABSTAIN", 0.0: "PASS", 1.0: "FLAG"}
    first, second = words[once.values[place]], words[twice.values[place]]
    return (
        f"its verdicts are not fixed: of answer {place} of {view.entry_point or 'a task'} "
        f"it said {first}, and {second} when asked again with the answers in another order"
    )
