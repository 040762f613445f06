"""What a user should hear about a table before trusting its ranking."""

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float64, Int

from irtjax.data import DesignGraph

FLAGS = {
    "no data": "the system ran no item: it has no score and no rank",
    "all right": "every outcome is 1: how far above the others, the data cannot say",
    "all wrong": "every outcome is 0: how far below the others, the data cannot say",
    "barely measured": "one or two items: the score rests on next to nothing",
    "error not known": "the score has no standard error: compared with no other system",
}
"""The flags of a `Ranking` and what each means."""

_SHOWN = 5
_FEW_ITEMS = 2


class Outcomes(NamedTuple):
    """A table as plain arrays: what was observed and the mean outcome there."""

    observed: Bool[np.ndarray, "system item"]
    mean: Float64[np.ndarray, "system item"]

    def extreme(self, value: float | int) -> Bool[np.ndarray, "system item"]:
        """Return where a cell was not observed or its outcomes all equal `value`."""
        return ~self.observed | (self.mean == value)


def listed(ids: Iterable[Hashable]) -> str:
    """Return ids in one line, the first few of many."""
    names = [str(each) for each in ids]
    if len(names) <= _SHOWN:
        return ", ".join(names)
    return f"{', '.join(names[:_SHOWN])} and {len(names) - _SHOWN:,} more"


def system_flags(
    outcomes: Outcomes, variance: Float64[np.ndarray, " system"]
) -> tuple[tuple[str, ...], ...]:
    """Return the flags of each system, in the order of `FLAGS`."""
    count = outcomes.observed.sum(axis=1)
    some = count > 0
    found = {
        "no data": ~some,
        "all right": some & outcomes.extreme(1).all(axis=1),
        "all wrong": some & outcomes.extreme(0).all(axis=1),
        "barely measured": some & (count <= _FEW_ITEMS),
        "error not known": some & ~np.isfinite(variance),
    }
    return tuple(
        tuple(flag for flag in FLAGS if found[flag][k]) for k in range(len(count))
    )


def constant_items(outcomes: Outcomes) -> Int[np.ndarray, " constant"]:
    """Return the items that two or more systems ran and all got right, or all wrong."""
    shared = outcomes.observed.sum(axis=0) > 1
    constant = outcomes.extreme(1).all(axis=0) | outcomes.extreme(0).all(axis=0)
    return np.flatnonzero(shared & constant)


def warnings_of(
    outcomes: Outcomes,
    graph: DesignGraph,
    flags: Sequence[Sequence[str]],
    system_ids: tuple[Hashable, ...],
    item_ids: tuple[Hashable, ...],
) -> tuple[str, ...]:
    """Return a sentence for everything that weakens the ranking."""
    found = []
    for flag, meaning in FLAGS.items():
        systems = [
            each for each, own in zip(system_ids, flags, strict=True) if flag in own
        ]
        if systems:
            found.append(f"{flag.capitalize()} ({meaning}): {listed(systems)}.")
    seen_by = outcomes.observed.sum(axis=0)
    for items, says in (
        (
            constant_items(outcomes),
            "All systems had the same result, all right or all "
            "wrong, so nothing about the order can be learned from",
        ),
        (np.flatnonzero(seen_by == 1), "Only one system ran"),
        (np.flatnonzero(seen_by == 0), "No system ran"),
    ):
        if len(items):
            what = (
                f"item {item_ids[items[0]]}"
                if len(items) == 1
                else (f"{len(items):,} items: {listed(item_ids[k] for k in items)}")
            )
            found.append(f"{says} {what}.")
    found += [
        f"Only system {system_ids[system]} on item {item_ids[item]} connects "
        f"{cut} systems with the rest: their comparison rests on that one cell."
        for (system, item), cut in zip(graph.bridge, graph.bridge_systems, strict=True)
        if cut > 1
    ][:_SHOWN]
    return tuple(found)


def not_comparable(
    graph: DesignGraph, system_ids: tuple[Hashable, ...]
) -> tuple[str, ...]:
    """Return a sentence for each group of systems that no item links to the first."""
    first, *others = graph.groups() or ((),)
    return tuple(
        f"No chain of shared items connects {listed(system_ids[k] for k in group)} "
        f"with {listed(system_ids[k] for k in first)}: the data do not say who is "
        "better."
        for group in others
    )
