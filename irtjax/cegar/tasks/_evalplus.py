"""EvalPlus's published tasks: MBPP+ v0.2.0 and HumanEval+ v0.1.10."""

import ast
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from ...data import DataError
from .._task import Check, Task
from ._checks import make_check
from ._conversion import Conversion, conversion
from ._docstring import docstring_checks
from ._expressions import NotReadableError
from ._lines import Line, read_lines
from ._oracle import Oracle
from ._perturb import NUMBER, perturb
from ._special import SPECIAL


class Benchmark(NamedTuple):
    """Programming tasks in two halves that hold no reference to each other.

    Attributes:
        tasks: what may be shown to operators.
        oracles: for each task what judges its programs.
        converted: tasks whose stored inputs were turned into something that JSON does
            not have, and into what, in words, argument by argument.
    """

    tasks: tuple[Task, ...]
    oracles: tuple[Oracle, ...]
    converted: Mapping[str, str]


def read_evalplus(path: str | Path) -> Benchmark:
    """Return the tasks of a file in EvalPlus's format.

    A line has task_id, prompt, entry_point, canonical_solution (what follows the prompt),
    base_input and plus_input (lists of argument lists, or such a list as JSON text), atol,
    contract, and in MBPP+ assertion, from which the types of stored inputs are read off.
    Formats: MBPP+ v0.2.0, HumanEval+ v0.1.10 and its Mini version.

    Visible checks are the assertions in the prompt, and where it has none the examples in
    its docstring. Some published examples contradict the reference: see `sound_checks`.

    Args:
        path: a JSON-lines file, plain or .gz.

    Raises:
        DataError: a line cannot be used; the message names file, line and field.
    """
    tasks: dict[str, Task] = {}
    oracles, converted = [], {}
    for line in read_lines(path):
        task = _task(line)
        if task.task_id in tasks:
            raise line.wrong("task_id", f"{task.task_id} was there before")
        tasks[task.task_id] = task
        base, plus = _inputs(line, "base_input"), _inputs(line, "plus_input")
        convert = _conversion(line, task, [*base, *plus])
        if convert.describe():
            converted[task.task_id] = convert.describe()
        oracles.append(
            Oracle(
                task.task_id,
                task.entry_point,
                task.prompt + line.text("canonical_solution"),
                tuple(map(convert, base)),
                tuple(map(convert, plus)),
                atol=_tolerance(line),
                **SPECIAL.get(task.task_id, {}),
            )
        )
    if not tasks:
        raise DataError(f"{Path(path).name} holds no task.")
    return Benchmark(tuple(tasks.values()), tuple(oracles), converted)


def read_tasks(path: str | Path) -> tuple[Task, ...]:
    """Return the visible half of the tasks of a file in EvalPlus's format.

    Nothing else of the file is looked at: a line needs task_id, prompt and entry_point.

    Args:
        path: a JSON-lines file, plain or .gz.

    Raises:
        DataError: a line cannot be used; the message names file, line and field.
    """
    tasks: dict[str, Task] = {}
    for line in read_lines(path):
        task = _task(line)
        if task.task_id in tasks:
            raise line.wrong("task_id", f"{task.task_id} was there before")
        tasks[task.task_id] = task
    if not tasks:
        raise DataError(f"{Path(path).name} holds no task.")
    return tuple(tasks.values())


def with_inputs(
    tasks: tuple[Task, ...], number: int = NUMBER, seed: int = 0
) -> tuple[Task, ...]:
    """Return tasks with perturbed inputs, made from their visible checks alone.

    Args:
        tasks: of programs.
        number: of inputs a task.
        seed: of the perturbations; with a task's name it decides that task's.
    """
    return tuple(
        replace(task, inputs=perturb(task.checks, number, seed, task.task_id))
        for task in tasks
    )


def _task(line: Line) -> Task:
    prompt, entry_point = line.text("prompt"), line.text("entry_point")
    if not entry_point.isidentifier():
        raise line.wrong("entry_point", f"{entry_point!r:.60} is not a function's name")
    return Task(
        line.text("task_id"), prompt, entry_point, _checks(line, prompt, entry_point)
    )


def _checks(line: Line, prompt: str, entry_point: str) -> tuple[Check, ...]:
    texts = [text for text in map(str.strip, prompt.splitlines()) if _asserts(text)]
    try:
        return tuple(
            make_check(text, entry_point)
            for text in texts or docstring_checks(prompt, entry_point)
        )
    except NotReadableError as error:
        raise line.wrong("prompt", f"its visible check {error}") from None


def _asserts(text: str) -> bool:
    """Return whether a line is an assertion, and not an example that begins like one."""
    try:
        return isinstance(ast.parse(text).body[0], ast.Assert)
    except (SyntaxError, ValueError, IndexError):
        return False


def _inputs(line: Line, field: str) -> list[list[Any]]:
    value = line.fields.get(field)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except json.JSONDecodeError as error:
            raise line.wrong(field, f"its text is not JSON: {error}") from None
    # MBPP+ v0.2.0 writes {} where a task has no further inputs (Mbpp/793).
    if value == {} and field == "plus_input":
        return []
    if not isinstance(value, list):
        raise line.wrong(
            field, f"it must be a list of argument lists, got {value!r:.60}"
        )
    for place, each in enumerate(value):
        if not isinstance(each, list):
            raise line.wrong(
                f"{field}[{place}]", f"it must be a list of arguments, got {each!r:.60}"
            )
    return value


def _conversion(line: Line, task: Task, stored: list[list[Any]]) -> Conversion:
    assertion, contract = (
        line.text(field) if field in line.fields else ""
        for field in ("assertion", "contract")
    )
    texts = filter(_asserts, map(str.strip, assertion.splitlines()))
    return conversion(task.task_id, task.entry_point, texts, stored, contract)


def _tolerance(line: Line) -> float:
    value = line.fields.get("atol", 0)
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise line.wrong("atol", f"it must be a number from 0 up, got {value!r:.60}")
    return float(value)
