"""A ranking of labelled systems, with everything needed to judge it."""

import dataclasses
import math
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Bool, Float64, Int

from ._item_scale import ItemScale

if TYPE_CHECKING:
    import polars

_PER_SYSTEM = (
    "score",
    "se",
    "lower",
    "upper",
    "rank",
    "rank_lower",
    "rank_upper",
    "joint_rank_lower",
    "joint_rank_upper",
    "p_best",
    "tie_group",
    "n_item",
    "plain_mean",
    "plain_se",
    "plain_lower",
    "plain_upper",
    "plain_rank",
)


@dataclasses.dataclass(frozen=True)
class Ranking:
    """Systems in the order of the table, each array with one entry a system.

    Ranks count from 1 = best and systems that tie share their mean rank. NaN = not
    known.

    Attributes:
        system_ids: exactly as given.
        source: the file or data frame they came from.
        ranker: its name.
        scale: what the score is, in a few words.
        level: coverage of every interval.
        seed: of the draws behind rank intervals and `p_best`.
        score: higher is better; NaN for a system with no data.
        se: standard error of the score. That of an ability includes where the whole
            scale lies, which all systems share: intervals that overlap do not mean that
            two systems are alike; `separable` says that.
        lower: lower end of the score's interval.
        upper: its upper end.
        rank: by score.
        rank_lower: best rank within the system's own interval.
        rank_upper: worst rank within it.
        joint_rank_lower: best rank within the intervals that hold for all systems at
            once.
        joint_rank_upper: worst rank within those.
        p_best: chance to be the best of the systems that it can be compared with.
        p_beats: chance that the row's system is better than the column's; 1/2 for a
            tie, NaN where the two cannot be compared.
        separable: whether the comparison of all pairs at once tells the two apart.
        tie_group: from 1 at the top; a group holds a leader and the systems next to it
            that the data cannot tell from it. 0 = no score.
        n_item: how many items the system ran.
        plain_mean: mean outcome over those, each item weighing the same.
        plain_se: its standard error, clustered by item.
        plain_lower: lower end of its interval.
        plain_upper: upper end.
        plain_rank: by plain mean, with exact ties.
        component: systems with different numbers share no chain of items; -1 = no data.
        flags: what is special about each system, see `FLAGS`; most have none.
        constant_items: items on which every system that ran them had the same extreme
            result: they say nothing about the order.
        codes: how many fits ended how; empty if nothing was fitted.
        dispersion: variance of scores without trial counts over that of right/wrong
            answers; None where trials are known.
        trials: the trials a cell that such scores were taken to be worth, estimated or
            declared; None where they are known.
        band_lower: where trials were declared, the best rank with half and with twice
            as many, else None.
        band_upper: the worst rank with half and with twice as many, else None.
        method: how scores and intervals came about, in sentences.
        notes: what was guessed while reading, and what this analysis adds.
        warnings: what should be looked at before the ranking is used.
        not_comparable: which groups of systems cannot be compared, a sentence each.
        items: how hard each item is, on the scale of the score; None where the ranker
            has no such thing or its fit failed.
    """

    system_ids: tuple[Hashable, ...]
    source: str
    ranker: str
    scale: str
    level: float
    seed: int
    score: Float64[np.ndarray, " system"]
    se: Float64[np.ndarray, " system"]
    lower: Float64[np.ndarray, " system"]
    upper: Float64[np.ndarray, " system"]
    rank: Float64[np.ndarray, " system"]
    rank_lower: Float64[np.ndarray, " system"]
    rank_upper: Float64[np.ndarray, " system"]
    joint_rank_lower: Float64[np.ndarray, " system"]
    joint_rank_upper: Float64[np.ndarray, " system"]
    p_best: Float64[np.ndarray, " system"]
    p_beats: Float64[np.ndarray, "system system"]
    separable: Bool[np.ndarray, "system system"]
    tie_group: Int[np.ndarray, " system"]
    n_item: Int[np.ndarray, " system"]
    plain_mean: Float64[np.ndarray, " system"]
    plain_se: Float64[np.ndarray, " system"]
    plain_lower: Float64[np.ndarray, " system"]
    plain_upper: Float64[np.ndarray, " system"]
    plain_rank: Float64[np.ndarray, " system"]
    component: Int[np.ndarray, " system"]
    flags: tuple[tuple[str, ...], ...]
    constant_items: tuple[Hashable, ...]
    codes: Mapping[str, int]
    dispersion: float | None
    trials: float | None
    band_lower: Float64[np.ndarray, " system"] | None
    band_upper: Float64[np.ndarray, " system"] | None
    method: str
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    not_comparable: tuple[str, ...]
    items: ItemScale | None = None

    def best_first(self) -> Int[np.ndarray, " system"]:
        """Return the systems' positions from the best; ties by id, no score last."""
        names = np.array([str(each) for each in self.system_ids])
        return np.lexsort((names, np.nan_to_num(self.rank, nan=np.inf)))

    def system_records(self) -> list[dict]:
        """Return what `to_dict` has on each system, best first."""
        records = [
            {
                "system": plain_id(self.system_ids[k]),
                **{name: _plain(getattr(self, name)[k]) for name in _PER_SYSTEM},
                "flags": list(self.flags[k]),
            }
            for k in self.best_first()
        ]
        if self.band_lower is not None and self.band_upper is not None:
            for k, record in zip(self.best_first(), records, strict=True):
                record["band_lower"] = _plain(float(self.band_lower[k]))
                record["band_upper"] = _plain(float(self.band_upper[k]))
        return records

    def to_dict(self) -> dict:
        """Return everything as values that JSON can hold, systems best first.

        Ids stay as given where JSON can hold them; others become text. NaN becomes
        None.
        """
        order = self.best_first()
        record = {
            name: getattr(self, name)
            for name in ("source", "ranker", "scale", "level", "seed", "method")
        }
        record |= {
            name: list(getattr(self, name))
            for name in ("notes", "warnings", "not_comparable")
        }
        record |= {
            "codes": dict(self.codes),
            "constant_items": [plain_id(each) for each in self.constant_items],
            "dispersion": self.dispersion,
            "trials": self.trials,
            "systems": self.system_records(),
            "items": _items(self.items),
            "p_beats": [
                [_plain(value) for value in row]
                for row in self.p_beats[order][:, order]
            ],
        }
        return record

    def to_frame(self) -> "polars.DataFrame":
        """Return one row a system, best first, as a polars data frame."""
        import polars

        order = self.best_first()
        columns = {name: getattr(self, name)[order] for name in _PER_SYSTEM}
        ids = [plain_id(self.system_ids[k]) for k in order]
        flags = [", ".join(self.flags[k]) for k in order]
        return polars.DataFrame(
            {"system": polars.Series(ids, strict=False), **columns, "flags": flags}
        )


def _items(items: ItemScale | None) -> list[dict] | None:
    if items is None:
        return None
    return [
        {
            "item": plain_id(items.item_ids[k]),
            "difficulty": _plain(float(items.difficulty[k])),
            "se": _plain(float(items.se[k])),
            "n_system": int(items.n_system[k]),
        }
        for k in range(len(items.item_ids))
    ]


def plain_id(given: Hashable) -> str | int | float | bool:
    """Return an id as JSON can hold it, unchanged where it can."""
    if isinstance(given, np.generic):
        given = given.item()
    if isinstance(given, str | bool | int):
        return given
    return given if isinstance(given, float) and math.isfinite(given) else str(given)


def _plain(value: float | int | np.generic) -> float | int | None:
    """Return a number as JSON can hold it; None for NaN and infinities."""
    number = value.item() if isinstance(value, np.generic) else value
    return number if math.isfinite(number) else None
