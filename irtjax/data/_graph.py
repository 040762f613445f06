"""The design graph: which systems are linked through shared items, and how thinly.

Systems and items are the two sides of a bipartite graph, and every observed cell is an
edge. Two systems without a path between them cannot be compared by any model that
learns items from the data. Everything here runs on the host: its sizes depend on the
values.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from jaxtyping import Bool, Int
from scipy.sparse import csgraph

from ._responses import AbstractResponses, LongResponses

Observed = Bool[np.ndarray, "system item"] | AbstractResponses


class DesignGraph(NamedTuple):
    """What is connected with what.

    Attributes:
        system_component: the component of each system, from 0 in order of falling
            numbers of systems; -1 for a system with no data.
        item_component: the same for items.
        n_component: the number of components.
        bridge: each cell (system, item) without which its component falls apart.
        bridge_systems: how many systems a bridge's loss would cut off: those on the
            side with fewer systems; 0 where only an item is lost.
        coverage: the observed share of all cells.
        system_count: the number of observed cells of each system.
        item_count: the same for items.
    """

    system_component: Int[np.ndarray, " system"]
    item_component: Int[np.ndarray, " item"]
    n_component: int
    bridge: Int[np.ndarray, "bridge 2"]
    bridge_systems: Int[np.ndarray, " bridge"]
    coverage: float
    system_count: Int[np.ndarray, " system"]
    item_count: Int[np.ndarray, " item"]

    @property
    def sparsity(self) -> float:
        """Return the share of cells that were not observed."""
        return 1 - self.coverage

    def groups(self) -> tuple[Int[np.ndarray, " member"], ...]:
        """Return the systems of each component; across groups none can be compared.

        Systems with no data are in no group: they can be compared with nothing.
        """
        return tuple(
            np.flatnonzero(self.system_component == k) for k in range(self.n_component)
        )

    def comparable(self) -> Bool[np.ndarray, "system system"]:
        """Return which systems are linked by some path of shared items."""
        component = self.system_component
        linked = component[:, None] == component[None, :]
        return linked & (component >= 0)[:, None]

    def empty_systems(self) -> Int[np.ndarray, " empty"]:
        """Return the systems with no data."""
        return np.flatnonzero(self.system_count == 0)

    def empty_items(self) -> Int[np.ndarray, " empty"]:
        """Return the items with no data."""
        return np.flatnonzero(self.item_count == 0)


def observed_cells(observed: Observed) -> Int[np.ndarray, "cell 2"]:
    """Return the observed (system, item) pairs, each once, in row-major order.

    `LongResponses` are read from their indices, without a dense table.
    """
    if isinstance(observed, LongResponses):
        seen = np.asarray(observed.trials) > 0
        system = np.asarray(observed.system_index, np.int64)[seen]
        item = np.asarray(observed.item_index, np.int64)[seen]
        code = np.unique(system * observed.n_item + item)
        return np.stack([code // observed.n_item, code % observed.n_item], axis=1)
    if isinstance(observed, AbstractResponses):
        observed = np.asarray(observed.observed())
    return np.argwhere(observed)


def design_graph(observed: Observed) -> DesignGraph:
    """Return the components and bridges of the observed cells.

    Time and memory grow with the number of observed cells.

    Args:
        observed: where a cell holds an observation, or responses of any kind.

    References:
        Tarjan (1974), "A note on finding the bridges of a graph", Information
        Processing Letters 2(6): a tree edge is a bridge when no other edge leaves its
        subtree.
    """
    n_system, n_item = observed.shape
    cell = observed_cells(observed)
    system, item = cell[:, 0], cell[:, 1] + n_system
    n_vertex = n_system + n_item
    degree = np.bincount(np.concatenate([system, item]), minlength=n_vertex)
    component, n_component = _components(system, item, degree, n_system)
    bridge, far_systems = _bridges(system, item, component, n_component, n_system)
    own = np.bincount(component[:n_system][degree[:n_system] > 0], minlength=1)
    total = own[component[cell[bridge, 0]]]
    return DesignGraph(
        system_component=component[:n_system],
        item_component=component[n_system:],
        n_component=n_component,
        bridge=cell[bridge],
        bridge_systems=np.minimum(far_systems, total - far_systems),
        coverage=len(cell) / (n_system * n_item),
        system_count=degree[:n_system],
        item_count=degree[n_system:],
    )


def _components(
    system: Int[np.ndarray, " cell"],
    item: Int[np.ndarray, " cell"],
    degree: Int[np.ndarray, " vertex"],
    n_system: int,
) -> tuple[Int[np.ndarray, " vertex"], int]:
    n_vertex = len(degree)
    edges = sp.coo_array((np.ones(len(system)), (system, item)), (n_vertex, n_vertex))
    _, label = csgraph.connected_components(edges, directed=False)
    seen = degree > 0
    # Every component with an edge holds a system, so systems alone give all of them.
    kept, count = np.unique(label[:n_system][seen[:n_system]], return_counts=True)
    order = kept[np.argsort(-count, kind="stable")]
    rank = np.full(label.max(initial=0) + 1, -1)
    rank[order] = np.arange(len(order))
    return np.where(seen, rank[label], -1), len(order)


def _bridges(
    system: Int[np.ndarray, " cell"],
    item: Int[np.ndarray, " cell"],
    component: Int[np.ndarray, " vertex"],
    n_component: int,
    n_system: int,
) -> tuple[Int[np.ndarray, " bridge"], Int[np.ndarray, " bridge"]]:
    """Return the positions of bridging cells, and the systems below each in a tree.

    Numbers a spanning forest so that every subtree is an interval. A tree edge is a
    bridge if no other edge joins its subtree to a vertex outside the interval. Only the
    loops over vertices are in Python; those over cells are NumPy's.
    """
    order, parent = _breadth_first(system, item, component, n_component)
    n_vertex = len(component)
    size = np.ones(n_vertex + 1, int)
    systems_below = np.zeros(n_vertex + 1, int)
    systems_below[:n_system] = 1
    for vertex in order[:0:-1]:
        size[parent[vertex]] += size[vertex]
        systems_below[parent[vertex]] += systems_below[vertex]
    number = np.zeros(n_vertex + 1, int)
    free = number + 1
    for vertex in order[1:]:
        above = parent[vertex]
        number[vertex] = number[above] + free[above]
        free[above] += size[vertex]
    tree = (parent[system] == item) | (parent[item] == system)
    lowest, highest = number.copy(), number.copy()
    for a, b in ((system[~tree], item[~tree]), (item[~tree], system[~tree])):
        np.minimum.at(lowest, a, number[b])
        np.maximum.at(highest, a, number[b])
    for vertex in order[:0:-1]:
        above = parent[vertex]
        lowest[above] = min(lowest[above], lowest[vertex])
        highest[above] = max(highest[above], highest[vertex])
    inside = (lowest >= number) & (highest < number + size)
    below = np.where(parent[system] == item, system, item)
    bridge = np.flatnonzero(tree & inside[below])
    return bridge, systems_below[below[bridge]]


def _breadth_first(
    system: Int[np.ndarray, " cell"],
    item: Int[np.ndarray, " cell"],
    component: Int[np.ndarray, " vertex"],
    n_component: int,
) -> tuple[Int[np.ndarray, " visited"], Int[np.ndarray, " vertex_and_root"]]:
    """Return the order of visit and the parents, from one extra root above everything.

    The root is the last vertex and is joined to one vertex of each component.
    """
    n_vertex = len(component)
    labels, entry = np.unique(component, return_index=True)
    entry = entry[labels >= 0]
    tail = np.concatenate([system, np.full(n_component, n_vertex)])
    head = np.concatenate([item, entry])
    shape = (n_vertex + 1, n_vertex + 1)
    edges = sp.coo_array((np.ones(len(tail)), (tail, head)), shape).tocsr()
    return csgraph.breadth_first_order(edges, n_vertex, directed=False)
