"""The report on two snapshots of a leaderboard, and the same as data and as lines."""

from collections.abc import Hashable, Sequence

import numpy as np

from irtjax.ranking import Moved, SnapshotComparison

from ._blocks import (
    Block,
    Cell,
    Column,
    Listing,
    Section,
    Table,
    Text,
    format_value,
    signed_value,
)
from ._json_values import json_value, rows_of
from ._lines import separated
from ._page import page
from ._ranking_record import versions
from ._ranking_table import interval_cell, rank_cell

_MOST_CELLS = 200
_SHOWN = 8


def snapshot_lines(found: SnapshotComparison) -> str:
    """Return one tab-separated line a system in both, those that moved first.

    Args:
        found: of two snapshots.
    """
    return separated(Moved._fields, zip(*found.systems, strict=True))


def snapshot_record(found: SnapshotComparison) -> dict:
    """Return a comparison as values that JSON can hold.

    Args:
        found: of two snapshots.
    """
    record = json_value(found)
    return {"versions": versions(), **record, "systems": rows_of(found.systems)}


def snapshot_remarks(found: SnapshotComparison) -> tuple[str, ...]:
    """Return what differs and what moved, in sentences.

    Args:
        found: of two snapshots.
    """
    systems = found.systems
    said = [
        f"{found.old} to {found.new}: {found.cells_same:,} cells alike, "
        f"{found.cells_added:,} added, {len(found.cells_changed):,} changed, "
        f"{found.cells_removed:,} removed."
    ]
    for what, names in (
        ("Systems added", found.systems_added),
        ("Systems removed", found.systems_removed),
        ("Items added", found.items_added),
        ("Items removed", found.items_removed),
    ):
        if names:
            said.append(f"{what}: {_listed(names)}.")
    moved = np.flatnonzero(systems.moved)
    if not moved.size:
        said.append(
            f"None of the {len(systems.system):,} systems in both moved beyond noise, "
            f"all judged together at {found.level:.0%} confidence."
        )
    for k in moved[:_SHOWN]:
        places = _places(float(systems.old_place[k]), float(systems.new_place[k]))
        said.append(
            f"{systems.system[k]} moved by {signed_value(float(systems.change[k]))} "
            f"({found.scale}), {found.level:.0%} interval "
            f"{signed_value(float(systems.lower[k]))} to {signed_value(float(systems.upper[k]))}, "
            f"{places}."
        )
    if len(moved) > _SHOWN:
        said.append(f"{len(moved) - _SHOWN:,} more systems moved.")
    return (*said, *found.remarks)


def snapshot_table(found: SnapshotComparison) -> Table:
    """Return one row a system in both snapshots, those that moved first.

    Args:
        found: of two snapshots.
    """
    systems, percent = found.systems, f"{found.level:.0%}"
    columns = (
        Column("system"),
        Column(
            "moved", importance=1, note="Beyond noise, all systems judged together."
        ),
        Column(
            "change",
            importance=2,
            note=f"Of the score ({found.scale}), relative to the systems that did not "
            "move.",
        ),
        Column(f"{percent} interval", importance=3, note="Each system by itself."),
        Column("p, all together", importance=7, note="Adjusted by Holm's procedure."),
        Column(
            "place before",
            importance=4,
            note="Rank among the systems in both snapshots; newcomers push nobody down.",
        ),
        Column("place now", importance=5),
        Column(
            "places gained",
            importance=6,
            note=f"The {percent} interval of the true number of places gained.",
        ),
        Column("rank before", importance=10, note="Among all systems then."),
        Column("rank now", importance=11, note="Among all systems now."),
        Column("plain mean before", importance=12),
        Column("plain mean now", importance=13),
        Column("cells added", importance=8),
        Column("changed", importance=9),
        Column("removed", importance=14),
    )
    rows = tuple(
        (
            str(systems.system[k]),
            "yes" if systems.moved[k] else "no",
            float(systems.change[k]),
            interval_cell(systems.lower[k], systems.upper[k], "z.3f"),
            _small(float(systems.p_adjusted[k])),
            rank_cell(systems.old_place[k]),
            rank_cell(systems.new_place[k]),
            interval_cell(systems.rise_lower[k], systems.rise_upper[k], "g"),
            rank_cell(systems.old_rank[k]),
            rank_cell(systems.new_rank[k]),
            float(systems.old_mean[k]),
            float(systems.new_mean[k]),
            *(
                int(each[k])
                for each in (systems.added, systems.changed, systems.removed)
            ),
        )
        for k in range(len(systems.system))
    )
    caption = f"The {len(rows):,} systems in both snapshots, those that moved first."
    return Table(caption, columns, rows, name="changes")


def snapshot_page(found: SnapshotComparison) -> str:
    """Return the report of a comparison as one self-contained HTML page.

    Args:
        found: of two snapshots.
    """
    said = snapshot_remarks(found)
    sections = (
        Section("In short", [Listing(said)]),
        Section("Systems", [snapshot_table(found)]),
        Section("Cells that changed", _changed(found)),
        Section("Method", [Text(found.method)]),
    )
    used = ", ".join(f"{name} {number}" for name, number in versions().items())
    footer = (
        f"Made by `irtjax compare` from {found.old} and {found.new}, seed "
        f"{found.seed}. {used}."
    )
    return page(f"From {found.old} to {found.new}", sections, footer)


def _changed(found: SnapshotComparison) -> list[Block]:
    cells = found.cells_changed
    if not cells:
        return [Text("Every cell that both snapshots hold is the same in both.")]
    shown = cells[:_MOST_CELLS]
    more = (
        f" The first {len(shown):,} of {len(cells):,}."
        if len(cells) > len(shown)
        else ""
    )
    rows = tuple(
        (
            str(cell.system),
            str(cell.item),
            cell.old,
            cell.new,
            Cell(signed_value(cell.new - cell.old), cell.new - cell.old),
        )
        for cell in shown
    )
    columns = (
        Column("system"),
        Column("item"),
        Column("before"),
        Column("now"),
        Column("difference"),
    )
    caption = f"Cells with other content than before, taken as measured anew.{more}"
    return [Table(caption, columns, rows, name="changed-cells")]


def _small(p_value: float) -> Cell:
    """Return a p-value that never reads as an impossibility."""
    text = "<0.001" if p_value < 0.001 else format_value(p_value, 3)
    return Cell(text, p_value)


def _listed(names: Sequence[Hashable]) -> str:
    shown = ", ".join(map(str, names[:_SHOWN]))
    more = len(names) - _SHOWN
    return f"{shown} and {more:,} more" if more > 0 else shown


def _places(before: float, now: float) -> str:
    if before == now:
        return f"and stays at place {now:g} among the systems in both"
    return f"from place {before:g} to {now:g} among the systems in both"
