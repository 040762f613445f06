"""Labelled historical errors, checked once, and a target kept apart from them."""

import dataclasses
from collections.abc import Hashable, Sequence
from typing import Literal, NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int

from irtjax.data import DataError, ResponseTable

from ._sources import SourceErrors, Target

ScoreIs = Literal["success", "failure"]

FEWEST_SOURCES = 3
"""With fewer, how sources differ says nothing about how a target will."""


@dataclasses.dataclass(frozen=True)
class History:
    """What other systems got wrong on the items that a target is to be evaluated on.

    Attributes:
        sources: the errors, whatever the input counted.
        item_ids: exactly as the input gave them.
        source_ids: of the historical systems.
        score_is: what the user's numbers count; `error_of` and `score_of` go from them
            to errors and back.
        source: the file's name or "array", for messages.
    """

    sources: SourceErrors
    item_ids: tuple[Hashable, ...]
    source_ids: tuple[Hashable, ...]
    score_is: ScoreIs
    source: str

    def __post_init__(self):
        shape = len(self.item_ids), len(self.source_ids)
        if self.sources.shape != shape:
            raise DataError(
                f"{self.source}: the errors are {self.sources.shape}, the identifiers "
                f"{shape}, items by sources."
            )
        for word, ids in (("item", self.item_ids), ("source", self.source_ids)):
            if len(set(ids)) < len(ids):
                twice = next(each for each in ids if ids.count(each) > 1)
                raise DataError(
                    f"{self.source}: the {word} identifier {twice!r} stands twice."
                )
        if shape[1] < FEWEST_SOURCES:
            raise DataError(
                f"{self.source}: {shape[1]} historical systems are too few to learn "
                f"from: give at least {FEWEST_SOURCES}."
            )
        observed = np.asarray(self.sources.observed)
        error = np.where(observed, np.asarray(self.sources.error), 0.0)
        bad = ~((error >= 0) & (error <= 1))
        if bad.any():
            item, system = map(int, np.argwhere(bad)[0])
            raise DataError(
                f"{self.source}: item {self.item_ids[item]!r}, system "
                f"{self.source_ids[system]!r}: a score must lie in [0, 1], and this one "
                f"is an error of {error[item, system]:g}."
            )
        idle = ~observed.any(axis=0)
        if idle.any():
            name = self.source_ids[int(np.argmax(idle))]
            raise DataError(
                f"{self.source}: system {name!r} has no score at all: leave it out."
            )

    @staticmethod
    def from_table(table: ResponseTable) -> "History":
        """Return the history that a table's systems make up.

        Args:
            table: every system in it becomes a source. Take out a target first:
                `split_target`.

        Raises:
            DataError: fewer than three systems, or a system with no data.
        """
        responses = table.responses
        observed = responses.observed().T
        error = jnp.where(observed, 1 - responses.mean_score().T, 0)
        return History(
            SourceErrors(error, observed),
            table.item_ids,
            table.system_ids,
            table.score_is,
            table.source,
        )

    @staticmethod
    def from_array(
        scores: Float[np.ndarray | Array, "item source"],
        *,
        score_is: ScoreIs,
        item_ids: Sequence[Hashable] | None = None,
        source_ids: Sequence[Hashable] | None = None,
        observed: Bool[np.ndarray | Array, "item source"] | None = None,
        source: str = "array",
    ) -> "History":
        """Return a history from a plain matrix.

        Args:
            scores: from 0 to 1.
            score_is: what the scores count, "success" or "failure".
            item_ids: 0, 1, ... where None.
            source_ids: the same for the systems.
            observed: where there is a score; everywhere if None.
            source: what messages call the matrix.

        Raises:
            DataError: a score outside [0, 1] or not finite, an identifier that stands
                twice, fewer than three systems.
        """
        scores = jnp.asarray(scores)
        seen = (
            jnp.ones(scores.shape, bool) if observed is None else jnp.asarray(observed)
        )
        error = scores if score_is == "failure" else 1 - scores
        return History(
            SourceErrors(jnp.where(seen, error, 0), seen),
            tuple(range(scores.shape[0]) if item_ids is None else item_ids),
            tuple(range(scores.shape[1]) if source_ids is None else source_ids),
            score_is,
            source,
        )

    def error_of(
        self, score: Float[Array | np.ndarray, "*n"]
    ) -> Float[Array | np.ndarray, "*n"]:
        """Return errors from numbers that count what the user's do."""
        return score if self.score_is == "failure" else 1 - score

    def score_of(
        self, error: Float[Array | np.ndarray, "*n"]
    ) -> Float[Array | np.ndarray, "*n"]:
        """Return numbers that count what the user's do, from errors."""
        return error if self.score_is == "failure" else 1 - error

    def check_target(self, target: Hashable) -> None:
        """Refuse a target whose own scores are in the history.

        Raises:
            DataError: it is one of the sources.
        """
        if target in self.source_ids:
            raise DataError(
                f"{self.source}: the target {target!r} is among the historical systems, "
                "whose scores make up the prior: leave it out of them."
            )

    def positions(self, items: Sequence[Hashable]) -> Int[np.ndarray, " item"]:
        """Return where items stand, from their identifiers.

        Raises:
            DataError: an identifier that the history does not have.
        """
        position = {each: k for k, each in enumerate(self.item_ids)}
        for each in items:
            if each not in position:
                raise DataError(
                    f"{self.source}: no item is called {each!r}; there are "
                    f"{len(position):,}, the first of them {self.item_ids[0]!r}."
                )
        return np.array([position[each] for each in items], int)


class SplitTarget(NamedTuple):
    """A table taken apart.

    Attributes:
        history: every system but the target.
        target: its outcomes.
    """

    history: History
    target: Target


def split_target(table: ResponseTable, target: Hashable) -> SplitTarget:
    """Return a table's history without one system, and that system's outcomes.

    Args:
        table: holds the target and at least three others.
        target: the identifier of the system that plays the new one.

    Raises:
        DataError: there is no such system, or too few others.
    """
    if target not in table.system_ids:
        raise DataError(f"{table.source}: no system is called {target!r}.")
    others = [each for each in table.system_ids if each != target]
    alone = table.select(systems=[target]).responses
    observed = alone.observed()[0]
    outcome = Target(jnp.where(observed, 1 - alone.mean_score()[0], 0), observed)
    return SplitTarget(History.from_table(table.select(systems=others)), outcome)
