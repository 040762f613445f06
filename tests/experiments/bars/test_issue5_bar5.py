"""The study behind the bar on choosing cells, on small tables."""

import jax
import numpy as np
import pytest

from experiments._cell_study import (
    CellPath,
    Tables,
    follow,
    masked,
    misordered,
    needed,
    ratios,
    scattered,
    simulated,
)
from experiments.bars import issue5_bar5
from irtjax.active.cells import ExpectedGain, RandomCells


def path(*error):
    return CellPath(np.arange(len(error)) * 10.0, np.array(error), 0)


def test_pairs_are_misordered_by_hand():
    score = np.array([[1.0, 2.0, 2.0], [3.0, 2.0, 1.0]])
    truth = np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 3.0]])
    np.testing.assert_allclose(misordered(score, truth), [0.5 / 3, 1.0])


def test_what_is_needed_by_hand():
    falling = path(0.4, 0.3, 0.1)
    assert needed(falling, 0.35) == pytest.approx(5)
    assert needed(falling, 0.1) == pytest.approx(20)
    assert needed(falling, 0.4) == 0
    assert needed(falling, 0.05) == float("inf")
    # A lucky batch does not count: .2 and .4 become .3 both.
    assert needed(path(0.5, 0.2, 0.4, 0.1), 0.25) > 20


def test_ratios_are_to_random():
    paths = {"random": path(0.4, 0.3, 0.2), "ours": path(0.4, 0.2, 0.1)}
    found = ratios(paths, (0.5, 1.0))
    assert found["random"] == pytest.approx([1, 1])
    assert found["ours"] == pytest.approx([0.5, 0.5])


@pytest.mark.slow
def test_chosen_cells_rank_better_than_random_ones():
    """The law of the bar in small: 12 tables of 8 x 60, a hundred cells added."""
    outcome, truth = simulated(12, 8, 60, key=jax.random.key(0))
    tables = masked(outcome, truth, 0.6, key=jax.random.key(1))
    assert isinstance(tables, Tables)
    assert bool((tables.start.sum(axis=1) >= 3).all())
    last = {}
    for name, choice in (("random", RandomCells()), ("ours", ExpectedGain())):
        found, other = follow(
            tables, choice, 25, 4, key=jax.random.key(2), other_truth=tables.truth
        )
        assert found.failed == 0
        np.testing.assert_array_equal(found.error, other.error)
        last[name] = found.error[-1]
    assert last["ours"] < last["random"]
    thin = scattered(outcome, truth, 0.1, key=jax.random.key(1))
    assert 0.05 < float(thin.start.mean()) < 0.15


def entry(ours, error, failed=0):
    return {"ratio": {"expected_gain": ours, "largest_error": error}, "failed": failed}


@pytest.mark.parametrize(
    ("changed", "passed"),
    [
        (entry(0.5, 0.9), True),
        (entry(0.61, 0.9), False),
        (entry(0.5, 0.4), False),
        (entry(0.5, None), True),
        (entry(None, None), False),
        (entry(0.5, 0.9, 1), False),
    ],
)
def test_the_verdict(changed, passed):
    found = {"simulated": entry(0.4, 0.9), "gqa": changed}
    found["simulated_scattered"] = entry(0.9, 0.9)
    assert issue5_bar5.judge(found)["passed"] is passed
