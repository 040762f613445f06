"""Item characteristic curves with what was observed, one panel an item."""

import math
from collections.abc import Sequence

import matplotlib.axes
import numpy as np
from jaxtyping import Int

from irtjax.irt.diagnostics import ItemCurves, ObservedPoints

from ._blocks import Figure
from ._draw import SERIES, clip_label, finish, new_figure, style

MOST_PANELS = 12
_COLUMNS = 3
_FINEST = 0.01  # information below this a squared logit is drawn as none


def item_curves_figure(
    curves: ItemCurves,
    observed: ObservedPoints,
    items: Sequence[int] | Int[np.ndarray, " shown"],
    labels: Sequence[str],
    *,
    name: str = "item-curves",
    level: float = 0.95,
) -> Figure:
    """Return the curve, its band and the observed points of a few items.

    Below each curve stands the item's information, on one scale for all panels.

    Args:
        curves: of every item.
        observed: of every item.
        items: positions of the items to draw, at most twelve.
        labels: the names of those items.
        name: an identifier, unique on the page.
        level: of the band and the intervals, for the caption.

    Raises:
        ValueError: no item, more than twelve, or labels that are not as many.
    """
    shown = [int(item) for item in items]
    if not 0 < len(shown) <= MOST_PANELS:
        raise ValueError(
            f"`items` must be 1 to {MOST_PANELS} positions, got {len(shown)}."
        )
    if len(labels) != len(shown):
        raise ValueError(f"There are {len(shown)} items and {len(labels)} labels.")
    n_column = min(_COLUMNS, len(shown))
    n_row = math.ceil(len(shown) / n_column)
    information = np.asarray(curves.information)[shown]
    highest = max(float(information.max(initial=0)), _FINEST)
    with style():
        drawing = new_figure(2.5 * n_column + 0.7, 2.0 * n_row + 0.6)
        axes = drawing.subplots(
            n_row, n_column, squeeze=False, sharex=True, sharey=True
        )
        for k, ax in enumerate(axes.flat):
            if k >= len(shown):
                ax.set_axis_off()
                continue
            _panel(ax, curves, observed, shown[k], highest)
            ax.set_title(clip_label(labels[k], 26), fontsize=9)
            ax.tick_params(labelbottom=k + n_column >= len(shown))
        axes[0, 0].set_ylim(-0.03, 1.03)
        axes[0, 0].set_xlim(float(curves.ability[0]), float(curves.ability[-1]))
        drawing.supxlabel("ability, in logits", fontsize=10)
        drawing.supylabel("mean score", fontsize=10)
        return finish(
            drawing,
            name=name,
            caption=(
                f"What the model expects (line, with a {level:.0%} band for the item's "
                "parameters) and what systems of about the same ability did (points, "
                f"with {level:.0%} intervals). Points away from the band are misfit. "
                "The shaded ground is the item's information about ability, on one "
                f"scale for all: its highest peak here is {highest:.2f} a squared logit."
            ),
            alt=_alt(curves, observed, shown, labels),
        )


def _panel(
    ax: matplotlib.axes.Axes,
    curves: ItemCurves,
    observed: ObservedPoints,
    item: int,
    highest: float,
) -> None:
    x = np.asarray(curves.ability)
    ax.fill_between(
        x,
        0,
        0.3 * np.asarray(curves.information[item]) / highest,
        color=SERIES[6],
        alpha=0.3,
        linewidth=0,
    )
    ax.fill_between(
        x,
        np.asarray(curves.lower[item]),
        np.asarray(curves.upper[item]),
        color=SERIES[0],
        alpha=0.2,
        linewidth=0,
    )
    ax.plot(x, np.asarray(curves.expected[item]), color=SERIES[0])
    known = np.isfinite(np.asarray(observed.share[item]))
    at, share, low, high = (
        np.asarray(part[item])[known]
        for part in (observed.ability, observed.share, observed.lower, observed.upper)
    )
    inside = (at >= x[0]) & (at <= x[-1])
    ax.vlines(at[inside], low[inside], high[inside], SERIES[1], linewidth=1)
    ax.plot(at[inside], share[inside], "o", color=SERIES[1], markersize=3.5)
    ax.grid(axis="y")


def _alt(
    curves: ItemCurves,
    observed: ObservedPoints,
    shown: list[int],
    labels: Sequence[str],
) -> str:
    """Return where each item's curve crosses one half, and its worst point."""
    sentences = ["Item characteristic curves with observed mean scores."]
    x = np.asarray(curves.ability)
    for item, label in zip(shown, labels, strict=True):
        curve = np.asarray(curves.expected[item])
        at, share = np.asarray(observed.ability[item]), np.asarray(observed.share[item])
        known = np.isfinite(share)
        if not known.any():
            sentences.append(f"{label}: nothing observed.")
            continue
        gap = share[known] - np.interp(at[known], x, curve)
        worst = int(np.argmax(np.abs(gap)))
        sentences.append(
            f"{label}: from {curve[0]:.2f} at {x[0]:g} to {curve[-1]:.2f} at {x[-1]:g}; "
            f"observed scores lie within {abs(gap[worst]):.2f} of the curve, furthest at "
            f"{at[known][worst]:.2f}."
        )
    return " ".join(sentences)
