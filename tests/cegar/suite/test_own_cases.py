"""The suite's tasks with programs: labelled by running, decidable, repeatable."""

import pytest

from irtjax.cegar.sandbox import WorkerError, best_sandbox
from irtjax.cegar.suite import OWN_LIMITS, OWN_TASKS, Habits, OwnCases, own_cases
from irtjax.cegar.suite.programming import OwnTask
from irtjax.cegar.tasks import Bench

CHOSEN = (OWN_TASKS[0], OWN_TASKS[20])


@pytest.fixture(scope="module")
def bench():
    try:
        return Bench(best_sandbox(allow_weaker=True), OWN_LIMITS)
    except WorkerError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def made(bench):
    return own_cases(bench, 0, CHOSEN)


def test_each_task_has_enough_wrong_programs_and_right_ones(made):
    assert isinstance(made, OwnCases)
    for case, oracle, labels in zip(made.cases, made.oracles, made.labels, strict=True):
        assert oracle.task_id == case.task.task_id
        assert len(labels) == len(case.candidates)
        assert sum(not label.right for label in labels) >= 20
        assert all(label.visible for label in labels if label.right)
        assert sum(candidate.count for candidate in case.candidates) >= 80
        assert len(case.task.inputs) >= 12
        assert len(oracle.base) + len(oracle.plus) >= 15


def test_nothing_hidden_is_shown(made):
    for case, oracle in zip(made.cases, made.oracles, strict=True):
        assert oracle.reference not in case.task.prompt
        shown = {repr(check.arguments) for check in case.task.checks}
        assert not shown & {repr(arguments) for arguments in oracle.base}


def test_one_task_alone_gives_the_same_case(made, bench):
    alone = own_cases(bench, 0, CHOSEN[1:])
    assert alone.cases == made.cases[1:]
    assert alone.labels == made.labels[1:]


def test_a_wrong_reference_is_refused(bench):
    def double(value: int) -> int:
        """Return twice the value."""
        return value + value

    task = OwnTask(
        double, ("assert double(2) == 5",), ((1,),), lambda r: (r.randint(0, 9),)
    )
    with pytest.raises(ValueError, match="double fails its own checks"):
        own_cases(bench, 0, (task,), Habits(samples=1))
