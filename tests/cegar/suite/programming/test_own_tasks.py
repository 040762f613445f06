"""The suite's own tasks: right by their own checks, total, of real size."""

import ast
import copy

import pytest

from irtjax.cegar.suite import OWN_TASKS, OwnTask


def _solved(task, text):
    """The function that a program defines; the suite's own programs are trusted."""
    names = {}
    exec(compile(text, task.name, "exec"), names)
    return names[task.name]


def test_there_are_many_distinct_tasks():
    assert len(OWN_TASKS) >= 40
    assert len({task.name for task in OWN_TASKS}) == len(OWN_TASKS)
    assert len({task.prompt for task in OWN_TASKS}) == len(OWN_TASKS)


@pytest.mark.parametrize("task", OWN_TASKS, ids=lambda task: task.name)
def test_a_reference_passes_its_visible_checks_and_takes_its_hidden_inputs(task):
    assert isinstance(task, OwnTask)
    function = _solved(task, task.source)
    assert 1 <= len(task.checks) <= 2
    for check in task.visible:
        exec(check.text, {task.name: function})
        assert check.arguments is not None
    hidden = task.hidden()
    assert len({repr(arguments) for arguments in hidden}) >= 15
    outputs = {repr(function(*copy.deepcopy(arguments))) for arguments in hidden}
    assert len(outputs) >= (2 if "-> bool" in task.source else 3)


@pytest.mark.parametrize("task", OWN_TASKS, ids=lambda task: task.name)
def test_prompt_and_source_part_a_function_in_two(task):
    prompt, source = ast.parse(task.prompt).body[0], ast.parse(task.source).body[0]
    assert isinstance(prompt, ast.FunctionDef)
    assert isinstance(source, ast.FunctionDef)
    assert ast.get_docstring(prompt)
    assert ast.get_docstring(source) is None
    assert prompt.name == source.name == task.name
    assert ast.unparse(prompt.args) == ast.unparse(source.args)
    assert 5 <= len(task.source.splitlines()) <= 30


def test_hidden_inputs_do_not_change_between_calls():
    task = OWN_TASKS[3]
    assert task.hidden() == task.hidden()
    assert task.hidden(drawn=0) == task.edges
    assert len(task.hidden(drawn=5)) == len(task.edges) + 5
