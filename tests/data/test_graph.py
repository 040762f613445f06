"""Components and bridges against removing each cell in turn; a graph of 10^6 cells."""

import time

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.sparse import csgraph

from irtjax.data import (
    BinomialResponses,
    LongResponses,
    design_graph,
    observed_cells,
    thinnest_split,
)


def _long(observed):
    system, item = np.nonzero(observed)
    return LongResponses(
        jnp.asarray(system),
        jnp.asarray(item),
        jnp.zeros(len(system)),
        jnp.ones(len(system)),
        *observed.shape,
    )


def _label(observed):
    n_system, n_item = observed.shape
    full = np.zeros((n_system + n_item,) * 2)
    full[:n_system, n_system:] = observed
    return csgraph.connected_components(full, directed=False)


def _by_removal(observed):
    """Return each cell whose removal adds a component, the slow way."""
    count, _ = _label(observed)
    bridges = []
    for system, item in np.argwhere(observed):
        without = observed.copy()
        without[system, item] = False
        if _label(without)[0] > count:
            bridges.append((system, item))
    return bridges


@pytest.mark.parametrize("seed", range(40))
def test_bridges_and_components_agree_with_removal(seed):
    rng = np.random.default_rng(seed)
    shape = rng.integers(1, 12, 2)
    observed = rng.uniform(size=shape) < rng.uniform(0.05, 0.5)
    graph = design_graph(observed)
    assert [tuple(cell) for cell in graph.bridge] == _by_removal(observed)
    _, label = _label(observed)
    same = label[: shape[0], None] == label[None, : shape[0]]
    has_data = observed.any(axis=1)
    np.testing.assert_array_equal(
        graph.comparable(), same & has_data & has_data[:, None]
    )
    for (system, item), lost in zip(graph.bridge, graph.bridge_systems, strict=True):
        without = observed.copy()
        without[system, item] = False
        after = _label(without)[1]
        mine = (after[: shape[0]] == after[system]).sum()
        others = (after[: shape[0]] == after[shape[0] + item]).sum()
        assert lost == min(mine, others)


@pytest.mark.parametrize("seed", range(5))
def test_long_responses_give_the_same_graph(seed):
    observed = np.random.default_rng(seed).uniform(size=(9, 7)) < 0.3
    for mine, theirs in zip(
        design_graph(observed), design_graph(_long(observed)), strict=True
    ):
        np.testing.assert_array_equal(mine, theirs)


def test_rows_about_one_cell_count_once_and_padding_not_at_all():
    responses = LongResponses(
        jnp.array([0, 0, 1, 1]),
        jnp.array([0, 0, 1, 0]),
        jnp.zeros(4),
        jnp.array([1.0, 1.0, 2.0, 0.0]),
        2,
        2,
    )
    assert observed_cells(responses).tolist() == [[0, 0], [1, 1]]
    assert design_graph(responses).n_component == 2


def test_two_blocks_cannot_be_compared_and_one_cell_bridges_them():
    observed = np.zeros((10, 10), bool)
    observed[:4, :5] = observed[4:, 5:] = True
    graph = design_graph(observed)
    assert graph.n_component == 2
    assert [group.tolist() for group in graph.groups()] == [
        [4, 5, 6, 7, 8, 9],
        [0, 1, 2, 3],
    ]
    assert not graph.comparable()[0, 4]
    assert len(graph.bridge) == 0
    observed[2, 7] = True
    graph = design_graph(observed)
    assert graph.n_component == 1
    assert graph.bridge.tolist() == [[2, 7]]
    assert graph.bridge_systems.tolist() == [4]
    assert graph.coverage == 0.51
    assert graph.sparsity == pytest.approx(0.49)


def test_empty_systems_and_items_belong_nowhere():
    observed = np.ones((4, 3), bool)
    observed[1] = observed[:, 2] = False
    graph = design_graph(observed)
    assert graph.empty_systems().tolist() == [1]
    assert graph.empty_items().tolist() == [2]
    assert graph.system_component.tolist() == [0, -1, 0, 0]
    assert graph.item_component.tolist() == [0, 0, -1]
    assert not graph.comparable()[1].any()


def test_no_data_at_all():
    graph = design_graph(np.zeros((3, 2), bool))
    assert graph.n_component == 0
    assert graph.groups() == ()
    assert len(graph.bridge) == 0


@pytest.mark.parametrize("n_link", [1, 2, 4])
def test_the_thinnest_split_finds_the_links_of_two_blocks(n_link):
    observed = np.zeros((20, 24), bool)
    observed[:8, :12] = observed[8:, 12:] = True
    links = [[0, 12], [3, 20], [9, 2], [15, 7]][:n_link]
    for system, item in links:
        observed[system, item] = True
    rng = np.random.default_rng(n_link)
    row, column = rng.permutation(20), rng.permutation(24)
    shuffled = observed[row][:, column]
    split = thinnest_split(shuffled)
    found = sorted([int(row[j]), int(column[i])] for j, i in split.link)
    assert found == links
    assert sorted(row[split.system].tolist()) == list(range(8))
    assert sorted(column[split.item].tolist()) == list(range(12))
    assert split.conductance == pytest.approx(n_link / (2 * 96 + n_link))


def test_the_thinnest_split_by_both_decompositions(monkeypatch):
    rng = np.random.default_rng(0)
    observed = np.zeros((60, 80), bool)
    observed[:25, :30] = rng.uniform(size=(25, 30)) < 0.6
    observed[25:, 30:] = rng.uniform(size=(35, 50)) < 0.6
    observed[2, 50] = observed[40, 3] = True
    full = thinnest_split(observed)
    monkeypatch.setattr("irtjax.data._split._DENSE_SIDE", 10)
    lanczos = thinnest_split(observed)
    assert full.link.tolist() == lanczos.link.tolist() == [[2, 50], [40, 3]]


def test_the_thinnest_split_stays_in_the_largest_component():
    observed = np.zeros((7, 6), bool)
    observed[:5, :4] = True
    observed[5:, 4:] = True
    split = thinnest_split(observed)
    assert not split.system[5:].any()
    assert split.conductance > 0.3


def test_nothing_to_split():
    observed = np.zeros((3, 2), bool)
    observed[:, 0] = True
    split = thinnest_split(observed)
    assert len(split.link) == 0
    assert split.conductance == 1
    assert not split.system.any()
    assert len(thinnest_split(np.zeros((3, 2), bool)).link) == 0


def test_dense_responses_are_read_from_their_trials():
    trials = jnp.array([[1.0, 0.0], [2.0, 3.0]])
    assert observed_cells(BinomialResponses(trials, trials)).tolist() == [
        [0, 0],
        [1, 0],
        [1, 1],
    ]


def test_a_million_cells_in_seconds():
    rng = np.random.default_rng(0)
    n = 1_000_000
    responses = LongResponses(
        jnp.asarray(rng.integers(0, 10_000, n)),
        jnp.asarray(rng.integers(0, 2_000, n)),
        jnp.zeros(n),
        jnp.ones(n),
        10_000,
        2_000,
    )
    start = time.perf_counter()
    graph = design_graph(responses)
    # It takes about a second; a loop over cells in Python would take many times more.
    assert time.perf_counter() - start < 20
    assert graph.n_component == 1
    assert graph.system_count.sum() == len(observed_cells(responses))
