"""Results of SWE-bench, as submitted to its leaderboard or as its harness reports."""

from pathlib import Path
from typing import Any, NamedTuple

from .._options import Duplicates
from .._source import DataError
from .._table import ResponseTable
from ._files import counted, files_below, load_json, need, shown
from ._runs import NotScored, Run, Wish, check_not_scored, table_of

SWE_BENCH_FILES = r"(.*/)?results/results\.json"
_NO_VERDICT = ("no_generation", "no_logs")
_NO_VERDICT_REPORT = ("empty_patch_ids", "error_ids", "infra_failure_ids")


class _Verdicts(NamedTuple):
    """One system's instances by what happened to them.

    Attributes:
        system: its name.
        file: under the name that messages use.
        solved: resolved instances.
        without: instances that ended without a verdict of the tests, and under which key.
        named: every instance that the file names.
        not_run: instances without a prediction.
        whole: whether an instance that the file does not name was run and not solved.
    """

    system: str
    file: str
    solved: frozenset[str]
    without: dict[str, str]
    named: tuple[str, ...]
    not_run: frozenset[str]
    whole: bool


def read_swe_bench(
    path: str | Path,
    *,
    not_scored: NotScored | None = None,
    duplicates: Duplicates = "error",
    least: int = 2,
) -> ResponseTable:
    """Return the table in SWE-bench results: of its leaderboard, or of its harness.

    Read are submissions to the leaderboard, a system a folder DATE_MODEL with
    `results/results.json` in it; and reports MODEL.RUN.json of
    `swebench.harness.run_evaluation` (schema 2, swebench 2.0.13 to 5.0.2), a system a
    file. An item is an instance. A submission names the instances that it
    resolved, not those that it tried in vain: every instance that any file of the folder
    names and a submission does not counts as tried and not resolved. Instances that
    nobody resolved may be named nowhere; they say nothing about the order.

    Args:
        path: the folder of one split, such as `evaluation/verified`, or a folder of
            reports.
        not_scored: what an instance is that ended without a verdict of the tests:
            no_generation and no_logs of a submission; an empty patch, an error or a likely
            failure of the infrastructure in a report. "failure", as the leaderboard counts
            them, or "missing". Needed where there are any. Instances without a prediction
            (incomplete_ids) were not run and are missing always.
        duplicates: what to do where two files are about the same system.
        least: fewest systems, and items, that make sense; see `irtjax.data.read_table`.

    Raises:
        DataError: for files that cannot be right or leave something open.
        ValueError: if `not_scored` is not one of its values.
    """
    check_not_scored(not_scored)
    root = Path(path)
    files = files_below(root, SWE_BENCH_FILES) if _has_submissions(root) else []
    _refuse_mixed_splits(files, root)
    found = [_submission(file, root) for file in files] or _reports(root)
    lost = [(each, name) for each in found for name in each.without]
    if lost and not_scored is None:
        each, name = lost[0]
        raise DataError(
            f"{each.file}, key {each.without[name]!r}: {name} ended without a verdict "
            f"({len(lost):,} such results of {len({e.file for e, _ in lost}):,} systems). "
            "Pass not_scored='failure' to count them as not resolved, as the leaderboard "
            "does, or not_scored='missing'."
        )
    instances = dict.fromkeys(name for each in found for name in sorted(each.named))
    runs = [_run(each, instances, not_scored == "failure") for each in found]
    notes = [
        f"SWE-bench results, {counted(len(found), 'file')}; an item is one of the "
        f"{len(instances):,} instances that the files name. What no file names, such as "
        "an instance that nobody resolved, is not in the table."
    ]
    if lost:
        notes.append(
            f"{counted(len(lost), 'result')} without a verdict of the tests: {not_scored}."
        )
    return table_of(runs, root.name, Wish(duplicates, least=least), notes)


def _run(each: _Verdicts, instances: dict[str, None], as_failure: bool) -> Run:
    items = [
        name
        for name in (instances if each.whole else each.named)
        if name not in each.not_run
    ]
    return Run(
        each.system,
        each.file,
        items,
        [
            None if name in each.without and not as_failure else name in each.solved
            for name in items
        ],
        [f"instance {name!r}" for name in items],
        repeats=False,
    )


def _has_submissions(root: Path) -> bool:
    return root.is_dir() and any(root.glob("**/results/results.json"))


def _submission(file: Path, root: Path) -> _Verdicts:
    name = shown(file, root)
    record = load_json(file, name)
    solved = _ids(record, "resolved", name)
    lists = {
        key: _ids(record, key, name)
        for key, value in record.items()
        if isinstance(value, list)
    }
    without = {
        each: key
        for key in _NO_VERDICT
        for each in lists.get(key, ())
        if each not in solved
    }
    named = tuple(dict.fromkeys(each for ids in lists.values() for each in ids))
    return _Verdicts(
        file.resolve().parent.parent.name,
        name,
        frozenset(solved),
        without,
        named,
        frozenset(),
        True,
    )


def _reports(root: Path) -> list[_Verdicts]:
    found = []
    for file in files_below(root, r"(.*/)?[^/]+\.json"):
        name = shown(file, root)
        record = load_json(file, name)
        if isinstance(record, dict) and "resolved_ids" in record:
            found.append(_report(file.stem, record, name))
        elif file == root:
            need(record, "resolved_ids", list, name)
    if not found:
        raise DataError(f"{root}: no report of the harness is in the folder.")
    return found


def _report(system: str, record: dict[str, Any], name: str) -> _Verdicts:
    solved = frozenset(_ids(record, "resolved_ids", name))
    keys = ("unresolved_ids", *_NO_VERDICT_REPORT)
    lists = {key: _ids(record, key, name) for key in keys if key in record}
    without = {
        each: key
        for key in _NO_VERDICT_REPORT
        for each in lists.get(key, ())
        if each not in solved
    }
    named = dict.fromkeys((*solved, *(each for ids in lists.values() for each in ids)))
    not_run = frozenset(
        _ids(record, "incomplete_ids", name) if "incomplete_ids" in record else ()
    )
    return _Verdicts(system, name, solved, without, tuple(named), not_run, False)


def _ids(record: Any, key: str, name: str) -> list[str]:
    ids = need(record, key, list, name)
    for each in ids:
        if not isinstance(each, str):
            raise DataError(f"{name}, key {key!r}: {each!r} is not an instance's name.")
    return ids


def _refuse_mixed_splits(files: list[Path], root: Path) -> None:
    splits = sorted({file.resolve().parents[2].name for file in files})
    if len(splits) > 1:
        raise DataError(
            f"{root}: the folder holds several splits ({', '.join(splits)}), whose "
            "systems were not run on the same instances. Name the folder of one."
        )
