"""Logs of Inspect, read by Inspect's own functions."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .._options import Duplicates, ScoreIs
from .._source import DataError
from .._table import ResponseTable
from ._files import as_names, choose, counted, files_below, shown
from ._runs import NotScored, Run, Wish, check_not_scored, table_of

INSPECT_FILES = r"(.*/)?[^/]+\.(eval|json)"
_GRADES = ("C", "I", "P", "N")
_WORDS = ("yes", "no", "true", "false")


class _Sample(NamedTuple):
    item: str
    place: str
    values: dict[str, Any]
    error: bool


class _Log(NamedTuple):
    name: str
    system: str
    task: str
    samples: list[_Sample]


def read_inspect(
    path: str | Path,
    *,
    metric: str | Sequence[str] | None = None,
    not_scored: NotScored | None = None,
    duplicates: Duplicates = "error",
    score_is: ScoreIs | None = None,
    out_of: float | int = 1,
    missing: float | int | None = None,
    least: int = 2,
) -> ResponseTable:
    """Return the table in logs of Inspect (format 2, inspect-ai 0.3.100 to 0.3.285).

    Needs the package inspect-ai, whose own functions read the files `.eval` and `.json`;
    `pip install "irtjax[inspect]"` brings it. A system is a log's model, an item is
    TASK/SAMPLE, the epochs of a sample are its trials. Grades count as Inspect counts
    them: C and yes are 1, I, no and N (no answer) 0, P (partly) 0.5, and numbers
    themselves.

    Args:
        path: the folder that holds the logs, at any depth, or one of them.
        metric: which scorer's verdict counts; SCORER/KEY where it gives several values.
            Of several, each task takes the first that it has. Needed where a task has
            more than one.
        not_scored: what a sample is that ended in an error, or that the scorer could not
            score: "missing" or "failure". Needed where there are any.
        duplicates: what to do where a model has two logs of a task.
        score_is: whether the scores count success or failure.
        out_of: the score that counts as 1.
        missing: a number that marks a missing result.
        least: fewest systems, and items, that make sense; see `irtjax.data.read_table`.

    Raises:
        DataError: for files that cannot be right or leave something open, or if
            inspect-ai is not installed.
        ValueError: if `not_scored` is not one of its values.
    """
    check_not_scored(not_scored)
    root = Path(path)
    logs = [_read(each, root) for each in files_below(root, INSPECT_FILES)]
    metrics = as_names(metric)
    used = {}
    for task in dict.fromkeys(each.task for each in logs):
        offered = {
            name
            for each in logs
            if each.task == task
            for sample in each.samples
            for name in sample.values
        }
        used[task] = choose(offered, metrics, "metric", f"Task {task!r}")
    runs, lost = [], 0
    for log in logs:
        scores = [_score(log, sample, used[log.task]) for sample in log.samples]
        bad = [k for k, score in enumerate(scores) if score is None]
        lost += len(bad)
        if bad and not_scored is None:
            raise DataError(
                f"{log.name}, {log.samples[bad[0]].place}: the sample has no score "
                f"({counted(len(bad), 'such sample')} in this log): it ended in an error, "
                "or could not be scored. Pass not_scored='missing', or 'failure' to count "
                "it as one."
            )
        if not_scored == "failure":
            worst = out_of if score_is == "failure" else 0
            scores = [worst if score is None else score for score in scores]
        items = [f"{log.task}/{sample.item}" for sample in log.samples]
        places = [sample.place for sample in log.samples]
        runs.append(Run(log.system, log.name, items, scores, places, repeats=True))
    words = "; ".join(f"{task}: {chosen}" for task, chosen in list(used.items())[:5])
    notes = [
        f"Inspect logs, {counted(len(logs), 'file')}; systems are models, items are "
        f"samples of tasks, epochs are trials. Scorer by task: {words}."
    ]
    if lost:
        notes.append(f"{counted(lost, 'sample')} without a score: {not_scored}.")
    return table_of(
        runs, root.name, Wish(duplicates, score_is, out_of, missing, least), notes
    )


def _read(file: Path, root: Path) -> _Log:
    try:
        from inspect_ai.log import (  # pyright: ignore[reportMissingImports]
            read_eval_log,
            read_eval_log_sample_summaries,
        )
    except ImportError:
        raise DataError(
            f"{file.name}: logs of Inspect are read by the package inspect-ai, which is "
            "not installed: pip install 'irtjax[inspect]'."
        ) from None
    name = shown(file, root)
    try:
        header = read_eval_log(str(file), header_only=True)
        summaries = read_eval_log_sample_summaries(str(file))
    except (ValueError, OSError, KeyError, RuntimeError) as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise DataError(f"{name}: not a whole log of Inspect ({first}).") from None
    samples = [
        _Sample(
            str(each.id),
            f"sample {each.id!r}, epoch {each.epoch}",
            _flat({key: score.value for key, score in (each.scores or {}).items()}),
            bool(each.error),
        )
        for each in summaries
    ]
    return _Log(name, header.eval.model, header.eval.task, samples)


def _flat(scores: dict[str, Any]) -> dict[str, Any]:
    """Return SCORER: value, or SCORER/KEY: value where a scorer gives several."""
    found: dict[str, Any] = {}
    for scorer, value in scores.items():
        if isinstance(value, dict):
            found |= {f"{scorer}/{key}": each for key, each in value.items()}
        else:
            found[scorer] = value
    return found


def _score(log: _Log, sample: _Sample, metric: str) -> float | None:
    """Return a sample's score; None if it has none."""
    from inspect_ai.scorer import (  # pyright: ignore[reportMissingImports]
        value_to_float,
    )

    value = sample.values.get(metric)
    if value is None or sample.error:
        return None
    if isinstance(value, float) and math.isnan(value):
        return None
    # Inspect takes what it does not know for 0; here that is no result.
    if isinstance(value, str) and value not in _GRADES:
        known = value.lower() in _WORDS or _is_number(value)
    else:
        known = isinstance(value, str | int | float)
    if not known:
        raise DataError(
            f"{log.name}, {sample.place}: the value {value!r} of {metric!r} is neither a "
            "grade (C, I, P, N) nor a number."
        )
    return value_to_float()(value)


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
