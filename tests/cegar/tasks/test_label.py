"""Programs labelled by running them, in the order that a task's checks have."""

from dataclasses import replace

import pytest

from irtjax.cegar import Candidate, Label
from irtjax.cegar.sandbox import ExecutionCache, Limits, best_sandbox
from irtjax.cegar.tasks import (
    Bench,
    Verdict,
    label_cases,
    make_cases,
    read_evalplus,
    sound_checks,
)

from .written import EXPECTED, HUMANEVAL, MBPP, PROGRAMS, lines

LIMITS = Limits(cpu_seconds=0.3, failures=1)


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory):
    path = tmp_path_factory.mktemp("tasks") / "tasks.jsonl"
    return read_evalplus(lines(path, [MBPP, HUMANEVAL]))


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    path = tmp_path_factory.mktemp("cache") / "executions.sqlite"
    with ExecutionCache(path) as cache:
        yield Bench(best_sandbox(), LIMITS, cache)


@pytest.fixture(scope="module")
def tasks(benchmark, bench):
    return sound_checks(benchmark.tasks, benchmark.oracles, bench)


@pytest.fixture(scope="module")
def cases(tasks):
    programs = {
        name: tuple(map(Candidate, dict.fromkeys(texts)))
        for name, texts in PROGRAMS.items()
    }
    return make_cases(tasks, programs)


def test_a_wrong_example_is_dropped(benchmark, tasks):
    assert [check.text for check in tasks[1].checks] == ["assert half(3) == 1.5"]
    assert tasks[0] == benchmark.tasks[0]


def test_every_program_gets_its_label(cases, benchmark, bench):
    heard = []
    found = label_cases(
        cases, benchmark.oracles, bench, lambda done, all: heard.append((done, all))
    )
    assert heard == [(2, 2)]
    for case, row in zip(cases, found, strict=True):
        expected = [Verdict(*each) for each in EXPECTED[case.task.task_id]]
        assert list(row) == expected
        assert [each.label for each in row] == [
            Label(each.visible, bool(each.plus)) for each in expected
        ]


def test_labels_do_not_depend_on_cache_or_order(cases, benchmark, bench):
    found = label_cases(cases, benchmark.oracles, bench)
    fresh = Bench(bench.sandbox, LIMITS, None, workers=1)
    again = label_cases(cases[::-1], benchmark.oracles[::-1], fresh)
    assert again[::-1] == found


def test_a_task_with_nothing_to_fail(benchmark, bench, cases):
    """No visible checks: all pass them. No programs: no labels."""
    bare = make_cases(
        [type(task)(task.task_id, task.prompt, task.entry_point) for task in
         (cases[0].task, cases[1].task)],
        {cases[1].task.task_id: cases[1].candidates},
    )  # fmt: skip
    found = label_cases(bare, benchmark.oracles, bench)
    assert found[0] == ()
    assert [each.visible for each in found[1]] == [True] * 4
    assert [each.base for each in found[1]] == [True, True, True, False]
    assert [each.plus for each in found[1]] == [True, True, False, None]


def test_tasks_and_oracles_must_be_in_one_order(cases, benchmark, bench):
    with pytest.raises(ValueError, match="The oracle of HumanEval/9001 stands beside"):
        label_cases(cases, benchmark.oracles[::-1], bench)
    with pytest.raises(ValueError, match="2 tasks but 1 oracles"):
        label_cases(cases, benchmark.oracles[:1], bench)


def test_an_input_without_a_reference_is_left_out(benchmark, bench, cases):
    """The second base input makes the reference raise, so only the first one counts."""
    half = replace(benchmark.oracles[1], base=((3,), ("x",)), plus=())
    (found,) = label_cases(cases[1:], [half], bench)
    assert [each.base for each in found] == [True, None, True, True]
    nowhere = replace(half, base=(("x",),))
    with pytest.raises(
        ValueError, match="HumanEval/9001 returns on none of its 1 inputs"
    ):
        label_cases(cases[1:], [nowhere], bench)
