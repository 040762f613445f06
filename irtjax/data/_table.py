"""The labelled table: responses with the names of systems and items, validated once."""

import dataclasses
from collections.abc import Hashable, Sequence
from typing import Literal

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float, Int

from ._cell_means import cell_means, group_mean
from ._graph import observed_cells
from ._responses import AbstractResponses


@dataclasses.dataclass(frozen=True)
class ResponseTable:
    """Responses whose systems and items have names; higher is better, always.

    Attributes:
        responses: one table, in the default float type.
        system_ids: exactly as the input gave them, in the order of the responses.
        item_ids: the same for items.
        source: the file's name or "data frame", for messages.
        score_is: what the input's numbers counted; "failure" was turned round.
        systems_in: where the input had its systems; None for long input.
        trials_from: "column 'trials'", "declared: 10", "binary scores" or "unknown".
        notes: what was guessed or rounded, one sentence each.
    """

    responses: AbstractResponses
    system_ids: tuple[Hashable, ...]
    item_ids: tuple[Hashable, ...]
    source: str
    score_is: Literal["success", "failure"]
    systems_in: Literal["rows", "columns"] | None
    trials_from: str
    notes: tuple[str, ...] = ()

    def __post_init__(self):
        shape = len(self.system_ids), len(self.item_ids)
        if self.responses.shape != shape:
            raise ValueError(
                f"The responses are {self.responses.shape}, the identifiers {shape}."
            )
        for word, ids in (("system", self.system_ids), ("item", self.item_ids)):
            if len(set(ids)) < len(ids):
                twice = next(each for each in ids if ids.count(each) > 1)
                raise ValueError(f"The {word} identifier {twice!r} stands twice.")

    def plain_means(self) -> Float[np.ndarray, " system"]:
        """Return each system's mean score over its observed items, items weighed alike.

        From 0 to 1; NaN for a system with no data. The items differ between systems, so
        these means are not comparable where the table has holes.
        """
        cells = cell_means(self.responses)
        return group_mean(cells.system, cells.score, len(self.system_ids))

    def permuted(
        self,
        system_order: Int[np.ndarray, " system"],
        item_order: Int[np.ndarray, " item"],
    ) -> "ResponseTable":
        """Return the same table with its systems and items in another order.

        Args:
            system_order: the present position of each system of the new table.
            item_order: the same for items.
        """
        for order, ids in (
            (system_order, self.system_ids),
            (item_order, self.item_ids),
        ):
            if not np.array_equal(np.sort(order), np.arange(len(ids))):
                raise ValueError(f"An order must hold 0 to {len(ids) - 1} once each.")
        return self._take(system_order, item_order)

    def select(
        self,
        systems: Sequence[Hashable] | None = None,
        items: Sequence[Hashable] | None = None,
    ) -> "ResponseTable":
        """Return the part of the table with these systems and items, in this order.

        Args:
            systems: identifiers; all of them where None.
            items: the same for items.

        Raises:
            KeyError: if an identifier is not in the table.
        """
        return self._take(
            _positions(self.system_ids, systems, "system"),
            _positions(self.item_ids, items, "item"),
        )

    def _take(
        self, system: Int[np.ndarray, " system"], item: Int[np.ndarray, " item"]
    ) -> "ResponseTable":
        return dataclasses.replace(
            self,
            responses=self.responses.take(jnp.asarray(system), jnp.asarray(item)),
            system_ids=tuple(self.system_ids[k] for k in system),
            item_ids=tuple(self.item_ids[k] for k in item),
        )

    def n_observed(self) -> int:
        """Return the number of observed cells."""
        return len(observed_cells(self.responses))

    def extremes(self) -> str:
        """Return a sentence with the top and bottom system by plain mean.

        A user who sees the worst system on top knows that `score_is` is wrong.
        """
        means = self.plain_means()
        # A stable sort on the negated means names the first of several equal systems.
        order = np.argsort(-np.where(np.isnan(means), -np.inf, means), kind="stable")
        order = order[~np.isnan(means[order])]
        top, bottom = order[0], order[-1]
        return (
            f"By plain mean, higher is better: top {self.system_ids[top]!r} "
            f"({means[top]:.3f}), bottom {self.system_ids[bottom]!r} "
            f"({means[bottom]:.3f})."
        )

    def describe(self) -> tuple[str, ...]:
        """Return what a user should check before trusting a result, a sentence each."""
        n_system, n_item = self.responses.shape
        n_observed = self.n_observed()
        empty = int(np.count_nonzero(np.isnan(self.plain_means())))
        where = "" if self.systems_in is None else f", systems in {self.systems_in}"
        lines = [
            f"{self.source}: {n_system:,} systems x {n_item:,} items, {n_observed:,} "
            f"of {n_system * n_item:,} cells observed "
            f"({100 * n_observed / (n_system * n_item):.1f} %){where}.",
            f"Scores count {self.score_is}; trials: {self.trials_from}.",
            self.extremes(),
        ]
        if empty:
            words = "system has" if empty == 1 else "systems have"
            lines.append(f"{empty:,} {words} no data.")
        return (*lines, *self.notes)


def _positions(
    ids: tuple[Hashable, ...], wanted: Sequence[Hashable] | None, word: str
) -> Int[np.ndarray, " wanted"]:
    if wanted is None:
        return np.arange(len(ids))
    position = {each: k for k, each in enumerate(ids)}
    for each in wanted:
        if each not in position:
            raise KeyError(f"There is no {word} {each!r} in the table.")
    return np.array([position[each] for each in wanted], int)
