"""What came back from running a plan: scores by item, checked, as errors."""

import dataclasses
import math
from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path
from typing import Literal

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Float64, Int

from irtjax.data import DataError

from .._history import History

Repeats = Literal["error", "verdicts"]
_MISSING = {"", "na", "nan", "null", "none"}
_SMALLEST = 16


@dataclasses.dataclass(frozen=True)
class Answers:
    """A new system's errors on some items of a history.

    Attributes:
        item: positions in the history, each once, ascending.
        error: the mean of the item's verdicts, from 0 to 1.
        count: how many verdicts there were.
        sampled: which items were drawn by chance, as the plan says.
        missing: items that were listed without a score.
        noisy: whether a verdict may come out differently next time.
        name: of the file or the system, for messages.
    """

    item: Int[np.ndarray, " answer"]
    error: Float64[np.ndarray, " answer"]
    count: Float64[np.ndarray, " answer"]
    sampled: Bool[np.ndarray, " answer"]
    missing: tuple[Hashable, ...]
    noisy: bool
    name: str = "answers"

    def noise(
        self, prior_error: Float[np.ndarray, " item"]
    ) -> Float64[np.ndarray, " answer"]:
        r"""Return the variance of each mean error around the item's own, squared errors.

        $p (1 - p) / k$ for $k$ verdicts, with the chance $p$ drawn towards what the
        history says by one verdict's worth; 0 where verdicts are not noisy.

        Args:
            prior_error: the items' mean errors in the history, within (0, 1).
        """
        if not self.noisy:
            return np.zeros_like(self.error)
        chance = (self.count * self.error + prior_error[self.item]) / (self.count + 1)
        return chance * (1 - chance) / self.count


def answers_from(
    history: History,
    scores: Mapping[Hashable, float | int | None]
    | Iterable[tuple[Hashable, float | int | None]],
    *,
    repeats: Repeats = "error",
    noisy: bool | None = None,
    sampled: Mapping[Hashable, bool] | None = None,
    name: str = "answers",
) -> Answers:
    """Return scores by item as a history's answers.

    Args:
        history: says which items there are and what the scores count.
        scores: by item identifier, in any order; what the history's numbers count, from
            0 to 1. None and NaN are missing.
        repeats: whether an item may stand there several times, as repeated verdicts.
        noisy: whether a verdict may come out differently next time; if None, where an
            item has several.
        sampled: which items were drawn by chance, if a plan said so.
        name: what messages call them.

    Raises:
        DataError: for an unknown item, a score out of range, an item that stands twice
            or nothing at all.
    """
    rows = scores.items() if isinstance(scores, Mapping) else scores
    found: dict[int, list[float]] = {}
    missing: list[Hashable] = []
    known = {each: k for k, each in enumerate(history.item_ids)}
    for item, score in rows:
        if item not in known:
            history.positions([item])
        if score is None or math.isnan(score):
            missing.append(item)
            continue
        if not 0 <= score <= 1:
            raise DataError(
                f"{name}: the score of item {item!r} must lie between 0 and 1, got "
                f"{score}."
            )
        found.setdefault(known[item], []).append(float(score))
    if not found:
        raise DataError(f"{name}: there is no score at all.")
    position = sorted(found)
    count = np.array([len(found[k]) for k in position], float)
    if repeats == "error" and count.max() > 1:
        twice = history.item_ids[position[int(np.argmax(count > 1))]]
        raise DataError(
            f"{name}: item {twice!r} has several scores: keep one, or pass "
            "repeats='verdicts' if they are repeated verdicts."
        )
    mean = np.array([np.mean(found[k]) for k in position])
    drawn = [bool((sampled or {}).get(history.item_ids[k], False)) for k in position]
    return Answers(
        np.array(position, int),
        np.asarray(history.error_of(mean), np.float64),
        count,
        np.array(drawn, bool),
        tuple(dict.fromkeys(k for k in missing if known[k] not in found)),
        bool(count.max() > 1) if noisy is None else noisy,
        name,
    )


def read_answers(
    path: str | Path,
    history: History,
    *,
    repeats: Repeats = "error",
    noisy: bool | None = None,
    out_of: float | int = 1,
) -> Answers:
    """Return the scores in a file, such as a plan that was filled in.

    Args:
        path: CSV, TSV, JSON lines or Parquet with the columns `item` and `score`, in
            any order of rows; others are left alone, except `plan` and `sampled`, which
            a plan has. Empty, NA, null and NaN are missing.
        history: which items there are and what the scores count.
        repeats: as for `answers_from`.
        noisy: as for `answers_from`.
        out_of: the score that counts as 1.

    Raises:
        DataError: if the file cannot be read or lacks a column, a cell is no number,
            the plan is of another history, or as `answers_from`.
    """
    from ._plan import check_fingerprint

    path = Path(path)
    columns = _columns(path)
    for wanted in ("item", "score"):
        if wanted not in columns:
            raise DataError(
                f"{path.name} has no column {wanted!r}; it has {', '.join(columns)}."
            )
    for plan in {str(each) for each in columns.get("plan", ()) if each is not None}:
        check_fingerprint(plan, history, path.name)
    by_text = {str(each): each for each in history.item_ids}
    if len(by_text) < len(history.item_ids):
        raise DataError(
            f"{history.source}: two items have the same name as text, so a file cannot "
            "tell them apart."
        )
    # An identifier that is not there is left as it is, for the message about it.
    items = [by_text.get(str(each), each) for each in columns["item"]]
    scores = [_number(value, path, row) for row, value in enumerate(columns["score"])]
    sampled = None
    if "sampled" in columns:
        flags = [str(each).lower() in ("1", "true") for each in columns["sampled"]]
        sampled = dict(zip(items, flags, strict=True))
    scaled = [None if score is None else score / out_of for score in scores]
    return answers_from(
        history,
        zip(items, scaled, strict=True),
        repeats=repeats,
        noisy=noisy,
        sampled=sampled,
        name=path.name,
    )


def padded(
    history: History, answers: Answers
) -> tuple[Int[Array, " pick"], Float[Array, " pick"], Float[Array, " pick"]]:
    """Return answers in arrays of one of a few lengths, so that few programs are made.

    What is added has infinite noise: nothing is learned from it.
    """
    dtype = history.sources.error.dtype
    width = history.sources.shape[1]
    mean = (width * np.asarray(history.sources.mean(), np.float64) + 0.5) / (width + 1)
    noise = answers.noise(mean)
    length = _SMALLEST
    while length < len(noise):
        length *= 2
    extra = min(length, max(len(history.item_ids), len(noise))) - len(noise)
    return (
        jnp.asarray(np.pad(answers.item, (0, extra))),
        jnp.asarray(np.pad(answers.error, (0, extra)), dtype),
        jnp.asarray(np.pad(noise, (0, extra), constant_values=np.inf), dtype),
    )


def _columns(path: Path) -> dict[str, list]:
    """Return a file's columns by name; text formats as text."""
    import polars as pl

    if not path.is_file():
        raise DataError(f"{path}: there is no such file.")
    kind = path.suffix.lower()
    try:
        if kind in (".csv", ".tsv", ".tab"):
            separator = "," if kind == ".csv" else "\t"
            frame = pl.read_csv(path, infer_schema=False, separator=separator)
        elif kind in (".jsonl", ".jsonlines", ".ndjson"):
            frame = pl.read_ndjson(path)
        elif kind in (".parquet", ".pq"):
            frame = pl.read_parquet(path)
        else:
            raise DataError(
                f"{path.name}: the kind of file is told by its extension: .csv, .tsv, "
                ".jsonl or .parquet."
            )
    except (pl.exceptions.PolarsError, UnicodeDecodeError) as error:
        first = str(error).splitlines()[0]
        raise DataError(f"{path.name} cannot be read: {first}.") from None
    return frame.to_dict(as_series=False)


def _number(value: object, path: Path, row: int) -> float | None:
    """Return a cell as a number; None where it is missing."""
    if value is None or (isinstance(value, str) and value.strip().lower() in _MISSING):
        return None
    try:
        number = float(value)  # pyright: ignore[reportArgumentType]
    except (TypeError, ValueError):
        raise DataError(
            f"{path.name}, row {row + 1}: {value!r} in column 'score' is no number."
        ) from None
    if math.isinf(number):
        raise DataError(f"{path.name}, row {row + 1}: the score is not finite.")
    return None if math.isnan(number) else number
