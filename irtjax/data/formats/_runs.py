"""What the readers of results find, one run after another, and the table it makes."""

import dataclasses
from collections.abc import Callable, Hashable, Sequence
from typing import Literal, NamedTuple, NoReturn, get_args

import numpy as np
from jaxtyping import Bool, Float, Int

from .._columns import Identifiers
from .._observations import Observations
from .._options import Duplicates, Options, ScoreIs
from .._resolve import resolve
from .._source import DataError
from .._table import ResponseTable

NotScored = Literal["missing", "failure"]


class Run(NamedTuple):
    """One system's results as one file holds them.

    Attributes:
        system: its name.
        file: under the name that messages use.
        items: one a result.
        scores: one a result; None where there is none.
        places: one a result: its line or key in the file.
        repeats: whether several results on one item are trials of it; otherwise they
            are duplicates.
    """

    system: Hashable
    file: str
    items: Sequence[Hashable]
    scores: Sequence[float | int | bool | None]
    places: Sequence[str]
    repeats: bool


@dataclasses.dataclass(frozen=True)
class Wish:
    """What a caller said that holds for every format; see `read_results`."""

    duplicates: Duplicates = "error"
    score_is: ScoreIs | None = None
    out_of: float | int = 1
    missing: float | int | None = None
    least: int = 2


def check_not_scored(given: NotScored | None) -> None:
    """Raise a `ValueError` unless it is None or one of its values."""
    if given is not None and given not in get_args(NotScored):
        raise ValueError(f"`not_scored` must be 'missing' or 'failure', got {given!r}.")


def table_of(
    runs: Sequence[Run], source: str, wish: Wish, notes: Sequence[str]
) -> ResponseTable:
    """Return the one table that several runs make up.

    Args:
        runs: in the order in which duplicates count as first and last.
        source: what was read, for messages.
        wish: the caller's.
        notes: on what the files were taken to mean.

    Raises:
        DataError: if a system has an item twice and `wish.duplicates` is "error", a score
            is impossible, or there are fewer systems or items than `wish.least`.
    """
    options = Options(
        duplicates="mean" if wish.duplicates == "mean" else "sum",
        score_is=wish.score_is,
        out_of=wish.out_of,
        least=wish.least,
    )
    system = _labels([run.system for run in runs for _ in run.items])
    item = _labels([each for run in runs for each in run.items])
    if len(system.ids) < wish.least:
        found = " and ".join(repr(each) for each in system.ids) or "none"
        raise DataError(
            f"{source}: a table needs two systems or more, and there is only {found}. Name "
            "the folder that holds the results of all of them."
        )
    if len(item.ids) < wish.least:
        found = " and ".join(repr(each) for each in item.ids)
        raise DataError(
            f"{source}: a table needs two items or more, and there is only {found}."
        )
    values = [
        np.nan if each is None else float(each) for run in runs for each in run.scores
    ]
    value = np.array(values, float)
    value[value == (np.nan if wish.missing is None else wish.missing)] = np.nan
    code = system.index * len(item.ids) + item.index
    files = [run.file for run in runs for _ in run.items]
    where = [each for run in runs for each in run.places]

    def place(row: int) -> str:
        return f"{files[row]}, {where[row]}"

    kept = _kept(code, _run_numbers(runs), ~np.isnan(value), wish.duplicates)
    if wish.duplicates == "error" and not kept.all():
        _refuse_duplicate(system, item, code, np.isfinite(value), kept, place)
    rows = np.flatnonzero(kept)
    observations = Observations(
        Identifiers(system.ids, system.index[rows]),
        Identifiers(item.ids, item.index[rows]),
        value[rows],
        "score",
        None,
        "",
        lambda k: place(int(rows[k])),
    )
    if wish.duplicates != "mean":
        observations = _with_trials(observations, code[rows], wish.out_of)
    score_is: ScoreIs = wish.score_is or "success"
    resolved = resolve(observations, options, score_is, source)
    return ResponseTable(
        responses=resolved.responses,
        system_ids=system.ids,
        item_ids=item.ids,
        source=source,
        score_is=score_is,
        systems_in=None,
        trials_from=resolved.trials_from,
        notes=(*notes, *resolved.notes),
    )


def _labels(values: list[Hashable]) -> Identifiers:
    position = {each: k for k, each in enumerate(dict.fromkeys(values))}
    index = np.fromiter(map(position.__getitem__, values), np.int64, len(values))
    return Identifiers(tuple(position), index)


def _run_numbers(runs: Sequence[Run]) -> Int[np.ndarray, " row"]:
    """Return a number for each row; rows share it if they are trials of one run."""
    numbers, last = [], 0
    for run in runs:
        size = len(run.items)
        numbers.append(last + (np.zeros(size, int) if run.repeats else np.arange(size)))
        last += size
    return np.concatenate([np.zeros(0, int), *numbers])


def _kept(
    code: Int[np.ndarray, " row"],
    run: Int[np.ndarray, " row"],
    seen: Bool[np.ndarray, " row"],
    duplicates: Duplicates,
) -> Bool[np.ndarray, " row"]:
    """Return which rows count: those of a cell's first or last run, or all.

    Runs without a result in a cell do not count. For "error" the rows that would be
    refused are those not kept.
    """
    if duplicates in ("sum", "mean") or not seen.any():
        return np.ones(len(code), bool)
    row = np.flatnonzero(seen)
    sign = -1 if duplicates == "last" else 1
    order = np.lexsort((sign * run[row], code[row]))
    ordered = code[row][order]
    start = np.searchsorted(ordered, ordered, "left")
    chosen = run[row][order][start]
    kept = np.ones(len(code), bool)
    kept[row[order]] = run[row][order] == chosen
    return kept


def _refuse_duplicate(
    system: Identifiers,
    item: Identifiers,
    code: Int[np.ndarray, " row"],
    seen: Bool[np.ndarray, " row"],
    kept: Bool[np.ndarray, " row"],
    place: Callable[[int], str],
) -> NoReturn:
    row = int(np.flatnonzero(~kept)[0])
    earlier = int(np.flatnonzero((code == code[row]) & seen & kept)[0])
    raise DataError(
        f"{place(row)}: system {system.ids[system.index[row]]!r} already has a result on "
        f"item {item.ids[item.index[row]]!r} ({place(earlier)}). Pass duplicates='last' "
        "or 'first' to keep one of the runs, or 'sum' to count them as repeated trials."
    )


def _with_trials(
    observations: Observations, code: Int[np.ndarray, " row"], out_of: float | int
) -> Observations:
    """Return repeated results that are all right or wrong as successes out of trials.

    Other scores stay as they are, one row a trial: their number is no count of right and
    wrong answers.
    """
    value = observations.value / out_of
    seen = ~np.isnan(value)
    binary = np.all((value == 0) | (value == 1) | ~seen)
    cell, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    trials = np.bincount(inverse, seen, len(cell))
    if not binary or not np.any(trials > 1):
        return observations
    successes: Float[np.ndarray, " cell"] = np.bincount(
        inverse, np.where(seen, value, 0), len(cell)
    )
    return Observations(
        Identifiers(observations.system.ids, observations.system.index[first]),
        Identifiers(observations.item.ids, observations.item.index[first]),
        np.where(trials > 0, successes, np.nan),
        "successes",
        trials,
        "repeated runs of an item",
        lambda k: observations.place(int(first[k])),
    )
