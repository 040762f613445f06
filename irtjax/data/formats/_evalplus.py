"""Results of EvalPlus."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .._options import Duplicates
from .._source import DataError
from .._table import ResponseTable
from ._files import as_names, choose, counted, files_below, load_json, need, shown
from ._runs import Run, Wish, table_of

EVALPLUS_FILES = r"(.*/)?([^/]*_)?eval_results\.json"
_PASSED = ("pass", "success")
_FAILED = ("fail", "failed", "timeout", "timed out")


def read_evalplus(
    path: str | Path,
    *,
    metric: str | Sequence[str] | None = None,
    duplicates: Duplicates = "error",
    least: int = 2,
) -> ResponseTable:
    """Return the table in results of EvalPlus (0.2 to 0.3.1).

    These are the files `SAMPLES_eval_results.json` that `evalplus.evaluate` writes. A
    system is a file, under SAMPLES or, where that is empty, the name of its folder; an
    item is a task such as HumanEval/0; the samples of a task are its trials. A timeout is
    a failure; a sample without a status is missing.

    Args:
        path: the folder that holds the files, at any depth, or one of them.
        metric: "base" for the original tests, or "plus" for the original and the extra
            ones. Needed where both were run.
        duplicates: what to do where two files of one name hold the same task.
        least: fewest systems, and items, that make sense; see `irtjax.data.read_table`.

    Raises:
        DataError: for files that cannot be right or leave something open; the message
            names file and task.
    """
    root = Path(path)
    files = files_below(root, EVALPLUS_FILES)
    names = [shown(file, root) for file in files]
    content = [load_json(file, name) for file, name in zip(files, names, strict=True)]
    tasks = [
        {
            task: _samples(samples, f"{name}, key {task!r}")
            for task, samples in need(record, "eval", dict, name).items()
        }
        for record, name in zip(content, names, strict=True)
    ]
    offered = {
        test
        for each in tasks
        for samples in each.values()
        for sample in samples
        for test, passed in sample.items()
        if passed is not None
    }
    chosen = choose(offered, as_names(metric), "metric", root.name)
    runs = [
        _run(file, name, each, chosen)
        for file, name, each in zip(files, names, tasks, strict=True)
    ]
    versions = {
        (str(task).split("/")[0], str(record.get("hash")))
        for record, each in zip(content, tasks, strict=True)
        for task in each
        if record.get("hash")
    }
    notes = [
        f"EvalPlus results, {counted(len(files), 'file')}; a system is a file, an item a "
        f"task, and a trial a sample that passes the {chosen} tests."
    ]
    if len(versions) > len({data for data, _ in versions}):
        notes.append(
            "The files were judged by different versions of the tests (their `hash` "
            "differs)."
        )
    return table_of(runs, root.name, Wish(duplicates, least=least), notes)


def _run(
    file: Path, name: str, tasks: dict[str, list[dict[str, bool | None]]], test: str
) -> Run:
    stem = file.name.removesuffix("eval_results.json").removesuffix("_")
    system = stem or file.resolve().parent.name
    rows = [(task, k) for task, samples in tasks.items() for k in range(len(samples))]
    return Run(
        system,
        name,
        [task for task, _ in rows],
        [tasks[task][k].get(test) for task, k in rows],
        [f"key {task!r}, sample {k + 1}" for task, k in rows],
        repeats=True,
    )


def _samples(samples: Any, place: str) -> list[dict[str, bool | None]]:
    """Return which tests each sample of a task passed; None where there is no status."""
    if isinstance(
        samples, dict
    ):  # as of 0.2.0: a list of [status, details] for each kind
        base = [each[0] for each in samples.get("base") or []]
        plus = [each[0] for each in samples.get("plus") or []]
        plus += [None] * (len(base) - len(plus))
        samples = [
            {"base_status": one, "plus_status": other}
            for one, other in zip(base, plus, strict=True)
        ]
    if not isinstance(samples, list) or not all(isinstance(s, dict) for s in samples):
        raise DataError(f"{place}: a task must hold a list of samples.")
    found = []
    for k, sample in enumerate(samples):
        here = f"{place}, sample {k + 1}"
        base = _passed(sample.get("base_status"), here)
        plus = _passed(sample.get("plus_status"), here)
        # As EvalPlus counts: the extra tests alone do not make a pass.
        both = None if base is None or plus is None else base and plus
        found.append({"base": base, "plus": both})
    return found


def _passed(status: Any, place: str) -> bool | None:
    if status in (None, ""):
        return None
    if status in _PASSED or status in _FAILED:
        return status in _PASSED
    raise DataError(
        f"{place}: the status {status!r} is none of {', '.join(_PASSED + _FAILED)}."
    )
