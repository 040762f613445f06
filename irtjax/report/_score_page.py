"""The report on systems scored on a bank, and the same as data and as lines."""

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np
import scipy.special
from jaxtyping import Float64, Int

from irtjax.data import ResponseTable
from irtjax.irt import SCORE_MESSAGES, SCORES, Calibration, Scores

from ._blocks import Cell, Column, Listing, Section, Table, Text
from ._json_values import rows_of
from ._lines import separated
from ._page import page
from ._ranking_record import versions
from ._ranking_table import interval_cell


class ScoredSystems(NamedTuple):
    """Systems on a bank's scale, best first.

    Attributes:
        system: each one's identifier.
        ability: in the bank's logits; infinite where the scorer has no finite answer.
        se: its standard error, with that of the items' calibration.
        lower: lower end of its interval.
        upper: upper end.
        items: how many items of the bank the system answered.
        mean: plain mean outcome on those.
        code: how the score came about, one of `SCORES` by name.
    """

    system: tuple[Hashable, ...]
    ability: Float64[np.ndarray, " system"]
    se: Float64[np.ndarray, " system"]
    lower: Float64[np.ndarray, " system"]
    upper: Float64[np.ndarray, " system"]
    items: Int[np.ndarray, " system"]
    mean: Float64[np.ndarray, " system"]
    code: tuple[str, ...]


def scored_systems(
    scores: Scores, table: ResponseTable, *, level: float | int = 0.95
) -> ScoredSystems:
    """Return the scores of a table's systems, best first.

    Args:
        scores: of `table`.
        table: of items that the bank has.
        level: coverage of the intervals, within (0, 1).

    Raises:
        ValueError: if the level is out of range.
    """
    if not 0 < level < 1:
        raise ValueError(f"`level` must lie between 0 and 1, got {level}.")
    ability = np.asarray(scores.ability, np.float64)
    se = np.asarray(scores.se, np.float64)
    half = scipy.special.ndtri((1 + level) / 2) * se
    # An infinite ability has no interval; its code says why.
    half = np.where(np.isfinite(ability), half, np.nan)
    order = np.argsort(-np.nan_to_num(ability, nan=-np.inf), kind="stable")
    codes = np.asarray(scores.code)
    return ScoredSystems(
        tuple(table.system_ids[k] for k in order),
        ability[order],
        se[order],
        (ability - half)[order],
        (ability + half)[order],
        np.asarray(table.responses.observed()).sum(axis=1)[order],
        table.plain_means()[order],
        tuple(SCORES(int(codes[k])).name for k in order),
    )


def score_lines(found: ScoredSystems) -> str:
    """Return one tab-separated line a system, best first.

    Args:
        found: on one bank.
    """
    return separated(found._fields, zip(*found, strict=True))


def score_record(
    found: ScoredSystems, table: ResponseTable, scorer: str, level: float
) -> dict:
    """Return scores as values that JSON can hold.

    Args:
        found: of `table`.
        table: the same table.
        scorer: the scorer's name.
        level: of the intervals.
    """
    return {
        "versions": versions(),
        "source": table.source,
        "scorer": scorer,
        "level": level,
        "systems": rows_of(found),
    }


def score_remarks(
    found: ScoredSystems, bank: Calibration, unknown: tuple[Hashable, ...]
) -> tuple[str, ...]:
    """Return what was left out and what is special about scores, in sentences.

    Args:
        found: on `bank`.
        bank: the items.
        unknown: items that the bank has not.
    """
    most = int(found.items.max(initial=0))
    said = [
        f"Scored on {most:,} of the bank's {len(bank.item_ids):,} items at most; errors "
        "include those of the items' calibration."
    ]
    if unknown:
        shown = ", ".join(map(str, unknown[:5]))
        more = f" and {len(unknown) - 5:,} more" if len(unknown) > 5 else ""
        said.append(
            f"warning: {len(unknown):,} items are not in the bank and were left out: "
            f"{shown}{more}."
        )
    for code in SCORES:
        names = [
            str(system)
            for system, own in zip(found.system, found.code, strict=True)
            if own == code.name
        ]
        if names and code is not SCORES.ordinary:
            more = f" and {len(names) - 5:,} more" if len(names) > 5 else ""
            shown = ", ".join(names[:5])
            said.append(f"warning: {SCORE_MESSAGES[code]}: {shown}{more}.")
    return tuple(said)


def scored_table(found: ScoredSystems, *, level: float = 0.95) -> Table:
    """Return one row a system, best first.

    Args:
        found: on one bank.
        level: of the intervals.
    """
    return Table(
        caption=f"{len(found.system):,} systems on the bank's scale, best first.",
        columns=(
            Column("system"),
            Column(
                "ability", importance=1, note="In the bank's logits; higher is better."
            ),
            Column(f"{level:.0%} interval", importance=2),
            Column(
                "items", importance=3, note="Of the bank, that the system answered."
            ),
            Column("plain mean", importance=5, note="On those items."),
            Column("remark", importance=4),
        ),
        rows=tuple(
            (
                str(found.system[k]),
                float(found.ability[k]),
                interval_cell(found.lower[k], found.upper[k], "z.3f"),
                Cell(f"{found.items[k]:,}", int(found.items[k])),
                float(found.mean[k]),
                "" if found.code[k] == SCORES.ordinary.name else found.code[k],
            )
            for k in range(len(found.system))
        ),
        name="scored",
    )


def score_page(
    found: ScoredSystems,
    table: ResponseTable,
    bank: Calibration,
    unknown: tuple[Hashable, ...],
    *,
    scorer: str,
    level: float,
) -> str:
    """Return the report of scores as one self-contained HTML page.

    Args:
        found: of `table`.
        table: the same table.
        bank: the items.
        unknown: items that the bank has not.
        scorer: the scorer's name.
        level: of the intervals.
    """
    method = (
        f"Abilities by `{scorer}` under `{type(bank.model).__name__}`, the items as "
        "they were calibrated. A score's variance adds, to first order, what the errors "
        "of the items' parameters do to it. Scores of one bank are on one scale, "
        "whichever items were answered."
    )
    sections = (
        Section("In short", [Listing(score_remarks(found, bank, unknown))]),
        Section("Scores", [scored_table(found, level=level)]),
        Section("Method", [Text(method)]),
    )
    used = ", ".join(f"{name} {number}" for name, number in versions().items())
    footer = f"Made by `irtjax score` from {table.source}. {used}."
    return page(f"Scores of {table.source}", sections, footer)
