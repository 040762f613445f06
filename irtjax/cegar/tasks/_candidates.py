"""Answers to tasks, read from files of samples; equal texts become one with a count."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...data import DataError
from .._task import Candidate, Case, Task
from ._lines import Line, read_lines


class Pool:
    """Answers by task, gathered one sample at a time, equal texts together."""

    def __init__(self):
        self._tasks: dict[str, dict[str, dict[str, int]]] = {}

    def add(self, task_id: str, text: str, system: str, count: int = 1) -> None:
        """Count samples of one answer.

        Args:
            task_id: of the task.
            text: the answer.
            system: who gave it; "" where that is not known.
            count: how often.
        """
        sources = self._tasks.setdefault(task_id, {}).setdefault(text, {})
        sources[system] = sources.get(system, 0) + count

    def candidates(self) -> dict[str, tuple[Candidate, ...]]:
        """Return the distinct answers of each task, in the order of first samples."""
        return {
            task_id: tuple(
                _candidate(text, sources) for text, sources in answers.items()
            )
            for task_id, answers in self._tasks.items()
        }


def read_samples(
    paths: str | Path | Sequence[str | Path], tasks: Sequence[Task] = ()
) -> dict[str, tuple[Candidate, ...]]:
    """Return the answers in EvalPlus's sample files, one file a system.

    A line is {"task_id": ..., "solution": ...} with a whole program, or, as HumanEval has
    it, {"task_id": ..., "completion": ...} with what follows the prompt (EvalPlus
    v0.3.1). The system is called by the file's name without its endings.

    Args:
        paths: one or more JSON-lines files, plain or .gz.
        tasks: whose prompts completions are put behind.

    Raises:
        DataError: a line cannot be used; the message names file, line and field.
    """
    pool = Pool()
    prompts = {task.task_id: task.prompt for task in tasks}
    for path in [paths] if isinstance(paths, str | Path) else paths:
        system = Path(path).name.removesuffix(".gz").removesuffix(".jsonl")
        for line in read_lines(path):
            task_id = line.text("task_id")
            if "solution" in line.fields:
                pool.add(task_id, line.text("solution"), system)
            elif "completion" not in line.fields:
                raise line.wrong("solution", "neither it nor 'completion' is there")
            elif task_id not in prompts:
                raise line.wrong(
                    "completion",
                    f"task {task_id} is not known, so neither is its prompt",
                )
            else:
                pool.add(task_id, prompts[task_id] + line.text("completion"), system)
    return pool.candidates()


def read_candidates(
    path: str | Path, models: str | Path | None = None
) -> dict[str, tuple[Candidate, ...]]:
    """Return the answers of a file that lists each task's distinct programs.

    A line is {"task_id": ..., "candidates": [{"code": ..., "samples": [[model, k], ...]},
    ...]}: `model` is the number of a model, `k` that of its sample.

    Args:
        path: a JSON-lines file, plain or .gz.
        models: a JSON list of {"name": ...}, the models by number; without it they are
            called "model 3".

    Raises:
        DataError: a line cannot be used; the message names file, line and field.
    """
    names = None if models is None else _names(Path(models))
    found: dict[str, tuple[Candidate, ...]] = {}
    for line in read_lines(path):
        task_id = line.text("task_id")
        if task_id in found:
            raise line.wrong("task_id", f"{task_id} was there before")
        pool = Pool()
        for place, entry in enumerate(line.rows("candidates")):
            where = f"candidates[{place}]"
            for model in _models(line, where, entry):
                pool.add(task_id, entry["code"], _name(line, where, model, names))
        found[task_id] = pool.candidates().get(task_id, ())
    return found


def make_cases(
    tasks: Sequence[Task], candidates: Mapping[str, Sequence[Candidate]]
) -> tuple[Case, ...]:
    """Return tasks with their answers, in the tasks' order.

    A task that nobody answered stays, with no answers: every average counts it.

    Args:
        tasks: what was asked.
        candidates: by task.

    Raises:
        ValueError: there are answers to a task that is not among them.
    """
    strays = set(candidates) - {task.task_id for task in tasks}
    if strays:
        raise ValueError(
            f"{len(strays)} of the answered tasks are not among the tasks given, such as "
            f"{min(strays)}: give their file too, or leave the answers out."
        )
    return tuple(Case(task, tuple(candidates.get(task.task_id, ()))) for task in tasks)


def _candidate(text: str, sources: Mapping[str, int]) -> Candidate:
    named = {system: count for system, count in sources.items() if system}
    return Candidate(text, sum(sources.values()), named)


def _models(line: Line, where: str, entry: Any) -> list[int]:
    """Return the model of each sample of one candidate."""
    if not isinstance(entry, dict) or not isinstance(entry.get("code"), str):
        raise line.wrong(where, "it must be an object with a text 'code'")
    samples = entry.get("samples")
    if not isinstance(samples, list) or not samples:
        raise line.wrong(f"{where}.samples", "it must be a list of [model, k]")
    for sample in samples:
        if not isinstance(sample, list) or not sample or type(sample[0]) is not int:
            raise line.wrong(f"{where}.samples", f"{sample!r:.40} is not [model, k]")
    return [sample[0] for sample in samples]


def _name(line: Line, where: str, model: int, names: list[str] | None) -> str:
    if names is None:
        return f"model {model}"
    if not 0 <= model < len(names):
        raise line.wrong(
            f"{where}.samples",
            f"there is no model {model} among the {len(names)} named",
        )
    return names[model]


def _names(path: Path) -> list[str]:
    try:
        return [entry["name"] for entry in json.loads(path.read_text())]
    except FileNotFoundError:
        raise DataError(f"There is no file {path}.") from None
    except (ValueError, TypeError, KeyError):
        raise DataError(
            f'{path.name} must be a JSON list of {{"name": ...}}.'
        ) from None
