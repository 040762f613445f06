"""Systems and items on one scale: who is able to do what."""

import matplotlib.axes
import matplotlib.ticker
import numpy as np
import scipy.special
from jaxtyping import Float64, Int

from irtjax.ranking import ItemScale, Ranking

from ._blocks import Figure
from ._draw import INK, SERIES, clip_label, finish, new_figure, style

_MOST_LABELS = 60


def item_map(ranking: Ranking, *, name: str = "item-map") -> Figure:
    """Return abilities above and items with their errors below, on one scale.

    An item stands where a system with that ability gets it right as often as wrong, the
    hardest on top. Items that nobody ran are left out.

    Args:
        ranking: of a ranker whose items have a difficulty.
        name: an identifier, unique on the page.

    Raises:
        ValueError: the ranking has no scores or no items to draw.

    References:
        Wright & Stone (1979), *Best Test Design*, ch. 1, for the map.
    """
    ability = ranking.score[np.isfinite(ranking.score)]
    items = ranking.items
    if items is None or not ability.size or not items.n_system.any():
        raise ValueError("There are no items on the scale of the scores to draw.")
    order = np.argsort(-items.difficulty, kind="stable")
    order = order[items.n_system[order] > 0]
    reach = scipy.special.ndtri((1 + ranking.level) / 2) * items.se
    labelled = len(order) <= _MOST_LABELS
    with style():
        tall = 0.2 * len(order) if labelled else 6.0
        drawing = new_figure(6.0, 2.1 + max(tall, 0.8))
        above, below = drawing.subplots(
            2, 1, sharex=True, height_ratios=[1.1, max(tall, 0.8)]
        )
        _draw_systems(above, ability)
        _draw_items(below, items, order, reach, labelled)
        low, high = _limits(ability, items.difficulty[order], reach[order])
        below.set_xlim(low, high)
        below.set_xlabel(
            f"{ranking.scale}; items with {ranking.level:.0%} intervals", loc="left"
        )
        return finish(
            drawing,
            name=name,
            caption=(
                "Systems and items on one scale. A system to the right of an item gets "
                "it right more often than not. Items far from most systems say little "
                "about their order; wide bars are items that the data hardly place."
            ),
            alt=_alt(ability, items, order, reach, ranking.level),
        )


def _draw_systems(ax: matplotlib.axes.Axes, ability: Float64[np.ndarray, " system"]):
    ax.hist(ability, bins=min(30, max(6, len(ability) // 4)), color=SERIES[0])
    ax.yaxis.set_major_locator(matplotlib.ticker.MaxNLocator(3, integer=True))
    ax.set_ylabel("systems")
    ax.tick_params(labelbottom=False)


def _draw_items(
    ax: matplotlib.axes.Axes,
    items: ItemScale,
    order: Int[np.ndarray, " shown"],
    reach: Float64[np.ndarray, " item"],
    labelled: bool,
) -> None:
    place, at, half = np.arange(len(order)), items.difficulty[order], reach[order]
    ax.hlines(
        place, at - half, at + half, SERIES[1], linewidth=1.8 if labelled else 0.7
    )
    ax.plot(at, place, "s", color=SERIES[1], markersize=4 if labelled else 2)
    ax.set_ylim(len(order) - 0.4, -0.6)
    if labelled:
        names = [clip_label(str(items.item_ids[k])) for k in order.tolist()]
        ax.set_yticks(place, names, fontsize=8)
    else:
        ax.set_yticks([])
        ax.set_ylabel(f"{len(order):,} items, hardest on top")
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.grid(axis="x", color=INK)


def _limits(
    ability: Float64[np.ndarray, " system"],
    difficulty: Float64[np.ndarray, " shown"],
    reach: Float64[np.ndarray, " shown"],
) -> tuple[float, float]:
    """Return ends that hold every point, and of the bars what does not squeeze those."""
    points = np.concatenate([ability, difficulty])
    low, high = float(points.min()), float(points.max())
    room = max(0.5 * (high - low), 0.5)
    low = max(float((difficulty - reach).min()), low - room)
    high = min(float((difficulty + reach).max()), high + room)
    low, high = min(low, float(points.min())), max(high, float(points.max()))
    pad = 0.03 * (high - low)
    return low - pad, high + pad


def _alt(
    ability: Float64[np.ndarray, " system"],
    items: ItemScale,
    order: Int[np.ndarray, " shown"],
    reach: Float64[np.ndarray, " item"],
    level: float,
) -> str:
    """Return the ranges, and the hardest and the easiest items."""

    def said(k: int) -> str:
        at, half = items.difficulty[k], reach[k]
        return f"{items.item_ids[k]} {at:.2f} ({at - half:.2f} to {at + half:.2f})"

    hardest = ", ".join(said(int(k)) for k in order[:5])
    easiest = ", ".join(said(int(k)) for k in order[:-6:-1])
    return (
        f"{len(ability):,} systems from {ability.min():.2f} to {ability.max():.2f}, half "
        f"of them above {np.median(ability):.2f}. {len(order):,} items from "
        f"{items.difficulty[order].min():.2f} to {items.difficulty[order].max():.2f}. "
        f"Hardest, with {level:.0%} intervals: {hardest}. Easiest: {easiest}."
    )
