"""Published tasks with real programs: where they lie, and how they are loaded."""

import ast
import os
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from irtjax.cegar import Case, Task
from irtjax.cegar.tasks import (
    Bench,
    Oracle,
    make_cases,
    read_candidates,
    read_evalplus,
    sound_checks,
    with_inputs,
)

FILES = {
    "mbpp_plus": ("MbppPlus.jsonl.gz", "candidates_mbpp.jsonl.gz"),
    "humaneval_plus": ("HumanEvalPlus.jsonl.gz", "candidates_humaneval.jsonl.gz"),
    "humaneval_plus_mini": (
        "HumanEvalPlus-Mini.jsonl.gz",
        "candidates_humaneval.jsonl.gz",
    ),
}
"""For each set of tasks the files of tasks and of programs."""

LABELS = {
    "mbpp_plus": "labels_mbpp.jsonl.gz",
    "humaneval_plus": "labels_humaneval.jsonl.gz",
}
"""Labels computed by others, to compare ours with."""


class Programs(NamedTuple):
    """Tasks with programs, and apart from them what judges those.

    Attributes:
        cases: tasks that have programs, with perturbed inputs.
        oracles: for each case its own.
    """

    cases: tuple[Case, ...]
    oracles: tuple[Oracle, ...]


def programs_folder(path: str | Path | None = None) -> Path:
    """Return the folder of published programs.

    Args:
        path: the folder; by default `data/programs` below `$IRTJAX_SHARED`.

    Raises:
        FileNotFoundError: it is not there, or nothing says where it is.
    """
    shared = os.environ.get("IRTJAX_SHARED")
    if path is None and shared is None:
        raise FileNotFoundError("Set IRTJAX_SHARED, or give the folder of programs.")
    folder = Path(path) if path is not None else Path(shared or "", "data", "programs")
    if not folder.is_dir():
        raise FileNotFoundError(f"There is no folder {folder}.")
    return folder


def load_programs(
    name: str, bench: Bench, path: str | Path | None = None, limit: int | None = None
) -> Programs:
    """Return the tasks of one set that have programs.

    Visible checks that the reference does not meet are dropped (it runs for that), and
    the perturbed inputs are made from those that stay.

    Args:
        name: of `FILES`.
        bench: where references run.
        path: the folder; by default `data/programs` below `$IRTJAX_SHARED`.
        limit: use that many tasks, spread evenly; by default all.
    """
    folder = programs_folder(path)
    tasks_file, candidates_file = FILES[name]
    benchmark = read_evalplus(folder / tasks_file)
    candidates = read_candidates(folder / candidates_file, folder / "models.json")
    chosen: list[tuple[Task, Oracle]] = [
        pair
        for pair in zip(benchmark.tasks, benchmark.oracles, strict=True)
        if pair[0].task_id in candidates
    ]
    if limit is not None and limit < len(chosen):
        chosen = [chosen[place * len(chosen) // limit] for place in range(limit)]
    oracles = tuple(oracle for _, oracle in chosen)
    tasks = with_inputs(sound_checks([task for task, _ in chosen], oracles, bench))
    named = {
        task.task_id: tuple(
            replace(each, text=with_math(each.text))
            for each in candidates[task.task_id]
        )
        for task in tasks
    }
    return Programs(make_cases(tasks, named), oracles)


def with_math(text: str) -> str:
    """Return a program with `import math` before it if it uses `math` without.

    The published labels count such programs as right (about 50 do so): the assertions of
    MBPP import it into the module that they share with the program.

    Args:
        text: of the program.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return text
    used = any(
        isinstance(node, ast.Name) and node.id == "math" for node in ast.walk(tree)
    )
    bound = any(
        alias.name == "math" and alias.asname is None
        for node in tree.body
        if isinstance(node, ast.Import)
        for alias in node.names
    )
    return "import math  # as the tests do\n" + text if used and not bound else text
