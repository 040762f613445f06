"""Rewrites leave what a program does alone."""

import copy
import random

import pytest

from irtjax.cegar.suite import OWN_TASKS, restyle


def _outputs(task, text):
    """What a trusted program returns on the hidden inputs of its task."""
    names = {}
    exec(compile(text, task.name, "exec"), names)
    inputs = copy.deepcopy(task.hidden())
    return [repr(names[task.name](*arguments)) for arguments in inputs]


@pytest.mark.parametrize("task", OWN_TASKS, ids=lambda task: task.name)
def test_a_restyled_reference_behaves_as_before(task):
    draw = random.Random(task.name)
    wanted = _outputs(task, task.source)
    for _ in range(4):
        assert _outputs(task, restyle(task.source, draw)) == wanted


def test_styles_differ_and_repeat_with_the_seed():
    source = OWN_TASKS[1].source
    texts = [restyle(source, random.Random(seed)) for seed in range(12)]
    assert len(set(texts)) >= 9
    assert texts == [restyle(source, random.Random(seed)) for seed in range(12)]


def test_forms_are_those_written_here():
    source = "def f(a, b):\n    return [x for x in a if x < b]\n"
    texts = [restyle(source, random.Random(seed)) for seed in range(40)]
    assert any("while" not in text and ".append(" in text for text in texts)
    assert any(" > x" in text or "> " in text for text in texts)
    assert any("_solve" in text for text in texts)
