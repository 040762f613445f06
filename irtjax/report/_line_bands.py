"""Lines with bands, one a series."""

from collections.abc import Mapping

import matplotlib.axes
import matplotlib.ticker
import numpy as np
from jaxtyping import Real

from ._blocks import Figure
from ._draw import DASHES, INK, MARKERS, SERIES, finish, new_figure, style

_MOST_TICKS = 12

Series = tuple[
    Real[np.ndarray, " _"],
    Real[np.ndarray, " _"],
    Real[np.ndarray, " _"],
    Real[np.ndarray, " _"],
]


def line_bands(
    series: Mapping[str, Series],
    *,
    x_title: str,
    y_title: str,
    name: str,
    caption: str,
    reference: float | int | None = None,
    reference_title: str = "",
    logarithmic_x: bool = False,
) -> Figure:
    """Return one line a series, with the band between its lower and upper values.

    Lines differ in colour, dash and marker, so that they can be told apart in print and
    by readers who see few colours. NaN breaks a line.

    Args:
        series: name of each series and its x, mean, lower and upper values.
        x_title: what x is, with its unit.
        y_title: what the lines show, with its unit.
        name: an identifier, unique on the page.
        caption: what the figure shows, and what the bands are.
        reference: a value of y marked by a horizontal line.
        reference_title: what the reference is.
        logarithmic_x: space x by its logarithm.

    Raises:
        ValueError: no series, more than can be told apart, or lengths that differ.
    """
    if not 0 < len(series) <= len(SERIES):
        raise ValueError(
            f"`series` must hold 1 to {len(SERIES)} lines, got {len(series)}: more "
            "cannot be told apart. Draw several figures."
        )
    lines = {
        title: tuple(np.asarray(part, float) for part in parts)
        for title, parts in series.items()
    }
    for title, parts in lines.items():
        if len({part.shape for part in parts}) != 1 or parts[0].ndim != 1:
            shapes = [part.shape for part in parts]
            raise ValueError(f"Series {title!r} has parts of shapes {shapes}.")
    with style():
        drawing = new_figure(6.4, 4.0)
        ax = drawing.subplots()
        for k, (title, (x, mean, low, high)) in enumerate(lines.items()):
            ax.fill_between(x, low, high, color=SERIES[k], alpha=0.16, linewidth=0)
            ax.plot(
                x,
                mean,
                color=SERIES[k],
                linestyle=DASHES[k],
                marker=MARKERS[k],
                label=title,
            )
        if reference is not None:
            ax.axhline(
                reference,
                linewidth=1,
                linestyle=(0, (2, 2)),
                color=INK,
                label=reference_title or f"{reference:g}",
            )
        if logarithmic_x:
            ax.set_xscale("log")
            _mark_values(ax, lines)
        ax.grid(axis="y")
        ax.set_xlabel(x_title)
        ax.set_ylabel(y_title)
        drawing.legend(loc="outside lower center", ncols=3)
        return finish(
            drawing, name=name, caption=caption, alt=_alt(lines, x_title, y_title)
        )


def _mark_values(
    ax: matplotlib.axes.Axes, lines: dict[str, tuple[np.ndarray, ...]]
) -> None:
    """Mark the values of x that lines have, written out: at most `_MOST_TICKS` of them."""
    values = np.unique(np.concatenate([x for x, *_ in lines.values()]))
    step = -(-len(values) // _MOST_TICKS)
    ax.set_xticks(values[::step], [f"{value:g}" for value in values[::step]])
    ax.xaxis.set_minor_locator(matplotlib.ticker.NullLocator())


def _alt(lines: dict[str, tuple], x_title: str, y_title: str) -> str:
    """Return each line's first, last and lowest value."""
    sentences = [f"Lines of {y_title} over {x_title}."]
    for title, (x, mean, _, _) in lines.items():
        known = np.flatnonzero(np.isfinite(mean))
        if not known.size:
            sentences.append(f"{title}: no value.")
            continue
        first, last = known[0], known[-1]
        lowest = known[np.argmin(mean[known])]
        sentences.append(
            f"{title}: {mean[first]:.4f} at {x[first]:g}, {mean[last]:.4f} at "
            f"{x[last]:g}, lowest {mean[lowest]:.4f} at {x[lowest]:g}."
        )
    return " ".join(sentences)
