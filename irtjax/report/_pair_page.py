"""The report on two systems, and the same as data and as lines."""

import numpy as np

from irtjax.ranking import SystemComparison

from ._blocks import Block, Column, Listing, Section, Table, Text, signed_value
from ._json_values import json_value
from ._lines import separated
from ._page import page
from ._ranking_record import versions

_NAMES = ("by", "first", "second", "difference", "lower", "upper")


def pair_lines(found: SystemComparison) -> str:
    """Return one tab-separated line a way to compare, the paired one first.

    Args:
        found: of two systems.
    """
    paired = found.paired
    names = (*_NAMES, "p_value", "p_beats", "items", "test")
    extra = (
        (paired.p_value, None, paired.items, paired.test),
        (None, found.p_beats, None, found.ranker),
    )
    return separated(
        names, [(*row, *more) for row, more in zip(_rows(found), extra, strict=True)]
    )


def pair_record(found: SystemComparison) -> dict:
    """Return a comparison as values that JSON can hold.

    Args:
        found: of two systems.
    """
    return {"versions": versions(), **json_value(found)}


def pair_remarks(found: SystemComparison) -> tuple[str, ...]:
    """Return a comparison in sentences, its caveats after it.

    Args:
        found: of two systems.
    """
    paired, sure = found.paired, f"{found.level:.0%} interval"
    said = []
    if paired.items:
        said.append(
            f"{found.first} less {found.second} on the "
            f"{_counted(paired.items)} that both ran: {signed_value(paired.difference)}, "
            f"{sure} {signed_value(paired.lower)} to {signed_value(paired.upper)} "
            f"({paired.test}: p = {paired.p_value:.3g}; {found.first} better on "
            f"{paired.wins:,}, {found.second} on {paired.losses:,})."
        )
    if np.isfinite(found.score_lower):
        said.append(
            f"By {found.ranker}: {signed_value(found.score_difference)} ({found.scale}), "
            f"{sure} {signed_value(found.score_lower)} to {signed_value(found.score_upper)}; "
            f"{found.first} is the better one with probability {_chance(found.p_beats)}."
        )
    return (*said, *found.remarks)


def pair_table(found: SystemComparison) -> Table:
    """Return one row a way to compare, the paired one first.

    Args:
        found: of two systems.
    """
    first, second = str(found.first), str(found.second)
    return Table(
        caption=f"{first} less {second}, with {found.level:.0%} intervals.",
        columns=(
            Column("by"),
            Column(first, importance=4),
            Column(second, importance=5),
            Column("difference", importance=1),
            Column("lower", importance=2),
            Column("upper", importance=3),
        ),
        rows=tuple(_rows(found)),
        name="differences",
    )


def pair_page(found: SystemComparison) -> str:
    """Return the report of a comparison as one self-contained HTML page.

    Args:
        found: of two systems.
    """
    first, second = str(found.first), str(found.second)
    said = pair_remarks(found)
    n_caveat = len(found.remarks)
    short: list[Block] = []
    if said[: len(said) - n_caveat]:
        short.append(Text("\n\n".join(said[: len(said) - n_caveat])))
    short.append(Listing(found.remarks))
    own = Table(
        caption="Each system's plain mean on all items that it ran. They ran different "
        "items where the counts differ from those that both ran, and then these means "
        "do not say who is better.",
        columns=(
            Column("system"),
            Column("plain mean"),
            Column("lower"),
            Column("upper"),
            Column("items"),
            Column("of them shared"),
        ),
        rows=tuple(
            (str(name), mean, *ends, items, found.paired.items)
            for name, mean, ends, items in (
                (first, found.first_mean, found.first_interval, found.first_items),
                (second, found.second_mean, found.second_interval, found.second_items),
            )
        ),
        name="plain-means",
    )
    sections = (
        Section("In short", short),
        Section("The difference", [pair_table(found)]),
        Section("Unpaired", [own]),
        Section("Method", [Text(_method(found))]),
    )
    used = ", ".join(f"{name} {number}" for name, number in versions().items())
    footer = f"Made by `irtjax compare` from {found.source}. {used}."
    return page(f"{first} against {second}", sections, footer)


def _rows(
    found: SystemComparison,
) -> list[tuple[str, float, float, float, float, float]]:
    paired, nothing = found.paired, float("nan")
    return [
        (
            "items that both ran",
            found.first_shared,
            found.second_shared,
            paired.difference,
            paired.lower,
            paired.upper,
        ),
        (
            found.scale,
            nothing,
            nothing,
            found.score_difference,
            found.score_lower,
            found.score_upper,
        ),
    ]


def _method(found: SystemComparison) -> str:
    interval = {
        "McNemar, exact": "Each item has one right or wrong answer by either system: "
        "the test is McNemar's exact one, the interval Bonett and Price's (2012).",
        "paired t": "Items are the clusters: interval and test are Student's, of the "
        "items' differences in mean outcome, so that repeats of an item do not count as "
        "items.",
        "sign test": "The spread of the differences cannot be seen, so the test goes by "
        "their signs and the interval takes in two further items, one won by each.",
        "none": "There is nothing to pair.",
    }[found.paired.test]
    return (
        f"{interval}\n\nThe difference by `{found.ranker}` uses the whole table and the "
        "joint error of the two scores; the probability is that of the true difference "
        "being above 0 under a normal one."
    )


def _chance(p: float) -> str:
    """Return a probability to three decimals that never reads as a certainty."""
    if p > 0.999:
        return "above 0.999"
    return "below 0.001" if p < 0.001 else f"{p:.3f}"


def _counted(items: int) -> str:
    return "1 item" if items == 1 else f"{items:,} items"
