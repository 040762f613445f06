"""What a caller says about a table, checked once before anything is read."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

SystemsIn = Literal["rows", "columns"]
ScoreIs = Literal["success", "failure"]
Duplicates = Literal["error", "mean", "sum", "first", "last"]
Layout = Literal["long", "wide"]
Values = Literal["score", "successes"]
Storage = Literal["auto", "dense", "long"]
Trials = float | int | str | Mapping[Hashable, float | int]

_CHOICES = {
    "systems_in": SystemsIn,
    "score_is": ScoreIs,
    "duplicates": Duplicates,
    "layout": Layout,
    "values": Values,
    "storage": Storage,
}


@dataclass(frozen=True)
class Options:
    """The options of `read_table`, which documents them; None means "not said"."""

    systems_in: SystemsIn | None = None
    score_is: ScoreIs | None = None
    trials: Trials | None = None
    duplicates: Duplicates = "error"
    layout: Layout | None = None
    system: Hashable | None = None
    item: Hashable | None = None
    score: Hashable | None = None
    successes: Hashable | None = None
    values: Values | None = None
    categories: int | Sequence[float | int] | None = None
    missing: float | int | None = None
    out_of: float | int = 1
    ignore: Sequence[Hashable] = ()
    storage: Storage = "auto"
    least: int = 2

    def __post_init__(self):
        for name, choice in _CHOICES.items():
            got, wanted = getattr(self, name), get_args(choice)
            if got not in wanted and not (got is None and _may_be_none(name)):
                listed = " or ".join(repr(each) for each in wanted)
                raise ValueError(f"`{name}` must be {listed}, got {got!r}.")
        if isinstance(self.trials, float | int) and not _positive(self.trials):
            raise ValueError(
                f"`trials` must be a positive number, got {self.trials!r}."
            )
        if not _positive(self.out_of):
            raise ValueError(
                f"`out_of` must be a positive number, got {self.out_of!r}."
            )
        if self.score is not None and self.successes is not None:
            raise ValueError("Give `score` or `successes`, not both.")
        if self.categories is not None and len(self.category_values()) < 2:
            raise ValueError(
                f"`categories` must name two or more, got {self.categories!r}."
            )
        if self.categories is not None and self.trials is not None:
            raise ValueError("Give `categories` or `trials`, not both.")

    def category_values(self) -> tuple[float, ...]:
        """Return the values that mark the ordered categories, lowest first."""
        if self.categories is None:
            return ()
        if isinstance(self.categories, int):
            return tuple(float(value) for value in range(self.categories))
        return tuple(float(value) for value in self.categories)


def _may_be_none(name: str) -> bool:
    return name not in ("duplicates", "storage")


def _positive(value: float | int) -> bool:
    return math.isfinite(value) and value > 0
