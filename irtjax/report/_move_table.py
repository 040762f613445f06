"""Every system's move between the plain mean and the ranker, with its interval."""

import numpy as np
from jaxtyping import Float64

from irtjax.data import ResponseTable, cell_means, group_mean
from irtjax.ranking import Ranking

from ._blocks import Cell, Column, Table
from ._ranking_table import rank_cell

MINUS = "\N{MINUS SIGN}"


def move_table(ranking: Ranking, table: ResponseTable, *, name: str = "moves") -> Table:
    """Return one row a system that moves by a rank or more, the largest moves first.

    Args:
        ranking: of `table`.
        table: the same table.
        name: an identifier, unique on the page.
    """
    change = ranking.plain_rank - ranking.rank
    order = np.lexsort((ranking.rank, -np.abs(np.nan_to_num(change))))
    movers = order[np.abs(np.nan_to_num(change[order])) >= 1]
    ease, unit = _ease(ranking, table)
    flagged = any(ranking.flags[k] for k in movers)
    columns = [
        Column("system"),
        Column("plain rank"),
        Column("rank"),
        Column("move", note="Ranks gained against the plain mean."),
        Column(
            f"{ranking.level:.0%} interval",
            note="Of the move: the plain rank is what the table shows, the rank is "
            "uncertain by its own interval.",
        ),
        Column("its items", note=unit),
        Column("items", note="How many items the system ran."),
    ]
    if flagged:
        columns.append(Column("remarks"))
    rows = []
    for k in movers.tolist():
        row = [
            str(ranking.system_ids[k]),
            rank_cell(float(ranking.plain_rank[k])),
            rank_cell(float(ranking.rank[k])),
            Cell(signed(float(change[k])), float(change[k])),
            move_interval(ranking, k),
            _compared(float(ease[k])),
            int(ranking.n_item[k]),
        ]
        rows.append((*row, ", ".join(ranking.flags[k])) if flagged else tuple(row))
    return Table(
        caption=f"The {len(rows):,} systems that move by a rank or more.",
        columns=tuple(columns),
        rows=tuple(rows),
        name=name,
    )


def move_interval(ranking: Ranking, system: int) -> Cell:
    """Return the interval of a system's move against its plain rank.

    Args:
        ranking: any ranker's.
        system: its position.
    """
    low = float(ranking.plain_rank[system] - ranking.rank_upper[system])
    high = float(ranking.plain_rank[system] - ranking.rank_lower[system])
    if np.isnan(low) or np.isnan(high):
        return Cell("–", float("nan"))
    return Cell(f"{signed(low)} to {signed(high)}", low)


def signed(move: float) -> str:
    """Return a number of ranks with its sign, as in +2.5."""
    return "0" if move == 0 else f"{move:+g}".replace("-", MINUS)


def _ease(
    ranking: Ranking, table: ResponseTable
) -> tuple[Float64[np.ndarray, " system"], str]:
    """Return how much easier a system's items are than the average, and in what unit."""
    n_system, n_item = table.responses.shape
    cells = cell_means(table.responses)
    if ranking.items is None:
        ease = group_mean(cells.item, cells.score, n_item)
        unit = (
            "How much easier than the average item those are that the system ran, by "
            "their mean outcome over all systems that ran them."
        )
    else:
        ease = np.where(ranking.items.n_system > 0, -ranking.items.difficulty, np.nan)
        unit = (
            "How much easier, in logits of difficulty, the items are that the system "
            "ran than the average item."
        )
    own = group_mean(cells.system, ease[cells.item], n_system)
    return own - float(np.nanmean(ease)), unit


def _compared(ease: float) -> Cell:
    if np.isnan(ease):
        return Cell("–", ease)
    if abs(ease) < 0.005:
        return Cell("as hard", ease)
    return Cell(f"{abs(ease):.2f} {'easier' if ease > 0 else 'harder'}", ease)
