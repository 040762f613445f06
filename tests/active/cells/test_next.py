"""From a labelled table to named cells."""

import dataclasses

import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.active.cells import (
    LargestError,
    NextCells,
    OneComparison,
    TopRanks,
    next_cells,
    positions_of,
)
from irtjax.data import BinomialResponses, ResponseTable, ScoreResponses
from irtjax.irt import OnePL

from .tables import table


@pytest.fixture(scope="module")
def labelled():
    names = tuple(f"s{k}" for k in range(7))
    items = tuple(range(12))
    return ResponseTable(
        table(), names, items, "made here", "success", None, "binary scores"
    )


def test_ids_are_the_tables(labelled):
    found = next_cells(labelled, budget=4)
    assert isinstance(found, NextCells)
    assert len(found.system_ids) == 4
    assert set(found.system_ids) <= set(labelled.system_ids)
    assert set(found.item_ids) <= set(labelled.item_ids)
    assert 0 < found.error_after < found.error < found.most_error == 21
    assert np.all(np.diff(found.value) <= 1e-12)
    assert sum(map(len, found.by_system().values())) == 4
    assert found.choice == "expected_gain"


def test_what_is_asked_for_is_what_is_counted(labelled):
    assert next_cells(labelled, budget=2, utility=TopRanks(3)).most_error == 7
    first, second = positions_of(labelled, ["s5", "s0"]).tolist()
    assert (first, second) == (5, 0)
    pair = next_cells(labelled, budget=2, utility=OneComparison(first, second))
    assert pair.most_error == 1
    other = next_cells(labelled, budget=2, choice=LargestError(), model=OnePL())
    assert other.choice == "largest_error"


def test_costs_by_item_and_by_cell(labelled):
    cost = {k: 1.0 + (k > 5) for k in range(12)}
    found = next_cells(labelled, budget=5, cost=cost)
    assert found.cost.sum() <= 5
    by_cell = np.ones((7, 12))
    by_cell[3] = 0.01
    found = next_cells(labelled, budget=0.03, cost=by_cell)
    assert set(found.system_ids) == {"s3"}


def test_only_some_systems_and_runs_again(labelled):
    found = next_cells(labelled, budget=3, systems=["s2"])
    assert set(found.system_ids) == {"s2"}
    complete = dataclasses.replace(
        labelled, responses=BinomialResponses(jnp.ones((7, 12)), jnp.full((7, 12), 2.0))
    )
    with pytest.raises(ValueError, match="has a result already"):
        next_cells(complete, budget=3)
    assert len(next_cells(complete, budget=3, rerun=True).system_ids) == 3


def test_refusals(labelled):
    for settings, said in (
        ({"budget": 0}, "budget="),
        ({"budget": 1, "trials": -1}, "`trials`"),
        ({"budget": 1, "choice": "best"}, "no choice 'best'"),
        ({"budget": 1, "systems": ["nobody"]}, "no system 'nobody'"),
        ({"budget": 1, "cost": {0: 1.0}}, "no cost of item 1"),
        ({"budget": 1, "cost": np.ones((2, 2))}, "shape"),
        ({"budget": 1, "cost": np.zeros((7, 12))}, "must be positive, got 0"),
        ({"budget": 1, "cost": np.full((7, 12), 3.0)}, "buys no cell"),
    ):
        with pytest.raises(ValueError, match=said):
            next_cells(labelled, **settings)
    scores = ScoreResponses(jnp.full((7, 12), 0.5), jnp.ones((7, 12)))
    with pytest.raises(ValueError, match="trials="):
        next_cells(dataclasses.replace(labelled, responses=scores), budget=1)
    with pytest.raises(ValueError, match="no system 'x'"):
        positions_of(labelled, ["x"])
