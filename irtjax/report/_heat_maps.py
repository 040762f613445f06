"""Heat maps of several tables on one colour scale."""

import math
from collections.abc import Mapping, Sequence

import matplotlib
import matplotlib.axes
import matplotlib.colors
import matplotlib.patches
import numpy as np
from jaxtyping import Float, Real

from ._blocks import Figure
from ._draw import finish, new_figure, style

_COLUMNS = 3
_PANEL_WIDTH = 3.0
_CELL_WIDTH_FOR_LABELS = 0.2  # inches: two digits of the smallest legible type


def heat_maps(
    panels: Mapping[str, Real[np.ndarray, "_ _"]],
    *,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    row_title: str,
    column_title: str,
    value_title: str,
    name: str,
    caption: str,
    digits: int = 2,
    lower: float | int | None = None,
    upper: float | int | None = None,
    gamma: float | int = 0.5,
) -> Figure:
    """Return one heat map a panel, all on the same colour scale.

    A cell that is NaN or infinite is hatched. Cells carry their value where it fits,
    with the leading zero left out.

    Args:
        panels: title of each panel and its table, all of one shape.
        row_labels: one a row, top to bottom.
        column_labels: one a column, left to right.
        row_title: what the rows are.
        column_title: what the columns are.
        value_title: what the cells hold, with its unit.
        name: an identifier, unique on the page.
        caption: what the figure shows.
        digits: decimals of the cell labels.
        lower: value of the darkest colour; the smallest one present if not given.
        upper: value of the brightest colour; the largest one present if not given.
        gamma: exponent of the colour scale: below 1 shows differences among small
            values beside a few large ones, 1 is linear.

    Raises:
        ValueError: no panel, or a panel whose shape is not that of the labels.
    """
    shape = (len(row_labels), len(column_labels))
    if not panels:
        raise ValueError("`panels` is empty: there is nothing to draw.")
    tables = {title: np.asarray(table, float) for title, table in panels.items()}
    for title, table in tables.items():
        if table.shape != shape:
            raise ValueError(
                f"Panel {title!r} has shape {table.shape}; the labels say {shape}."
            )
    present = np.concatenate([table[np.isfinite(table)] for table in tables.values()])
    lowest, highest = (present.min(), present.max()) if present.size else (0.0, 1.0)
    scale = matplotlib.colors.PowerNorm(
        gamma,
        lowest if lower is None else lower,
        highest if upper is None else upper,
    )

    n_column = min(_COLUMNS, len(tables))
    n_row = math.ceil(len(tables) / n_column)
    panel_height = min(max(0.19 * shape[0], 1.2), 5.0) + 0.6
    with style():
        drawing = new_figure(n_column * _PANEL_WIDTH + 0.9, n_row * panel_height + 0.3)
        axes = drawing.subplots(
            n_row, n_column, squeeze=False, sharex=True, sharey=True
        )
        mesh = None
        for k, ax in enumerate(axes.flat):
            if k >= len(tables):
                ax.set_axis_off()
                continue
            title, table = list(tables.items())[k]
            mesh = _panel(ax, table, scale, digits)
            ax.set_title(title)
            # The last row may be short: label where the column of panels ends.
            ax.tick_params(labelbottom=k + n_column >= len(tables))
            _thin_ticks(ax.set_xticks, column_labels, most=8)
            _thin_ticks(ax.set_yticks, row_labels, most=15)
        drawing.supxlabel(column_title, fontsize=10)
        drawing.supylabel(row_title, fontsize=10)
        assert mesh is not None
        bar = drawing.colorbar(mesh, ax=axes, shrink=0.8, aspect=30, pad=0.02)
        bar.set_label(value_title)
        bar.outline.set_visible(False)
        return finish(
            drawing,
            name=name,
            caption=caption,
            alt=_alt(
                tables, row_labels, column_labels, row_title, column_title, value_title
            ),
        )


def _panel(
    ax: matplotlib.axes.Axes,
    table: Float[np.ndarray, "row column"],
    scale: matplotlib.colors.Normalize,
    digits: int,
):
    n_row, n_column = table.shape
    missing = ~np.isfinite(table)
    mesh = ax.pcolormesh(
        np.arange(n_column + 1) - 0.5,
        np.arange(n_row + 1) - 0.5,
        np.ma.array(table, mask=missing),
        norm=scale,
        linewidth=0,
    )
    ax.set_ylim(n_row - 0.5, -0.5)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    for row, column in np.argwhere(missing):
        blank = matplotlib.patches.Rectangle(
            (column - 0.5, row - 0.5), 1, 1, fill=False
        )
        blank.set(hatch="////", linewidth=0, in_layout=False)
        ax.add_patch(blank)
    if (_PANEL_WIDTH - 0.4) / n_column >= _CELL_WIDTH_FOR_LABELS and n_row <= 30:
        colours = mesh.cmap(scale(np.where(missing, 0, table)))
        luminance = colours[..., :3] @ np.array([0.2126, 0.7152, 0.0722])
        for row, column in np.argwhere(~missing):
            ax.text(
                column,
                row,
                _short(float(table[row, column]), digits),
                ha="center",
                va="center",
                fontsize=6.5,
                color="#000000" if luminance[row, column] > 0.45 else "#ffffff",
                in_layout=False,  # inside the panel: a hundredfold cheaper layout
            )
    return mesh


def _short(value: float, digits: int) -> str:
    """Return a number without its leading zero: ".07", "−.12", "1.00"."""
    if value == 0:
        return "0"
    text = f"{value:.{digits}f}".replace("-", "−")
    return text.replace("0.", ".", 1) if text.lstrip("−").startswith("0.") else text


def _thin_ticks(set_ticks, labels: Sequence[str], most: int) -> None:
    """Label every k-th place, counted from the first, so that at most `most` are."""
    step = math.ceil(len(labels) / most)
    places = range(0, len(labels), step)
    set_ticks(list(places), [labels[place] for place in places])


def _alt(
    tables: dict[str, np.ndarray],
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    row_title: str,
    column_title: str,
    value_title: str,
) -> str:
    """Return each panel's mean, range and the place of its largest value."""
    sentences = [
        f"Heat map of {value_title} over {row_title} (rows, {row_labels[0]} to "
        f"{row_labels[-1]}) and {column_title} (columns, {column_labels[0]} to "
        f"{column_labels[-1]})."
    ]
    for title, table in tables.items():
        known = np.isfinite(table)
        if not known.any():
            sentences.append(f"{title}: no value.")
            continue
        worst = int(np.argmax(np.where(known, table, -np.inf)))
        row, column = divmod(worst, table.shape[1])
        place = f"{row_title} {row_labels[row]}, {column_title} {column_labels[column]}"
        missing = "" if known.all() else f", {np.sum(~known)} missing"
        sentences.append(
            f"{title}: mean {table[known].mean():.4f}, from {table[known].min():.4f} "
            f"to {table[row, column]:.4f}, the largest at {place}{missing}."
        )
    return " ".join(sentences)
