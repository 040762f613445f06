"""One door to all formats of results, and how a format is told."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from .._options import Duplicates, ScoreIs
from .._source import DataError
from .._table import ResponseTable
from ._evalplus import EVALPLUS_FILES, read_evalplus
from ._files import files_below
from ._helm import HELM_FILES, read_helm
from ._inspect import read_inspect
from ._lm_eval import LM_EVAL_FILES, read_lm_eval
from ._runs import NotScored
from ._swe_bench import SWE_BENCH_FILES, read_swe_bench

Format = Literal["lm_eval", "inspect", "helm", "swe_bench", "evalplus"]
_READERS: dict[str, Callable[..., ResponseTable]] = {
    "lm_eval": read_lm_eval,
    "inspect": read_inspect,
    "helm": read_helm,
    "swe_bench": read_swe_bench,
    "evalplus": read_evalplus,
}
# By which choices beside `duplicates` each format is read.
_TAKES = {
    "lm_eval": ("metric", "filter", "score_is", "out_of", "missing"),
    "inspect": ("metric", "not_scored", "score_is", "out_of", "missing"),
    "helm": ("metric", "split", "score_is", "out_of", "missing"),
    "swe_bench": ("not_scored",),
    "evalplus": ("metric",),
}
# Files whose names give them away, the surest first.
_BY_NAME: tuple[tuple[Format, str], ...] = (
    ("helm", HELM_FILES),
    ("lm_eval", LM_EVAL_FILES),
    ("inspect", r"(.*/)?[^/]+\.eval"),
    ("evalplus", EVALPLUS_FILES),
    ("swe_bench", SWE_BENCH_FILES),
)
_LOOKED_INTO = 20  # files of a folder whose names say nothing


def read_results(
    path: str | Path,
    format: Format | None = None,
    *,
    metric: str | Sequence[str] | None = None,
    filter: str | Sequence[str] | None = None,
    split: str | Sequence[str] | None = None,
    not_scored: NotScored | None = None,
    duplicates: Duplicates = "error",
    score_is: ScoreIs | None = None,
    out_of: float | int = 1,
    missing: float | int | None = None,
    least: int = 2,
) -> ResponseTable:
    """Return the table in the results of an evaluation tool: a file, or a folder of them.

    Args:
        path: as `read_lm_eval`, `read_inspect`, `read_helm`, `read_swe_bench` or
            `read_evalplus` take it.
        format: which of these it is; None = told by `detect_format`.
        metric: which number is the score; not for SWE-bench.
        filter: which answers count; the lm-evaluation-harness alone.
        split: which instances count; HELM alone.
        not_scored: what a result without a verdict is; Inspect and SWE-bench.
        duplicates: what to do where a system has an item in several runs.
        score_is: whether the metric counts success or failure; not for SWE-bench and
            EvalPlus, which say.
        out_of: the score that counts as 1; likewise.
        missing: a number that marks a missing result; likewise.
        least: fewest systems, and items, that make sense; see `irtjax.data.read_table`.

    Raises:
        DataError: as the format's own reader.
        ValueError: for an unknown format, or a choice that the format does not have.
    """
    if format is not None and format not in _READERS:
        raise ValueError(
            f"`format` must be one of {', '.join(_READERS)}, got {format!r}."
        )
    found = format or detect_format(path)
    if found is None:
        raise DataError(
            f"{path}: this is a table, not the results of an evaluation tool. Read it "
            f"with read_table, or pass format= with one of {', '.join(_READERS)}."
        )
    said: dict[str, Any] = {
        "metric": metric,
        "filter": filter,
        "split": split,
        "not_scored": not_scored,
        "score_is": score_is,
        "out_of": None if out_of == 1 else out_of,
        "missing": missing,
    }
    given = {name: value for name, value in said.items() if value is not None}
    for name in given:
        if name not in _TAKES[found]:
            takes = ", ".join(_TAKES[found])
            raise ValueError(
                f"{path}: {name}= means nothing for results of the format {found}, "
                f"which takes {takes}."
            )
    return _READERS[found](path, duplicates=duplicates, least=least, **given)


def detect_format(path: str | Path) -> Format | None:
    """Return the format of a file or folder of results; None for a file of a table.

    Told by names where they give it away, such as `per_instance_stats.json`, else by what
    JSON files hold. A file that is no known result of an evaluation tool is taken for a
    table.

    Raises:
        DataError: if there is no such file or folder, or a folder holds results of no
            known tool or of several.
    """
    path = Path(path)
    if path.is_file():
        return _by_name(path.name) or _by_content(path)
    files = files_below(path, r"(.*/)?[^/]+\.(json|jsonl|eval)")
    names = [file.relative_to(path).as_posix() for file in files]
    formats = _different(map(_by_name, names)) or _different(
        map(_by_content, files[:_LOOKED_INTO])
    )
    if len(formats) == 1:
        return formats[0]
    if not formats:
        raise DataError(
            f"{path}: no results of a known tool are in this folder. Name one file in it, "
            f"or say what it holds with format=, one of {', '.join(get_args(Format))}."
        )
    listed = ", ".join(sorted(formats))
    raise DataError(
        f"{path}: the folder holds results of several tools ({listed}). Say which to read "
        "with format=."
    )


def _different(formats: Iterable[Format | None]) -> list[Format]:
    return list(dict.fromkeys(each for each in formats if each is not None))


def _by_name(name: str) -> Format | None:
    for format_, pattern in _BY_NAME:
        if re.fullmatch(pattern, name):
            return format_
    return None


def _by_content(file: Path) -> Format | None:
    """Return the format of a JSON file, by the keys that it has."""
    if file.suffix == ".jsonl":
        return _by_first_line(file)
    if file.suffix != ".json":
        return None
    try:
        found = json.loads(file.read_bytes())
    except ValueError:
        return None
    if isinstance(found, list):
        first = found[0] if found else None
        per_instance = isinstance(first, dict) and {"instance_id", "stats"} <= set(
            first
        )
        return "helm" if per_instance else None
    keys = set(found) if isinstance(found, dict) else set()
    if "resolved_ids" in keys or {"resolved", "no_generation"} <= keys:
        return "swe_bench"
    if {"eval", "hash"} <= keys:
        return "evalplus"
    return "inspect" if {"version", "status", "eval"} <= keys else None


def _by_first_line(file: Path) -> Format | None:
    with open(file, "rb") as stream:
        first = stream.readline()
    try:
        found = json.loads(first)
    except ValueError:
        return None
    keys = set(found) if isinstance(found, dict) else set()
    return "lm_eval" if {"doc_id", "filtered_resps"} <= keys else None
