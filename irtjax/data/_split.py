"""How thinly a connected design holds together: the split with the fewest links."""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from jaxtyping import Bool, Float, Int
from scipy.sparse.linalg import svds

from ._graph import Observed, design_graph, observed_cells


class Split(NamedTuple):
    """Two parts of a connected design and the cells that alone join them.

    Attributes:
        system: which systems are in the first part, the one with fewer cells; systems
            of other components are in neither and are marked False.
        item: the same for items.
        link: each cell (system, item) whose system is in one part and item in the
            other.
        conductance: the number of links over the cells of the smaller part, those
            inside it counted twice; 0 to 1. Near 0, the parts are compared through few
            cells.
    """

    system: Bool[np.ndarray, " system"]
    item: Bool[np.ndarray, " item"]
    link: Int[np.ndarray, "link 2"]
    conductance: float


_DENSE_SIDE = 400  # the smaller side up to which a full decomposition is used


def thinnest_split(observed: Observed) -> Split:
    """Return a split of the largest component that few cells cross.

    Cuts along the second singular vectors of the degree-normalised table of observed
    cells, at the place of least conductance: a bound on the best split, not always it.
    Two blocks with a handful of cells between them are found, with those cells as
    `link`.

    Args:
        observed: where a cell holds an observation, or responses of any kind.

    Returns:
        The split; with no cells, no link and conductance 1, if the component cannot be
        cut into two parts that each hold a system and an item.

    References:
        Dhillon (2001), "Co-clustering documents and words using bipartite spectral
        graph partitioning", KDD, section 4; Chung (1997), Spectral Graph Theory,
        section 2.
    """
    graph = design_graph(observed)
    cell = observed_cells(observed)
    cell = cell[graph.system_component[cell[:, 0]] == 0]
    systems, system = np.unique(cell[:, 0], return_inverse=True)
    items, item = np.unique(cell[:, 1], return_inverse=True)
    inside = np.zeros(len(systems) + len(items), bool)
    conductance = 1.0
    if min(len(systems), len(items)) > 1:
        position = _spectral_position(system, item, len(systems), len(items))
        inside, conductance = _sweep(position, system, item, len(systems))
    side_a, side_b = inside[system], inside[len(systems) + item]
    system_part = np.zeros(observed.shape[0], bool)
    item_part = np.zeros(observed.shape[1], bool)
    system_part[systems] = inside[: len(systems)]
    item_part[items] = inside[len(systems) :]
    return Split(system_part, item_part, cell[side_a != side_b], conductance)


def _spectral_position(
    system: Int[np.ndarray, " cell"],
    item: Int[np.ndarray, " cell"],
    n_system: int,
    n_item: int,
) -> Float[np.ndarray, " vertex"]:
    """Return the place along the second singular vectors, systems before items."""
    down = 1 / np.sqrt(np.bincount(system))
    across = 1 / np.sqrt(np.bincount(item))
    weight = down[system] * across[item]
    table = sp.coo_array((weight, (system, item)), (n_system, n_item)).tocsr()
    if min(n_system, n_item) <= _DENSE_SIDE:
        wide = n_system <= n_item
        table = table if wide else table.T
        value, vector = np.linalg.eigh((table @ table.T).toarray())
        near = vector[:, -2]
        far = table.T @ near / np.sqrt(max(value[-2], np.finfo(float).tiny))
        first, last = (near, far) if wide else (far, near)
    else:
        # The start decides nothing but the number of steps; a fixed one repeats
        # exactly.
        start = np.cos(np.arange(min(n_system, n_item)))
        left, _, right = svds(table, k=2, v0=start)
        assert left is not None
        assert right is not None
        first, last = left[:, 0], right[0]  # the smaller of the two comes first
    return np.concatenate([down * first, across * last])


def _sweep(
    position: Float[np.ndarray, " vertex"],
    system: Int[np.ndarray, " cell"],
    item: Int[np.ndarray, " cell"],
    n_system: int,
) -> tuple[Bool[np.ndarray, " vertex"], float]:
    """Return the best of the splits into vertices before and after a place."""
    n_vertex, n_cell = len(position), len(system)
    order = np.argsort(position, kind="stable")
    rank = np.empty(n_vertex, int)
    rank[order] = np.arange(n_vertex)
    ends = np.sort(np.stack([rank[system], rank[n_system + item]]), axis=0)
    # A cell is cut by the splits after its first and before its second end.
    step = np.bincount(ends[0], minlength=n_vertex) - np.bincount(
        ends[1], minlength=n_vertex
    )
    cut = np.cumsum(step)[:-1]
    volume = np.cumsum(np.bincount(ends.reshape(-1), minlength=n_vertex))[:-1]
    systems_before = np.cumsum(order < n_system)[:-1]
    items_before = np.arange(1, n_vertex) - systems_before
    allowed = (systems_before > 0) & (systems_before < n_system)
    allowed &= (items_before > 0) & (items_before < n_vertex - n_system)
    if not allowed.any():
        return np.zeros(n_vertex, bool), 1.0
    conductance = np.where(
        allowed, cut / np.minimum(volume, 2 * n_cell - volume), np.inf
    )
    best = int(np.argmin(conductance))
    inside = rank <= best
    smaller = inside if volume[best] <= n_cell else ~inside
    return smaller, float(conductance[best])
