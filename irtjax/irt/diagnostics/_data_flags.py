"""Flags that the data alone raise, before anything is fitted."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from irtjax.data import (
    AbstractResponses,
    CategoricalResponses,
    CellMeans,
    cell_means,
    design_graph,
)

from ._flag import Flag, listed, shown

FEW_CELLS = 3  # as many unknowns as an item and one ability have
REVERSED_Z = -2.33  # one in a hundred items that measure nothing falls below
# Pairs of equal rows in the whole table that chance would make, all as likely as this.
CHANCE_PAIRS = 0.01


class Side(NamedTuple):
    """The observed cells from the side of systems, or of items.

    Attributes:
        about: which side.
        ids: one a row.
        row: the row of each cell.
        other: its place on the other side.
        score: its mean outcome, from 0 to 1.
        count: the number of cells of each row.
        best: rows whose outcomes are all 1.
        worst: rows whose outcomes are all 0.
    """

    about: Literal["system", "item"]
    ids: Sequence[Hashable]
    row: Int[np.ndarray, " cell"]
    other: Int[np.ndarray, " cell"]
    score: Float[np.ndarray, " cell"]
    count: Int[np.ndarray, " row"]
    best: Bool[np.ndarray, " row"]
    worst: Bool[np.ndarray, " row"]


def sides(
    responses: AbstractResponses,
    system_ids: Sequence[Hashable],
    item_ids: Sequence[Hashable],
) -> tuple[Side, Side]:
    """Return the cells of one table from both sides; a sparse table stays sparse."""
    cells = cell_means(responses)
    return (
        _side("system", system_ids, cells.system, cells.item, cells),
        _side("item", item_ids, cells.item, cells.system, cells),
    )


def _side(about, ids, row, other, cells: CellMeans) -> Side:
    count = np.bincount(row, minlength=len(ids))
    below = np.bincount(row, cells.score < 1, len(ids))
    above = np.bincount(row, cells.score > 0, len(ids))
    some = count > 0
    return Side(
        about,
        ids,
        row,
        other,
        cells.score,
        count,
        some & (below == 0),
        some & (above == 0),
    )


def constant_rows(
    responses: AbstractResponses, items: Side
) -> Bool[np.ndarray, " item"]:
    """Return the items with data whose every outcome is the same extreme or category."""
    constant = items.best | items.worst
    if isinstance(responses, CategoricalResponses):
        used = np.sum(np.any(np.asarray(responses.counts) > 0, axis=0), axis=-1)
        constant |= used == 1
    return constant


def data_flags(
    responses: AbstractResponses, systems: Side, items: Side
) -> Iterator[Flag]:
    """Yield the flags that need no fit."""
    constant = constant_rows(responses, items)
    extreme = systems.best | systems.worst
    yield from _empty(systems)
    yield from _empty(items)
    yield from _extreme(systems)
    yield from _constant(items, constant)
    yield from _few(systems, constant, extreme)
    yield from _few(items, extreme, constant)
    yield from _duplicates(systems, extreme)
    yield from _duplicates(items, constant)
    yield from _reversed(items, constant)
    yield from _disconnected(responses, systems.ids)


def _empty(side: Side) -> Iterator[Flag]:
    for k in np.flatnonzero(side.count == 0).tolist():
        yield Flag(
            "no data",
            side.about,
            (side.ids[k],),
            0.0,
            f"No cell of {side.about} {shown(side.ids[k])} was observed. What a fit says "
            "of it is its prior, errors included. Leave it out, or read it as unknown.",
        )


def _extreme(systems: Side) -> Iterator[Flag]:
    for kind, rows, limit in (
        ("perfect", systems.best, "upper"),
        ("zero", systems.worst, "lower"),
    ):
        answers = "right" if kind == "perfect" else "wrong"
        for k in np.flatnonzero(rows).tolist():
            yield Flag(
                kind,
                "system",
                (systems.ids[k],),
                float(systems.count[k]),
                f"System {shown(systems.ids[k])} has all its {systems.count[k]:,} cells "
                f"{answers}: the data set no {limit} limit to its ability, the prior "
                "does. Read how far it is from the others as a bound; harder or easier "
                "items would tell.",
            )


def _constant(items: Side, constant: Bool[np.ndarray, " item"]) -> Iterator[Flag]:
    for k in np.flatnonzero(constant).tolist():
        outcome = "right" if items.best[k] else "wrong" if items.worst[k] else "alike"
        yield Flag(
            "constant",
            "item",
            (items.ids[k],),
            float(items.count[k]),
            f"Item {shown(items.ids[k])} is constant: all its {items.count[k]:,} cells "
            f"are {outcome}. Its discrimination cannot be estimated and its difficulty "
            "has a bound on one side only; both are what the prior makes of that. It may "
            "stay: it does not change the order of the systems that ran it.",
        )


def _few(
    side: Side,
    fixed: Bool[np.ndarray, " other"],
    said: Bool[np.ndarray, " row"],
) -> Iterator[Flag]:
    """Yield rows with hardly a cell whose other side is not constant itself."""
    open_cells = np.bincount(side.row[~fixed[side.other]], minlength=len(side.ids))
    few = (side.count > 0) & (open_cells < FEW_CELLS) & ~said
    for k in np.flatnonzero(few).tolist():
        yield Flag(
            "few cells",
            side.about,
            (side.ids[k],),
            float(open_cells[k]),
            f"Only {open_cells[k]:,} of the {side.count[k]:,} cells of {side.about} "
            f"{shown(side.ids[k])} could have come out either way. Its estimate leans on "
            "the prior; observe more cells before it is compared.",
        )


def _duplicates(side: Side, said: Bool[np.ndarray, " row"]) -> Iterator[Flag]:
    """Yield groups of rows with equal cells, where chance would not make them so."""
    order = np.lexsort((side.other, side.row))
    ends = np.cumsum(side.count)
    groups: dict[bytes, list[int]] = {}
    for k in np.flatnonzero((side.count > 0) & ~said).tolist():
        own = order[ends[k] - side.count[k] : ends[k]]
        key = side.other[own].tobytes() + side.score[own].tobytes()
        groups.setdefault(key, []).append(int(k))
    pairs = len(side.ids) * (len(side.ids) - 1) / 2
    expected = np.exp(_pattern_log_chance(side)) * pairs
    for members in groups.values():
        if len(members) < 2 or expected[members[0]] > CHANCE_PAIRS:
            continue
        ids = tuple(side.ids[k] for k in members)
        yield Flag(
            "duplicate",
            side.about,
            ids,
            float(expected[members[0]]),
            f"The {side.about}s {listed(ids)} have the same outcome in every one of "
            f"their {side.count[members[0]]:,} cells; among all {len(side.ids):,} chance "
            f"would make {expected[members[0]]:.1g} such pairs. Keep one of them: a copy counts "
            "the same evidence twice, and errors come out too small.",
        )


def _pattern_log_chance(side: Side) -> Float[np.ndarray, " row"]:
    """Return how likely each row's outcomes are if rows and columns act on their own."""
    n_other = int(side.other.max(initial=0)) + 1

    def logit_mean(group, size):
        count = np.bincount(group, minlength=size)
        share = (np.bincount(group, side.score, size) + 0.5) / (count + 1)
        return np.log(share) - np.log1p(-share)

    own = logit_mean(side.row, len(side.ids))[side.row]
    across = logit_mean(side.other, n_other)[side.other]
    overall = logit_mean(np.zeros(len(side.row), int), 1)[0]
    logit = own + across - overall
    log_chance = -side.score * np.logaddexp(0, -logit) - (
        1 - side.score
    ) * np.logaddexp(0, logit)
    return np.bincount(side.row, log_chance, len(side.ids))


def item_rest_correlation(items: Side) -> Float[np.ndarray, " item"]:
    """Return how each item's scores go with the same systems' scores on the others.

    Scores are taken from their items' means, so that systems that ran harder items are
    not taken for worse ones. NaN where nothing varies or fewer than four systems have
    the item and another one.
    """
    n_item, n_system = len(items.ids), int(items.other.max(initial=-1)) + 1
    mean = np.bincount(items.row, items.score, n_item) / np.maximum(items.count, 1)
    away = items.score - mean[items.row]
    total = np.bincount(items.other, away, n_system)[items.other] - away
    others = np.bincount(items.other, minlength=n_system)[items.other] - 1
    kept = others > 0
    row, x, y = items.row[kept], away[kept], total[kept] / others[kept]
    number = np.bincount(row, minlength=n_item)

    def summed(values):
        return np.bincount(row, values, n_item)

    size = np.maximum(number, 1)
    covariance = summed(x * y) - summed(x) * summed(y) / size
    spread = (summed(x**2) - summed(x) ** 2 / size) * (
        summed(y**2) - summed(y) ** 2 / size
    )
    known = (number > 3) & (spread > 1e-12)
    return np.where(known, covariance / np.sqrt(np.where(known, spread, 1)), np.nan)


def _reversed(items: Side, constant: Bool[np.ndarray, " item"]) -> Iterator[Flag]:
    correlation = item_rest_correlation(items)
    bounded = np.clip(np.nan_to_num(correlation), -0.999999, 0.999999)
    z = np.arctanh(bounded) * np.sqrt(np.maximum(items.count - 3, 0))
    for k in np.flatnonzero((z < REVERSED_Z) & ~constant).tolist():
        yield Flag(
            "reversed",
            "item",
            (items.ids[k],),
            float(correlation[k]),
            f"Systems that do better elsewhere do worse on item {shown(items.ids[k])} "
            f"(item-rest correlation {correlation[k]:.2f}). Look for a wrong key or a "
            "turned scale; a model with positive slopes cannot follow it.",
        )


def _disconnected(
    responses: AbstractResponses, ids: Sequence[Hashable]
) -> Iterator[Flag]:
    first, *others = design_graph(responses).groups() or ((),)
    for group in others:
        members = tuple(ids[k] for k in group)
        yield Flag(
            "disconnected",
            "system",
            members,
            float(len(members)),
            f"No chain of shared items connects {listed(members)} with "
            f"{listed(ids[k] for k in first)}. Their scales are joined by the priors "
            "alone: compare within a group, or run items of one group on the other.",
        )
