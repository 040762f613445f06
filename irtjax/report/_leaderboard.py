"""The ranking as a picture: every system's score with its interval, best on top."""

import matplotlib.axes
import numpy as np
from jaxtyping import Int

from irtjax.ranking import Ranking

from ._blocks import Figure
from ._draw import INK, SERIES, clip_label, finish, new_figure, style

_MOST = 60


def leaderboard_figure(
    ranking: Ranking, *, top: int = _MOST, name: str = "scores"
) -> Figure:
    """Return the systems' scores with their intervals, best on top.

    Neighbouring groups of systems that the data cannot tell apart stand on different
    backgrounds. Only the first `top` systems are drawn; a line says what was left out.

    Args:
        ranking: any ranker's.
        top: how many systems to draw at most, 1 or more.
        name: an identifier, unique on the page.

    Raises:
        ValueError: no system has a score.
    """
    order = ranking.best_first()
    order = order[np.isfinite(ranking.score[order])]
    if not order.size:
        raise ValueError("No system has a score: there is no leaderboard to draw.")
    drawn, left_out = order[:top], order[top:]
    place = np.arange(len(drawn))
    barely = np.array(["barely measured" in ranking.flags[k] for k in drawn])
    opened = (
        " An open circle is a system measured on one or two items."
        if barely.any()
        else ""
    )
    with style():
        drawing = new_figure(6.0, 0.21 * len(drawn) + (1.2 if left_out.size else 0.9))
        ax = drawing.subplots()
        _shade_groups(ax, ranking.tie_group[drawn])
        ax.hlines(place, ranking.lower[drawn], ranking.upper[drawn], SERIES[0])
        ax.plot(ranking.score[drawn], place, "o", color=SERIES[0])
        ax.plot(
            ranking.score[drawn][barely],
            place[barely],
            "o",
            color=SERIES[0],
            markerfacecolor="white",
        )
        ax.set_yticks(
            place, [_label(ranking, system) for system in drawn.tolist()], fontsize=8
        )
        ax.set_ylim(len(drawn) - 0.4 + (1.4 if left_out.size else 0), -0.6)
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
        ax.grid(axis="x")
        ax.set_xlabel(f"{ranking.scale}, with {ranking.level:.0%} intervals")
        if left_out.size:
            _summarise(ax, ranking, left_out, len(drawn) + 0.3)
        return finish(
            drawing,
            name=name,
            caption=(
                f"Scores by `{ranking.ranker}` with {ranking.level:.0%} intervals. "
                "Systems on the same background cannot be told apart. Overlapping "
                "intervals alone do not show that two systems are equal: their errors "
                f"are correlated, which the groups take into account.{opened}"
            ),
            alt=_alt(ranking, order),
        )


def _shade_groups(ax: matplotlib.axes.Axes, group: Int[np.ndarray, " row"]) -> None:
    """Put every second tie group on a faint band."""
    starts = np.flatnonzero(np.diff(group, prepend=group[0] - 1))
    ends = np.append(starts[1:], len(group))
    for start, end in zip(starts[::2], ends[::2], strict=True):
        ax.axhspan(start - 0.5, end - 0.5, color=INK, alpha=0.07, linewidth=0)


def _label(ranking: Ranking, system: int) -> str:
    return f"{clip_label(str(ranking.system_ids[system]))} · {ranking.rank[system]:g}"


def _summarise(
    ax: matplotlib.axes.Axes,
    ranking: Ranking,
    left_out: Int[np.ndarray, " system"],
    height: float,
) -> None:
    """Draw the range of the systems left out as one grey line with its count."""
    low, high = ranking.score[left_out].min(), ranking.score[left_out].max()
    ax.hlines(height, low, high, SERIES[6], linewidth=4, alpha=0.6)
    ax.annotate(
        f"{len(left_out)} more systems",
        (high, height),
        (5, 0),
        textcoords="offset points",
        va="center",
        fontsize=8,
    )


def _alt(ranking: Ranking, order: Int[np.ndarray, " system"]) -> str:
    """Return the first ten systems and the last, with intervals where known."""
    listed = list(order[:10]) + ([order[-1]] if len(order) > 10 else [])
    sentences = [
        f"{len(order)} systems by {ranking.ranker}, {ranking.scale}; the first ten and "
        f"the last, with {ranking.level:.0%} intervals."
    ]
    for system in listed:
        sentence = (
            f"{ranking.rank[system]:g}. {ranking.system_ids[system]}: "
            f"{ranking.score[system]:.3f}"
        )
        if np.isfinite(ranking.lower[system]):
            sentence += (
                f", from {ranking.lower[system]:.3f} to {ranking.upper[system]:.3f}, "
                f"rank {ranking.rank_lower[system]:g} to {ranking.rank_upper[system]:g}"
            )
        sentences.append(f"{sentence}.")
    return " ".join(sentences)
