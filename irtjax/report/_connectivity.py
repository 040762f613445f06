"""How a table hangs together: parts, cells that alone join systems, the thinnest split."""

import numpy as np

from irtjax.data import DesignGraph, ResponseTable, design_graph, thinnest_split

from ._blocks import Block, Column, Listing, Table, Text
from ._ranking_table import rank_cell

_MOST_BRIDGES = 20
_THIN = 0.1
_SHOWN = 5


def connectivity(table: ResponseTable) -> list[Block]:
    """Return what links the systems of a table, and how thinly, as blocks of a report.

    Args:
        table: any.
    """
    graph = design_graph(table.responses)
    if not graph.n_component:
        return [Text("No cell was observed.")]
    return [Text(_parts(graph)), *_bridges(graph, table), _split(graph, table)]


def _parts(graph: DesignGraph) -> str:
    per_system = graph.system_count[graph.system_count > 0]
    per_item = graph.item_count[graph.item_count > 0]
    ran = (
        f"A system ran {np.median(per_system):g} items in the median, from "
        f"{per_system.min():,} to {per_system.max():,}; an item was run by "
        f"{np.median(per_item):g} systems, from {per_item.min():,} to "
        f"{per_item.max():,}."
    )
    if graph.n_component == 1:
        return f"All systems with data hang together. {ran}"
    sizes = ", ".join(f"{len(group):,}" for group in graph.groups()[:_SHOWN])
    more = " and more" if graph.n_component > _SHOWN else ""
    return (
        f"The table falls into {graph.n_component:,} parts that share no item, with "
        f"{sizes}{more} systems: across parts nobody can be compared. {ran}"
    )


def _bridges(graph: DesignGraph, table: ResponseTable) -> list[Block]:
    """Return the cells whose loss would cut systems off, the largest loss first."""
    cuts = np.flatnonzero(graph.bridge_systems > 0)
    if not cuts.size:
        return [
            Text(
                "No single cell holds systems together: each could be lost without "
                "cutting anyone off."
            )
        ]
    alone = int(np.count_nonzero(graph.bridge_systems[cuts] == 1))
    found: list[Block] = []
    if alone:
        found.append(
            Text(
                f"{alone:,} {'system is' if alone == 1 else 'systems are'} joined to "
                "the others by one cell alone: they ran one item, or the only item that "
                "others ran too."
            )
        )
    wide = cuts[graph.bridge_systems[cuts] > 1]
    if wide.size:
        wide = wide[np.argsort(-graph.bridge_systems[wide], kind="stable")]
        rows = tuple(
            (
                str(table.system_ids[graph.bridge[k, 0]]),
                str(table.item_ids[graph.bridge[k, 1]]),
                rank_cell(float(graph.bridge_systems[k])),
            )
            for k in wide[:_MOST_BRIDGES]
        )
        caption = "Cells that alone connect several systems with the rest."
        if len(wide) > _MOST_BRIDGES:
            caption += f" The first {_MOST_BRIDGES} of {len(wide):,}."
        columns = (Column("system"), Column("item"), Column("systems cut off"))
        found.append(Table(caption, columns, rows, name="bridges"))
    return found


def _split(graph: DesignGraph, table: ResponseTable) -> Block:
    """Return where the largest part is held together by the fewest cells."""
    split = thinnest_split(table.responses)
    if not len(split.link):
        return Text("The table has no two parts of several systems and items to split.")
    inside = np.flatnonzero(split.system)
    rest = int(np.count_nonzero(graph.system_component == 0)) - len(inside)
    items = [str(table.item_ids[k]) for k in np.flatnonzero(split.item)[:_SHOWN]]
    more = ", …" if np.count_nonzero(split.item) > _SHOWN else ""
    joined = len(split.link)
    verdict = (
        "That is thin: comparisons across rest on few cells, and more of them would "
        "help most."
        if split.conductance < _THIN
        else "That holds well."
    )
    return Listing(
        (
            f"Thinnest split: {len(inside):,} systems with mostly {', '.join(items)}"
            f"{more} against the other {rest:,}; {joined:,} "
            f"{'cell joins' if joined == 1 else 'cells join'} the two "
            f"({split.conductance:.0%} of the smaller side's). {verdict}",
        )
    )
