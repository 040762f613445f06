"""The leaderboard as a table, best system first."""

import numpy as np

from irtjax.ranking import Ranking

from ._blocks import Cell, Column, Table, Value

# Where remarks stand, so that a narrow window shows them beside the ranks.
_REMARKS = 3


def ranking_table(ranking: Ranking, *, name: str = "ranking") -> Table:
    """Return one row a system: its rank and score with intervals, and the plain mean.

    Args:
        ranking: any ranker's.
        name: an identifier, unique on the page.
    """
    banded = ranking.band_lower is not None
    flagged = any(ranking.flags)
    percent = f"{ranking.level:.0%}"
    columns = [
        Column("system"),
        Column(
            "rank",
            importance=1,
            note="1 is best; systems that tie share their mean rank.",
        ),
        Column(
            "rank interval",
            importance=2,
            note=f"The ranks that the data leave open to this system, with {percent} "
            "confidence.",
        ),
        Column(
            "joint rank interval",
            importance=7,
            note=f"With {percent} confidence all systems lie within theirs at once: "
            "the one to read when systems are picked from the list.",
        ),
        Column(
            "group",
            importance=3,
            note="A group holds a system and those below it that cannot be told apart "
            "from it, all pairs compared at once. Members of neighbouring groups may "
            "be alike too.",
        ),
        Column("score", importance=8, note=_scale(ranking.scale)),
        Column(
            f"{percent} interval",
            importance=4,
            note="Of the score, each system by itself.",
        ),
        Column(
            "P(best)",
            importance=6,
            note="Chance to be the best of the systems it can be compared with, "
            "counted in random draws: 0.000 is rare, not impossible.",
        ),
        Column(
            "plain mean", importance=5, note="Mean over the items that the system ran."
        ),
        Column(
            "plain interval",
            importance=9,
            note=f"{percent}, of the plain mean, with the items taken as a sample of "
            "those that could have been asked.",
        ),
        Column("plain rank", importance=10, note="Rank by the plain mean."),
        Column("items", importance=11, note="How many items the system ran."),
    ]
    if banded:
        columns.append(
            Column(
                "rank with other trials",
                importance=6,
                note="From the best to the worst rank with half and with twice as "
                "many trials as were declared.",
            )
        )
    if flagged:
        columns.insert(_REMARKS, Column("remarks", importance=12))
    return Table(
        caption=f"{len(ranking.system_ids):,} systems of {ranking.source}, best first.",
        columns=tuple(columns),
        rows=tuple(
            _row(ranking, int(system), flagged) for system in ranking.best_first()
        ),
        name=name,
    )


def _row(ranking: Ranking, system: int, flagged: bool) -> tuple[Value, ...]:
    row: list[Value] = [
        str(ranking.system_ids[system]),
        rank_cell(ranking.rank[system]),
        interval_cell(ranking.rank_lower[system], ranking.rank_upper[system], "g"),
        interval_cell(
            ranking.joint_rank_lower[system], ranking.joint_rank_upper[system], "g"
        ),
        int(ranking.tie_group[system]) or None,
        float(ranking.score[system]),
        interval_cell(ranking.lower[system], ranking.upper[system], "z.3f"),
        float(ranking.p_best[system]),
        float(ranking.plain_mean[system]),
        interval_cell(ranking.plain_lower[system], ranking.plain_upper[system], "z.3f"),
        rank_cell(ranking.plain_rank[system]),
        int(ranking.n_item[system]),
    ]
    if ranking.band_lower is not None and ranking.band_upper is not None:
        row.append(
            interval_cell(ranking.band_lower[system], ranking.band_upper[system], "g")
        )
    if flagged:
        row.insert(_REMARKS, ", ".join(ranking.flags[system]))
    return tuple(row)


def _scale(scale: str) -> str:
    """Return what a score is; logits are explained."""
    said = f"{scale}; higher is better."
    if "logit" in scale:
        said += " A logit is the natural logarithm of the odds."
    return said


def rank_cell(rank: float) -> Cell:
    """Return a rank without decimals unless it is shared, as in 2.5."""
    return Cell("–" if np.isnan(rank) else f"{rank:g}", float(rank))


def interval_cell(lower: float, upper: float, form: str) -> Cell:
    """Return "0.41 to 0.63"; one number where both ends read the same."""
    if np.isnan(lower) or np.isnan(upper):
        return Cell("–", float("nan"))
    low, high = (format(float(end), form).replace("-", "−") for end in (lower, upper))
    return Cell(low if low == high else f"{low} to {high}", float(lower))
