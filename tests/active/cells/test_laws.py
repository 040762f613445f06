"""Laws of choosing cells: agreement with refits, with sums by hand, and of order."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.stats

from irtjax.active.cells import (
    CHOICES,
    AbstractCellChoice,
    AbstractUtility,
    AllRanks,
    BridgingFirst,
    CellBelief,
    CellPicks,
    ExpectedGain,
    LargestError,
    OneComparison,
    RandomCells,
    TopRanks,
    cell_belief,
    choose_cells,
)
from irtjax.data import BinomialResponses
from irtjax.irt import (
    BetaScore,
    MultidimensionalTwoPL,
    OnePL,
    TwoPL,
    fit,
    joint_covariance,
    named,
)

from .tables import table

KEY = jax.random.key(0)
MODELS = {"two_pl": TwoPL(), "one_pl": OnePL()}
UTILITIES = {"all": AllRanks(), "top": TopRanks(2), "one": OneComparison(1, 4)}


@pytest.fixture(params=MODELS, scope="module")
def model(request):
    return MODELS[request.param]


@pytest.fixture(scope="module")
def fitted(model):
    data = table()
    return data, fit(model, data).value


@pytest.fixture(scope="module")
def belief(model, fitted):
    return cell_belief(model, *fitted)


def chance_of(model, estimate):
    values = named(model, estimate)
    slope = values.item.get("discrimination", values.shared.get("discrimination"))
    gap = values.system["ability"][:, None] - values.item["difficulty"][None, :]
    return np.asarray(jax.nn.sigmoid(jnp.asarray(np.asarray(slope) * np.asarray(gap))))


def test_the_covariance_is_that_of_the_whole_table(model, fitted, belief):
    assert isinstance(belief, CellBelief)
    whole = joint_covariance(model, *fitted)[:7, :7]
    np.testing.assert_allclose(belief.ability_covariance, whole, atol=1e-10)


def test_an_update_is_a_table_with_the_cell_run(model, fitted, belief):
    """The cell's expected outcome leaves the mode, and so the other cells, in place."""
    data, at = fitted
    chance = chance_of(model, at)
    moved = belief
    for system, item in np.argwhere(~np.asarray(data.observed()))[[0, 9, 20]]:
        data = BinomialResponses(
            data.successes.at[system, item].add(chance[system, item]),
            data.trials.at[system, item].add(1.0),
        )
        moved = moved.update(jnp.asarray(system), jnp.asarray(item))
    again = cell_belief(model, data, at)
    for one, other in zip(jax.tree.leaves(moved), jax.tree.leaves(again), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-10)


@pytest.mark.parametrize("utility", UTILITIES.values(), ids=UTILITIES)
def test_the_gain_is_the_fall_of_the_weighted_trace(belief, utility):
    assert isinstance(utility, AbstractUtility)
    before = belief.ability_covariance
    weights = utility.weights(belief.ability, before)
    assert np.linalg.eigvalsh(weights).min() > -1e-12
    gain = np.asarray(belief.gain(weights))
    assert np.all(gain >= 0)
    for system, item in ((0, 0), (3, 5), (6, 11)):
        after = belief.update(jnp.asarray(system), jnp.asarray(item))
        fall = np.trace(weights @ (before - after.ability_covariance))
        assert gain[system, item] == pytest.approx(fall, rel=1e-9)


def test_more_trials_tell_more(model, fitted):
    weights = jnp.eye(7)
    one, ten = (cell_belief(model, *fitted, trials=k).gain(weights) for k in (1, 10))
    assert np.all(np.asarray(ten) > np.asarray(one))


def test_weights_are_the_brier_scores_slope(belief):
    """By simulation: the expected square of the chance's move, for a small step."""
    ability, before = belief.ability, belief.ability_covariance
    after = before - 1e-4 * jnp.diag(jnp.arange(1.0, 8.0))
    weights = AllRanks().weights(ability, before)
    fall = float(jnp.trace(weights @ (before - after)))
    by_hand = 0.0
    nodes, mass = np.polynomial.hermite_e.hermegauss(31)
    for j in range(7):
        for k in range(j):
            c = np.zeros(7)
            c[j], c[k] = 1, -1
            m, now, then = c @ ability, c @ before @ c, c @ after @ c
            moved = scipy.stats.norm.cdf((m + np.sqrt(now - then) * nodes) / then**0.5)
            square = mass @ moved**2 / mass.sum()
            by_hand += square - scipy.stats.norm.cdf(m / np.sqrt(now)) ** 2
    assert fall == pytest.approx(by_hand, rel=1e-2)


@pytest.mark.parametrize("utility", UTILITIES.values(), ids=UTILITIES)
def test_errors_by_drawing_the_truth(belief, utility):
    """Wrong signs in 200,000 draws; the draw's own error is below .005 a contrast."""
    rng = np.random.default_rng(0)
    ability, before = np.asarray(belief.ability), np.asarray(belief.ability_covariance)
    truth = rng.multivariate_normal(ability, before, size=200_000)
    contrast, cost = map(np.asarray, utility.contrasts(belief.ability))
    wrong = np.sign(truth @ contrast.T) != np.sign(contrast @ ability)
    error = float(utility.error(belief.ability, belief.ability_covariance))
    assert error == pytest.approx(wrong.mean(axis=0) @ cost, abs=0.005 * len(cost))
    # Learning half: truth = estimate to come + what is left.
    after = before / 2
    step = rng.multivariate_normal(np.zeros(7), before - after, size=200_000)
    left = rng.multivariate_normal(np.zeros(7), after, size=200_000)
    there = ability + step
    wrong = np.sign((there + left) @ contrast.T) != np.sign(there @ contrast.T)
    later = float(
        utility.error_after(belief.ability, jnp.asarray(before), jnp.asarray(after))
    )
    assert later == pytest.approx(wrong.mean(axis=0) @ cost, abs=0.008 * len(cost))
    assert later < error
    same = utility.error_after(belief.ability, jnp.asarray(before), jnp.asarray(before))
    assert float(same) == pytest.approx(error, abs=1e-9)


def test_contrasts_by_hand():
    ability = jnp.asarray([0.3, -1.0, 2.0, 0.9])
    contrast, cost = AllRanks().contrasts(ability)
    assert contrast.shape == (6, 4)
    np.testing.assert_array_equal(np.sum(contrast, axis=1), 0)
    assert float(jnp.sum(cost)) == 6
    contrast, _ = TopRanks(2).contrasts(ability)
    # The second is the last (0.9), the first below the first (0.3): edge at 0.6.
    np.testing.assert_allclose(contrast @ ability, ability - 0.6, atol=1e-12)
    contrast, _ = OneComparison(1, 3).contrasts(ability)
    np.testing.assert_array_equal(contrast, [[0, 1, 0, -1]])
    with pytest.raises(ValueError, match="holds 1 to 3"):
        TopRanks(4).contrasts(ability)


@pytest.mark.parametrize("name", CHOICES)
def test_picks_are_open_cells_each_once(belief, name):
    choice = CHOICES[name]
    assert isinstance(choice, AbstractCellChoice)
    still_open = int(np.sum(~np.asarray(belief.observed)))
    found = choose_cells(choice, belief, still_open + 3, key=KEY)
    assert isinstance(found, CellPicks)
    cells = list(zip(found.system.tolist(), found.item.tolist(), strict=True))
    assert cells[still_open:] == [(-1, -1)] * 3
    assert len(set(cells[:still_open])) == still_open
    assert not any(bool(belief.observed[cell]) for cell in cells[:still_open])
    assert bool(jnp.all(found.belief.observed))


def test_the_first_pick_is_the_largest_gain(belief):
    weights = AllRanks().weights(belief.ability, belief.ability_covariance)
    gain = jnp.where(belief.observed, -jnp.inf, belief.gain(weights))
    found = choose_cells(ExpectedGain(), belief, 1, key=KEY)
    assert int(found.system[0] * 12 + found.item[0]) == int(jnp.argmax(gain))


def test_a_batch_is_better_than_its_first_cell_repeated(belief):
    """Chosen one given the others, cells err less together than the best at first."""
    utility = AllRanks()
    weights = utility.weights(belief.ability, belief.ability_covariance)
    gain = jnp.where(belief.observed, -jnp.inf, belief.gain(weights)).ravel()
    at_first = belief
    for flat in jnp.argsort(-gain)[:8]:
        at_first = at_first.update(flat // 12, flat % 12)
    batch = choose_cells(ExpectedGain(utility), belief, 8, key=KEY).belief
    left = [
        float(
            utility.error_after(
                belief.ability, belief.ability_covariance, each.ability_covariance
            )
        )
        for each in (batch, at_first)
    ]
    assert left[0] <= left[1]


def test_permuting_the_table_permutes_the_choice(model, fitted):
    data, _ = fitted
    rng = np.random.default_rng(1)
    systems, items = rng.permutation(7), rng.permutation(12)
    turned = data.take(jnp.asarray(systems), jnp.asarray(items))
    one, other = (
        choose_cells(
            ExpectedGain(), cell_belief(model, each, fit(model, each).value), 5, key=KEY
        )
        for each in (data, turned)
    )
    np.testing.assert_array_equal(systems[np.asarray(other.system)], one.system)
    np.testing.assert_array_equal(items[np.asarray(other.item)], one.item)


def test_batches_of_tables_are_chosen_as_one_by_one(model):
    tables = [table(seed=seed) for seed in (3, 4)]
    beliefs = [cell_belief(model, each, fit(model, each).value) for each in tables]
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *beliefs)
    many = jax.vmap(lambda b: choose_cells(ExpectedGain(), b, 6, key=KEY))(stacked)
    for k, each in enumerate(beliefs):
        alone = choose_cells(ExpectedGain(), each, 6, key=KEY)
        np.testing.assert_array_equal(many.system[k], alone.system)
        np.testing.assert_array_equal(many.item[k], alone.item)


def test_cost_divides_and_budget_ends(belief):
    cost = jnp.ones((7, 12)).at[0].set(1e6)
    found = choose_cells(ExpectedGain(), belief, 20, key=KEY, cost=cost, budget=7.5)
    assert np.sum(np.asarray(found.system) >= 0) == 7
    assert 0 not in found.system.tolist()
    allowed = jnp.zeros((7, 12), bool).at[2, 3].set(True)
    found = choose_cells(ExpectedGain(), belief, 2, key=KEY, allowed=allowed)
    assert (found.system.tolist(), found.item.tolist()) == ([2, -1], [3, -1])


def test_bridges_come_first():
    """Two halves without a shared item: the first cell joins them, whoever is thin."""
    trials = np.zeros((6, 8))
    trials[:3, :4], trials[3:, 4:] = 1, 1
    trials[0, 5] = 0
    data = BinomialResponses(jnp.asarray(trials * 0.0), jnp.asarray(trials))
    apart = cell_belief(TwoPL(), data, fit(TwoPL(), data).value)
    found = choose_cells(BridgingFirst(), apart, 1, key=KEY)
    system, item = int(found.system[0]), int(found.item[0])
    assert (system < 3) == (item >= 4)


def test_the_least_known_system_comes_first():
    data = table(share=0.8, seed=2)
    data = data.hide(jnp.ones((7, 12), bool).at[4, 2:].set(False))
    least = cell_belief(OnePL(), data, fit(OnePL(), data).value)
    found = choose_cells(LargestError(), least, 3, key=KEY)
    assert found.system[0] == 4
    drawn = {
        choose_cells(RandomCells(), least, 1, key=jax.random.key(k)).system.item()
        for k in range(20)
    }
    assert len(drawn) > 2


def test_models_without_log_odds_of_one_ability_are_refused():
    for model in (BetaScore(), MultidimensionalTwoPL(2)):
        with pytest.raises(ValueError, match="Choosing cells needs"):
            cell_belief(model, table(), fit(TwoPL(), table()).value)
