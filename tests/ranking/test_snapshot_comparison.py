"""What moved between two snapshots: shared cells cancel, verdicts hold together."""

import dataclasses

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import expit
from statsmodels.stats.multitest import multipletests

from irtjax.irt import BlockNewton, JointMAP, TwoPL
from irtjax.ranking import (
    ChangedCell,
    ModelRanker,
    Moved,
    SnapshotComparison,
    compare_systems,
    compare_tables,
)

from .tables import binomial, draw, labelled, scores

RANKERS = ("two_pl", "one_pl", "average")


def hidden(table, keep):
    return dataclasses.replace(table, responses=table.responses.hide(jnp.asarray(keep)))


@pytest.fixture(scope="module")
def table():
    return labelled(draw(1, n_system=8, n_item=16, trials=5, sparsity=0.2))


@pytest.mark.parametrize("ranker", RANKERS)
def test_nothing_moves_between_a_table_and_itself(table, ranker):
    found = compare_tables(table, table, ranker=ranker)
    assert isinstance(found, SnapshotComparison)
    systems = found.systems
    assert found.cells_added == found.cells_removed == len(found.cells_changed) == 0
    assert found.cells_same == table.n_observed()
    np.testing.assert_array_equal(systems.change, 0)
    np.testing.assert_array_equal(systems.se, 0)
    np.testing.assert_array_equal(systems.p_value, 1)
    np.testing.assert_array_equal(systems.rise_lower, 0)
    np.testing.assert_array_equal(systems.rise_upper, 0)
    assert not systems.moved.any()


def test_the_order_of_rows_and_columns_does_not_matter(table):
    rng = np.random.default_rng(0)
    turned = table.permuted(rng.permutation(8), rng.permutation(16))
    systems = compare_tables(table, turned).systems
    np.testing.assert_allclose(systems.change, 0, atol=1e-6)
    assert not systems.moved.any()


def test_a_system_that_was_measured_anew_and_fell_is_found(table):
    successes = np.array(table.responses.successes)
    trials = np.array(table.responses.trials)
    assert successes[6].sum() > 0.7 * trials[6].sum()
    successes[6] = 0
    new = dataclasses.replace(table, responses=binomial(successes, trials))
    for ranker in RANKERS:
        found = compare_tables(table, new, ranker=ranker)
        systems = found.systems
        assert isinstance(systems, Moved)
        assert systems.system[0] == "s6", ranker
        np.testing.assert_array_equal(systems.moved, [True] + [False] * 7)
        assert systems.upper[0] < 0
        assert systems.rise[0] < 0
        assert systems.new_place[0] == 8
        assert systems.changed[0] == len(found.cells_changed)
        cell = found.cells_changed[0]
        assert isinstance(cell, ChangedCell)
        assert (cell.system, cell.new) == ("s6", 0.0)


def test_what_came_and_went_is_named_and_pushes_nobody_down():
    """Better newcomers take the first ranks, not the places among those in both."""
    whole = labelled(draw(2, n_system=10, n_item=12, trials=20))
    old = whole.select(systems=[f"s{k}" for k in range(7)], items=whole.item_ids[:11])
    new = whole.select(
        systems=[f"s{k}" for k in range(1, 10)], items=whole.item_ids[1:]
    )
    found = compare_tables(old, new)
    assert found.systems_added == ("s7", "s8", "s9")
    assert found.systems_removed == ("s0",)
    assert found.items_added == ("i11",)
    assert found.items_removed == ("i0",)
    assert (found.cells_same, found.cells_added) == (6 * 10, 3 * 11 + 6)
    assert found.cells_removed == 11 + 6
    systems = found.systems
    assert sorted(systems.system) == [f"s{k}" for k in range(1, 7)]
    by_name = dict(zip(systems.system, range(6), strict=True))
    first = by_name["s6"]
    assert systems.new_rank[first] == systems.old_rank[first] + 3
    assert abs(systems.rise[first]) <= 1
    assert not systems.moved.any()
    assert (systems.rise_lower <= systems.rise).all()
    assert (systems.rise <= systems.rise_upper).all()


def test_verdicts_hold_together_by_holm(table):
    rng = np.random.default_rng(0)
    old = hidden(table, rng.random((8, 16)) < 0.7)
    systems = compare_tables(old, table).systems
    expected = multipletests(systems.p_value, method="holm")[1]
    np.testing.assert_allclose(systems.p_adjusted, expected)
    assert (systems.p_adjusted >= systems.p_value).all()


def test_a_change_is_as_noisy_as_it_is_said_to_be():
    """Cells that both hold cancel: taking them as independent would be far too wide."""
    z, naive = [], []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        ability, difficulty = rng.normal(size=12), rng.normal(size=20)
        trials = np.full((12, 20), 4)
        answers = rng.binomial(trials, expit(ability[:, None] - difficulty))
        new = labelled(binomial(answers, trials))
        found = compare_tables(hidden(new, rng.random((12, 20)) < 0.75), new)
        z.append(found.systems.change / found.systems.se)
        naive.append(found.systems.se)
    z = np.concatenate(z)
    # 96 values, 80 of them free; four standard errors of a standard deviation.
    assert np.std(z) == pytest.approx(1, abs=4 / np.sqrt(2 * 80))
    # Two independent tables of 20 items would differ by about 0.35 logits each.
    assert np.median(np.concatenate(naive)) < 0.25


def test_scores_without_trials_count_alike_in_both():
    rng = np.random.default_rng(0)
    shares = np.clip(
        rng.normal(0.5, 0.1, (6, 12)) + np.linspace(0, 0.3, 6)[:, None], 0, 1
    )
    new = labelled(scores(shares), trials_from="unknown")
    old = hidden(new, rng.random((6, 12)) < 0.8)
    found = compare_tables(old, new)
    assert any("number of trials" in each for each in found.remarks)
    assert np.isfinite(found.systems.se).all()


def test_a_system_that_nothing_connects_is_said_to_be_alone(table):
    keep = np.ones((8, 16), bool)
    keep[0] = False
    found = compare_tables(hidden(table, keep), table)
    last = found.systems.system.index("s0")
    assert np.isnan(found.systems.change[last])
    assert not found.systems.moved[last]
    assert any(each.endswith("can be seen: s0.") for each in found.remarks)


def test_a_failed_fit_moves_nobody_and_says_so(table):
    hasty = ModelRanker(TwoPL(), JointMAP(solver=BlockNewton(max_steps=1)))
    found = compare_tables(table, table, ranker=hasty)
    assert "successful" not in found.codes
    assert sum(found.codes.values()) == 3
    assert any("The fit of the old snapshot failed" in each for each in found.remarks)
    assert np.isnan(found.systems.change).all()
    assert not found.systems.moved.any()
    pair = compare_systems(table, "s0", "s7", ranker=hasty)
    assert np.isnan([pair.score_difference, pair.score_lower, pair.p_beats]).all()
    assert pair.paired.items > 0


def test_snapshots_that_cannot_be_compared_are_refused(table):
    other = dataclasses.replace(table, system_ids=tuple("abcdefgh"))
    with pytest.raises(ValueError, match="no system in common"):
        compare_tables(table, other)
    other = dataclasses.replace(table, item_ids=tuple("abcdefghijklmnop"))
    with pytest.raises(ValueError, match="no item in common"):
        compare_tables(table, other)
    shares = labelled(scores(np.full((8, 16), 0.5)))
    with pytest.raises(ValueError, match="different kinds"):
        compare_tables(table, shares)
    with pytest.raises(ValueError, match="level"):
        compare_tables(table, table, level=0)
