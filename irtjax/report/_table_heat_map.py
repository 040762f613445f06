"""The user's own table as a picture: who ran what, and how it went."""

import matplotlib.patches
import numpy as np

from irtjax.data import ResponseTable, cell_means, group_mean

from ._blocks import Figure
from ._draw import clip_label, finish, new_figure, style

_MOST_ROWS = 250
_MOST_COLUMNS = 400
_MOST_LABELS = 60


def table_heat_map(table: ResponseTable, *, name: str = "table-map") -> Figure:
    """Return the table with its best system on top and its easiest item at the left.

    Cells that were not observed are hatched. Where there are more systems or items than
    can be seen, neighbours are averaged and the caption says so.

    Args:
        table: any kind of responses.
        name: an identifier, unique on the page.
    """
    n_system, n_item = table.responses.shape
    cells = cell_means(table.responses)
    system_mean = group_mean(cells.system, cells.score, n_system)
    item_mean = group_mean(cells.item, cells.score, n_item)
    system_order = np.argsort(-np.nan_to_num(system_mean, nan=-1), kind="stable")
    item_order = np.argsort(-np.nan_to_num(item_mean, nan=-1), kind="stable")

    n_row, n_column = min(n_system, _MOST_ROWS), min(n_item, _MOST_COLUMNS)
    row = np.argsort(system_order)[cells.system] * n_row // n_system
    column = np.argsort(item_order)[cells.item] * n_column // n_item
    picture = group_mean(row * n_column + column, cells.score, n_row * n_column)

    coverage = len(cells.score) / (n_system * n_item)
    with style():
        height = np.clip(0.18 * n_row, 1.6, 7.5) + 1.2
        drawing = new_figure(7.2, float(height))
        ax = drawing.subplots()
        hatched = matplotlib.patches.Rectangle(
            (-0.5, -0.5), n_column, n_row, fill=False
        )
        hatched.set(hatch="///", linewidth=0, alpha=0.7, zorder=-1)
        ax.add_patch(hatched)
        image = ax.imshow(
            np.ma.masked_invalid(picture.reshape(n_row, n_column)),
            vmin=0,
            vmax=1,
            aspect="auto",
            interpolation="none",  # one pixel a cell; the page scales it
        )
        ax.spines[:].set_visible(False)
        ax.tick_params(length=0)
        if n_system <= _MOST_LABELS:
            labels = [clip_label(str(table.system_ids[k])) for k in system_order]
            ax.set_yticks(range(n_system), labels, fontsize=8)
            ax.set_ylabel("system")
        else:
            ax.set_yticks([])
            ax.set_ylabel(f"{n_system:,} systems, best plain mean on top")
        if n_item <= 30:
            labels = [clip_label(str(table.item_ids[k]), 24) for k in item_order]
            ax.set_xticks(range(n_item), labels, rotation=90, fontsize=8)
        else:
            ax.set_xticks([])
            ax.set_xlabel(f"{n_item:,} items, easiest at the left")
        bar = drawing.colorbar(image, ax=ax, shrink=0.8, pad=0.02, aspect=25)
        bar.set_label("mean score, higher is better")
        bar.outline.set_visible(False)
        best = table.system_ids[int(np.nanargmax(system_mean))]
        worst = table.system_ids[int(np.nanargmin(system_mean))]
        return finish(
            drawing,
            name=name,
            caption=_caption(n_system, n_item, n_row, n_column, coverage),
            alt=(
                f"Heat map of {n_system:,} systems by {n_item:,} items; {coverage:.1%} "
                f"of the cells observed, with mean score {cells.score.mean():.3f}. "
                f"Highest plain mean: {best}, {np.nanmax(system_mean):.3f}; lowest: "
                f"{worst}, {np.nanmin(system_mean):.3f}. Item means run from "
                f"{np.nanmin(item_mean):.3f} to {np.nanmax(item_mean):.3f}."
            ),
        )


def _caption(
    n_system: int, n_item: int, n_row: int, n_column: int, coverage: float
) -> str:
    """Return what is shown, and what was averaged to show it."""
    holes = "all of its cells" if coverage == 1 else f"{coverage:.1%} of its cells"
    hatched = "" if coverage == 1 else ", the others are hatched"
    caption = (
        f"The table as it was read: {holes} were observed{hatched}. Systems stand by "
        "plain mean, items by how easy they were."
    )
    if n_row < n_system:
        caption += f" Each row averages about {n_system / n_row:.2g} systems."
    if n_column < n_item:
        caption += f" Each column averages about {n_item / n_column:.2g} items."
    return caption
