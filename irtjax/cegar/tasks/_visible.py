"""Which programs meet the visible checks of their task: no label is needed for that."""

from collections.abc import Sequence

from .._task import Case
from ._bench import Bench
from ._checks import check_inputs, checks_met


def visible_met(cases: Sequence[Case], bench: Bench) -> tuple[tuple[bool, ...], ...]:
    """Return for each case whether each candidate meets the visible checks.

    Answers in words have nothing to run: all of them do. So do all programs of a task
    without visible checks.

    Args:
        cases: tasks with their answers.
        bench: where programs run.
    """
    inputs = [check_inputs(case.task.checks, case.task.entry_point) for case in cases]
    jobs = [
        (candidate.text, case.task.entry_point, arguments)
        for case, arguments in zip(cases, inputs, strict=True)
        for candidate in case.candidates
        if case.task.checks and case.task.entry_point
    ]
    seen = iter(bench.run(jobs))
    return tuple(
        tuple(
            all(checks_met(case.task.checks, case.task.entry_point, next(seen)))
            if case.task.checks and case.task.entry_point
            else True
            for _ in case.candidates
        )
        for case in cases
    )
