"""Sample logs of the lm-evaluation-harness."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .._options import Duplicates, ScoreIs
from .._source import DataError
from .._table import ResponseTable
from ._files import as_names, choose, counted, files_below, load_json, shown
from ._runs import Run, Wish, table_of

_NAME = re.compile(
    r"samples_(?P<task>.+?)(_(?P<date>\d{4}-\d\d-\d\dT[\d.:-]+))?\.jsonl"
)
_NOT_METRICS = {
    "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter",
    "metrics", "doc_hash", "prompt_hash", "target_hash",
}  # fmt: skip
LM_EVAL_FILES = r"(.*/)?samples_[^/]+\.jsonl"


class _Sample(NamedTuple):
    line: int
    document: Any
    filter: str
    values: dict[str, Any]
    digest: str | None


class _File(NamedTuple):
    name: str
    task: str
    system: str
    lower_is_better: frozenset[str]
    samples: list[_Sample]


def read_lm_eval(
    path: str | Path,
    *,
    metric: str | Sequence[str] | None = None,
    filter: str | Sequence[str] | None = None,
    duplicates: Duplicates = "error",
    score_is: ScoreIs | None = None,
    out_of: float | int = 1,
    missing: float | int | None = None,
    least: int = 2,
) -> ResponseTable:
    """Return the table in sample logs of the lm-evaluation-harness (0.4.3 to 0.4.13).

    These are the files `samples_TASK_DATE.jsonl` that `--log_samples` writes into a
    folder a model. A system is a model, under the name in `results_DATE.json` beside
    the samples or else that of the folder; an item is TASK/DOC_ID; a result is one
    metric under one filter. A sample without the metric is missing.

    Args:
        path: the folder that holds the models' folders, or one file.
        metric: which to use, such as "acc_norm"; of several, each task takes the first
            that it has. Needed where a task has more than one.
        filter: which filter's answers count, such as "strict-match"; likewise. A task
            with a single filter needs none.
        duplicates: what to do where a model ran a task twice: refuse, keep the first or
            last run by name, add them up as repeated trials, or average them.
        score_is: whether the metric counts success or failure.
        out_of: the score that counts as 1, such as 100.
        missing: a number that marks a missing result, such as -1.
        least: fewest systems, and items, that make sense; see `irtjax.data.read_table`.

    Raises:
        DataError: for files that cannot be right or leave something open; the message
            names file and line. Also where one task and DOC_ID stand for different
            documents in two files, told by their `doc_hash`.
    """
    root = Path(path)
    files = [_read(each, root) for each in files_below(root, LM_EVAL_FILES)]
    files = [each for each in files if each.samples]
    _refuse_other_documents(files)
    tasks = dict.fromkeys(each.task for each in files)
    metrics, filters = as_names(metric), as_names(filter)
    used: dict[str, tuple[str, str]] = {}
    for task in tasks:
        samples = [s for each in files if each.task == task for s in each.samples]
        # A task whose answers nothing filters has nothing to choose.
        offered = {s.filter for s in samples}
        wanted = () if offered == {"none"} else filters
        sieve = choose(offered, wanted, "filter", f"Task {task!r}")
        offered = {m for s in samples if s.filter == sieve for m in s.values}
        chosen = choose(offered, metrics, "metric", f"Task {task!r}")
        used[task] = chosen, sieve
        if score_is is None and any(
            chosen in each.lower_is_better for each in files if each.task == task
        ):
            raise DataError(
                f"Task {task!r}: the harness says that a lower {chosen} is better. Pass "
                "score_is='failure', or another metric=."
            )
    runs = [_run(each, *used[each.task]) for each in files]
    words = "; ".join(
        f"{task}: {chosen}" + ("" if sieve == "none" else f" ({sieve})")
        for task, (chosen, sieve) in list(used.items())[:5]
    )
    more = f" and {len(used) - 5} more" if len(used) > 5 else ""
    note = (
        f"lm-evaluation-harness samples, {counted(len(files), 'file')}; systems are "
        f"models, items are documents of tasks. Metric by task: {words}{more}."
    )
    return table_of(
        runs, root.name, Wish(duplicates, score_is, out_of, missing, least), (note,)
    )


def _run(file: _File, metric: str, sieve: str) -> Run:
    rows = [each for each in file.samples if each.filter == sieve]
    for each in rows:
        value = each.values.get(metric)
        if not isinstance(value, int | float | None):
            raise DataError(
                f"{file.name}, line {each.line}, key {metric!r}: {value!r} is not a "
                "number. Name another metric=."
            )
    return Run(
        file.system,
        file.name,
        [f"{file.task}/{each.document}" for each in rows],
        [each.values.get(metric) for each in rows],
        [f"line {each.line}, key {metric!r}" for each in rows],
        repeats=False,
    )


def _read(file: Path, root: Path) -> _File:
    name = shown(file, root)
    match = _NAME.fullmatch(file.name)
    task = match["task"] if match else file.stem
    about = _about(file, match["date"] if match else None)
    better = about.get("higher_is_better", {}).get(task, {})
    try:
        lines = file.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise DataError(f"{name}: not UTF-8 text.") from None
    samples = [
        _sample(text, f"{name}, line {number}", number)
        for number, text in enumerate(lines, 1)
        if text.strip()
    ]
    system = about.get("model_name") or file.resolve().parent.name
    lower = frozenset(metric for metric, higher in better.items() if higher is False)
    return _File(name, task, str(system), lower, samples)


def _about(file: Path, date: str | None) -> dict[str, Any]:
    """Return the aggregated results that were written beside a file; {} if none."""
    if date is None:
        return {}
    for beside in sorted(file.parent.glob(f"*_{date}.json")):
        found = load_json(beside, beside.name)
        if isinstance(found, dict) and "results" in found:
            return found
    return {}


def _sample(text: str, place: str, number: int) -> _Sample:
    try:
        record = json.loads(text)
    except json.JSONDecodeError as error:
        raise DataError(
            f"{place}: not valid JSON ({error.msg}, character {error.pos + 1})."
        ) from None
    if not isinstance(record, dict) or "doc_id" not in record:
        raise DataError(f"{place}: no sample of the harness, as there is no 'doc_id'.")
    named = record.get("metrics")
    keys = named if isinstance(named, list) else record.keys() - _NOT_METRICS
    return _Sample(
        number,
        record["doc_id"],
        str(record.get("filter", "none")),
        {key: record[key] for key in keys if key in record},
        record.get("doc_hash"),
    )


def _refuse_other_documents(files: list[_File]) -> None:
    """Refuse an item that is not the same question in all files."""
    first: dict[tuple[str, Any], tuple[str, str]] = {}
    for file in files:
        for sample in file.samples:
            if sample.digest is None:
                continue
            here = f"{file.name}, line {sample.line}"
            key = file.task, sample.document
            digest, earlier = first.setdefault(key, (sample.digest, here))
            if digest != sample.digest:
                raise DataError(
                    f"{here}: document {sample.document!r} of task {file.task!r} is not "
                    f"the one of {earlier} (their doc_hash differs), so the results are "
                    "not on the same item. Read runs of one version of the task."
                )
