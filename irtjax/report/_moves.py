"""Who changes place against the plain mean, and why, in plain words."""

import numpy as np

from ..data import ResponseTable
from ..ranking import Ranking
from ._cells import group_mean, observed_cells

_MOST = 8


def moves(ranking: Ranking, table: ResponseTable) -> tuple[str, ...]:
    """Return one sentence a system that moves, the largest moves first.

    The reason is read off the table: how easy the items were that the system ran, by
    their mean over all systems that ran them, against the mean of all items.

    Args:
        ranking: of `table`.
        table: the same table.
    """
    change = ranking.plain_rank - ranking.rank
    order = np.lexsort((ranking.rank, -np.abs(np.nan_to_num(change))))
    movers = [system for system in order if abs(np.nan_to_num(change[system])) >= 1]
    cells = observed_cells(table)
    n_system, n_item = table.responses.shape
    item_mean = group_mean(cells.item, cells.score, n_item)
    own = group_mean(cells.system, item_mean[cells.item], n_system)
    typical = float(np.nanmean(item_mean))
    sentences = []
    for system in movers[:_MOST]:
        verb = "up" if change[system] > 0 else "down"
        open_ranks = ranking.joint_rank_lower[system], ranking.joint_rank_upper[system]
        inside = open_ranks[0] <= ranking.plain_rank[system] <= open_ranks[1]
        sentences.append(
            f"{ranking.system_ids[system]} moves {verb} from "
            f"{ranking.plain_rank[system]:g} to {ranking.rank[system]:g}: "
            + _reason(
                int(ranking.n_item[system]),
                n_item,
                float(own[system]),
                typical,
            )
            + (
                " The data do not rule its plain rank out."
                if inside
                else " The data rule its plain rank out."
            )
        )
    if len(movers) > _MOST:
        sentences.append(f"{len(movers) - _MOST} more systems move by a rank or more.")
    return tuple(sentences)


def _reason(n_item: int, n_all: int, own: float, typical: float) -> str:
    """Return why a plain mean over a system's own items flatters or hurts it."""
    if n_item == n_all:
        return (
            "it ran every item, so the move comes from how much each item tells, "
            "which the plain mean takes to be equal."
        )
    ran = (
        f"it ran {n_item} of {n_all} items, with mean score {own:.3f} over all systems"
    )
    if abs(own - typical) < 0.005:
        return f"{ran}, as hard as the average item ({typical:.3f})."
    effect = "easier" if own > typical else "harder"
    flatters = "flatters" if own > typical else "hurts"
    return (
        f"{ran}; these are {effect} than the average item ({typical:.3f}), which "
        f"{flatters} its plain mean."
    )
