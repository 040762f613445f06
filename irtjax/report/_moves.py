"""Who changes place against the plain mean, and why, in plain words."""

import numpy as np

from irtjax.data import ResponseTable, cell_means, group_mean
from irtjax.ranking import Ranking

from ._move_table import move_interval

_MOST = 5
_ALIKE = 0.005  # a difference of mean scores too small to explain a move


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
    cells = cell_means(table.responses)
    n_system, n_item = table.responses.shape
    item_mean = group_mean(cells.item, cells.score, n_item)
    own = group_mean(cells.system, item_mean[cells.item], n_system)
    typical = float(np.nanmean(item_mean))
    complete = len(cells.score) == n_system * n_item
    sentences = []
    for system in movers[:_MOST]:
        rises = bool(change[system] > 0)
        sentence = (
            f"{ranking.system_ids[system]} moves {'up' if rises else 'down'} from "
            f"{ranking.plain_rank[system]:g} to {ranking.rank[system]:g} "
            f"({ranking.level:.0%} interval of the move "
            f"{move_interval(ranking, int(system)).text})"
        )
        if not complete:
            n_own = int(ranking.n_item[system])
            reason = _reason(rises, n_own, n_item, float(own[system]), typical)
            sentence += f": {reason}"
        lower, upper = (
            ranking.joint_rank_lower[system],
            ranking.joint_rank_upper[system],
        )
        if lower <= ranking.plain_rank[system] <= upper:
            verdict = "With all systems judged together, the data do not rule its plain rank out."
        else:
            verdict = "Even with all systems judged together, the data rule its plain rank out."
        sentences.append(f"{sentence}. {verdict}")
    if len(movers) > _MOST:
        left_out = len(movers) - _MOST
        sentences.append(f"{left_out:,} more systems move by a rank or more.")
    return tuple(sentences)


def _reason(rises: bool, n_own: int, n_all: int, own: float, typical: float) -> str:
    """Return why a system stands elsewhere by its plain mean, as far as one can see."""
    if n_own == n_all:
        return (
            "it ran every item, so the move comes from the items that others ran, or "
            "from how much each item tells; the plain mean takes all to be equal"
        )
    ran = (
        f"it ran {n_own:,} of {n_all:,} items, with mean score {own:.3f} over all "
        "systems that ran them"
    )
    if abs(own - typical) < _ALIKE:
        return f"{ran}, as hard as the average item ({typical:.3f})"
    easier = own > typical
    compared = f"{'easier' if easier else 'harder'} than the average item"
    if easier == rises:
        return (
            f"{ran}; these are {compared} ({typical:.3f}), so the move has another "
            "cause: what its neighbours ran, or how much each item tells"
        )
    effect = "flatters" if easier else "hurts"
    return f"{ran}; these are {compared} ({typical:.3f}), which {effect} its plain mean"
