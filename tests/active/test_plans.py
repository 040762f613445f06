"""Designs, acquisitions, episodes and stopping rules."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.active import (
    AbstractAcquisition,
    AbstractDesign,
    AbstractStoppingRule,
    AutomaticDesign,
    BudgetSpent,
    CostSpent,
    Episode,
    ExpectedInformation,
    FinitePopulation,
    FirstOf,
    FisherInformation,
    Greedy,
    IntervalNarrow,
    PriorMean,
    Progress,
    Quadrature,
    ScoreFeature,
    SuperlevelSet,
    Systematic,
    SystematicThenGreedy,
    Total,
    Uniform,
    UpperConfidence,
    VarianceReduction,
    best,
    greedy_picks,
    interval_reach,
    quadrature,
    run_episode,
    systematic_picks,
    systematic_then_greedy,
    uniform_weights,
)

from .cases import ITEMS, SOURCES, errors, known_ability, sources_of, target_of

DESIGNS = {
    "greedy": Greedy(),
    "systematic": Systematic(),
    "hybrid": SystematicThenGreedy(),
    "random": Uniform(),
    "auto": AutomaticDesign(),
}
WEIGHTS = jnp.full(ITEMS, 1 / ITEMS)
KEY = jax.random.key(0)


@pytest.fixture(scope="module")
def belief():
    return FinitePopulation()(sources_of(errors()))


@pytest.mark.parametrize("name", DESIGNS)
@pytest.mark.parametrize("budget", [1, 7, ITEMS])
def test_a_plan_holds_each_item_at_most_once(belief, name, budget):
    design = DESIGNS[name]
    assert isinstance(design, AbstractDesign)
    weights = WEIGHTS.at[:3].set(0) / (1 - 3 / ITEMS)
    picks = np.asarray(design(belief, weights, budget, key=KEY))
    assert picks.shape == (budget,)
    assert len(set(picks.tolist())) == budget
    assert 0 <= picks.min() <= picks.max() < ITEMS
    if budget == 7 and name in ("systematic", "random"):
        assert not set(picks.tolist()) & {0, 1, 2}


def test_a_systematic_sample_gives_all_items_the_same_chance(belief):
    def drawn(key):
        return (
            jnp.zeros(ITEMS)
            .at[systematic_picks(belief.mean(), WEIGHTS, 5, key=key)]
            .add(1)
        )

    runs = 4000
    chance = jax.vmap(drawn)(jax.random.split(KEY, runs)).mean(axis=0)
    error = np.sqrt(5 / ITEMS * (1 - 5 / ITEMS) / runs)
    assert np.abs(chance - 5 / ITEMS).max() < 4.5 * error


def test_a_systematic_sample_is_spread_evenly_along_the_order():
    order_by = jnp.asarray(np.random.default_rng(0).permutation(20).astype(float))
    picks = systematic_picks(order_by, jnp.full(20, 0.05), 5, key=KEY)
    assert np.all(np.diff(np.asarray(order_by)[picks]) == 4)


def test_greedy_picks_are_those_of_a_slow_search(belief):
    picks, given = [], belief
    for _ in range(4):
        falls = np.full(ITEMS, -np.inf)
        for item in set(range(ITEMS)) - set(picks):
            after = given.update(jnp.asarray(item), jnp.asarray(0.0), jnp.asarray(0.0))
            falls[item] = -float(after.total(WEIGHTS).variance)
        picks.append(int(np.flatnonzero(falls >= falls.max() - 1e-12)[0]))
        given = given.update(jnp.asarray(picks[-1]), jnp.asarray(0.0), jnp.asarray(0.0))
    none = jnp.zeros(ITEMS, bool)
    found = greedy_picks(belief, VarianceReduction(WEIGHTS), none, 4)
    assert found.tolist() == picks
    assert Greedy()(belief, WEIGHTS, 4, key=KEY).tolist() == picks


@pytest.mark.parametrize("prior", [FinitePopulation(), ScoreFeature()])
def test_quadrature_is_the_episode_it_stands_for(prior):
    belief = prior(sources_of(errors())).update(
        jnp.asarray(3), jnp.asarray(1.0), jnp.asarray(0.1)
    )
    target = target_of(errors(seed=8)[:, 0])
    slow = run_episode(belief, VarianceReduction(WEIGHTS), target, WEIGHTS, 9)
    none = jnp.zeros(ITEMS, bool)
    fast = quadrature(belief, WEIGHTS, none, 9, target.error)
    assert isinstance(fast, Quadrature)
    assert fast.item.tolist() == slow.item.tolist()
    assert np.allclose(fast.mean, slow.mean, atol=1e-12)
    assert np.allclose(fast.variance, slow.variance, atol=1e-13)
    assert quadrature(belief, WEIGHTS, none, 9).item.tolist() == fast.item.tolist()


def test_the_second_half_is_greedy_given_the_first(belief):
    picks = systematic_then_greedy(belief, WEIGHTS, 4, 3, key=KEY)
    first = systematic_picks(belief.mean(), WEIGHTS, 4, key=KEY)
    assert picks[:4].tolist() == first.tolist()
    given = belief.condition(first, jnp.ones(4), jnp.zeros(4))
    seen = jnp.zeros(ITEMS, bool).at[first].set(True)
    rest = greedy_picks(given, VarianceReduction(WEIGHTS), seen, 3)
    assert picks[4:].tolist() == rest.tolist()
    assert (
        SystematicThenGreedy()(belief, WEIGHTS, 7, key=KEY).tolist() == picks.tolist()
    )


def test_the_automatic_design_is_systematic_once_answers_abound(belief):
    few, some, many = 2 * SOURCES, 3 * SOURCES, 4 * SOURCES
    half = systematic_then_greedy(belief, WEIGHTS, SOURCES, SOURCES, key=KEY)
    assert AutomaticDesign()(belief, WEIGHTS, few, key=KEY).tolist() == half.tolist()
    part = systematic_then_greedy(belief, WEIGHTS, 14, 4, key=KEY)
    assert AutomaticDesign()(belief, WEIGHTS, some, key=KEY).tolist() == part.tolist()
    long = FinitePopulation()(sources_of(errors(items=60)))
    weights = jnp.full(60, 1 / 60)
    even = Systematic()(long, weights, many + 1, key=KEY)
    assert AutomaticDesign()(long, weights, many + 1, key=KEY).tolist() == even.tolist()
    ability = known_ability()
    there = Systematic()(ability, WEIGHTS, few, key=KEY)
    assert AutomaticDesign()(ability, WEIGHTS, few, key=KEY).tolist() == there.tolist()


def test_acquisitions_score_by_their_formula(belief):
    seen = jnp.zeros(ITEMS, bool).at[2].set(True)
    mean, variance = np.asarray(belief.mean()), np.asarray(belief.variance())
    upper = mean + 1.5 * np.sqrt(variance)
    rest = np.arange(ITEMS) != 2
    for acquisition, expected in (
        (UpperConfidence(1.5), upper),
        (PriorMean(belief.mean()), mean),
        (VarianceReduction(WEIGHTS), np.asarray(belief.gain(WEIGHTS))),
    ):
        assert isinstance(acquisition, AbstractAcquisition)
        score = np.asarray(acquisition(belief, seen))
        assert score[2] == -np.inf
        assert np.allclose(score[rest], expected[rest])


def test_the_superlevel_set_comes_first_and_by_its_variance(belief):
    mean, variance = np.asarray(belief.mean()), np.asarray(belief.variance())
    level = float(np.quantile(mean + np.sqrt(variance), 0.5))
    score = np.asarray(SuperlevelSet(level, 1.0)(belief, jnp.zeros(ITEMS, bool)))
    inside = mean + np.sqrt(variance) >= level
    assert inside.any()
    assert not inside.all()
    assert np.allclose(score[inside], variance[inside])
    assert score[inside].min() > score[~inside].max()


def test_weights_must_sum_to_one():
    with pytest.raises(Exception, match="sum to 1"):
        VarianceReduction(jnp.ones(3))


def test_ties_go_to_the_lowest_item():
    assert best(jnp.array([1.0, 2.0, 2.0 + 1e-12, -jnp.inf])) == 1
    assert best(jnp.array([-jnp.inf, -3.0, -3.0])) == 1


def test_information_asks_for_a_belief_about_an_ability(belief):
    none = jnp.zeros(ITEMS, bool)
    ability = known_ability()
    assert np.allclose(FisherInformation()(ability, none), ability.information())
    expected = ability.expected_information()
    assert np.allclose(ExpectedInformation()(ability, none), expected)
    with pytest.raises(ValueError, match="AbilityBelief"):
        FisherInformation()(belief, none)


def test_an_episode_is_the_loop_it_stands_for(belief):
    outcome = errors(seed=8)[:, 0]
    target = target_of(outcome)
    acquisition = UpperConfidence(1.0)
    found = run_episode(belief, acquisition, target, WEIGHTS, 6)
    assert isinstance(found, Episode)
    given, seen = belief, np.zeros(ITEMS, bool)
    for step in range(6):
        item = int(best(acquisition(given, jnp.asarray(seen))))
        given = given.update(
            jnp.asarray(item), jnp.asarray(outcome[item]), jnp.asarray(0.0)
        )
        seen[item] = True
        assert found.item[step] == item
        assert found.outcome[step] == outcome[item]
        assert np.isclose(found.mean[step], given.total(WEIGHTS).mean)
        assert np.isclose(found.variance[step], given.total(WEIGHTS).variance)
    assert found.stopped == 6


def test_what_was_not_asked_changes_nothing(belief):
    outcome = errors(seed=8)[:, 0]
    found = run_episode(belief, UpperConfidence(1.0), target_of(outcome), WEIGHTS, 6)
    other = np.where(np.isin(np.arange(ITEMS), found.item), outcome, 1 - outcome)
    again = run_episode(belief, UpperConfidence(1.0), target_of(other), WEIGHTS, 6)
    assert again.item.tolist() == found.item.tolist()
    assert np.array_equal(again.mean, found.mean)


def test_an_episode_asks_only_what_has_an_outcome(belief):
    target = target_of(errors(seed=8)[:, 0])
    blank = jnp.arange(ITEMS) % 2 == 0
    target = type(target)(jnp.where(blank, jnp.nan, target.error), ~blank)
    found = run_episode(belief, VarianceReduction(WEIGHTS), target, WEIGHTS, 8)
    assert np.all(found.item % 2 == 1)
    assert np.all(np.isfinite(found.mean))


def test_stopping_rules():
    half = IntervalNarrow(0.1)
    rules = [BudgetSpent(3), half, CostSpent(7.0), FirstOf((BudgetSpent(9), half))]
    variance = (0.1 / 1.959964) ** 2

    def at(count, variance, spent):
        total = Total(jnp.asarray(0.5), jnp.asarray(variance))
        progress = Progress(jnp.asarray(count), total, jnp.asarray(spent))
        assert all(isinstance(rule, AbstractStoppingRule) for rule in rules)
        return [bool(rule(progress)) for rule in rules]

    assert at(2, variance * 1.01, 6.9) == [False] * 4
    assert at(3, variance * 1.01, 6.9) == [True, False, False, False]
    assert at(2, variance * 0.99, 6.9) == [False, True, False, True]
    assert at(2, variance * 1.01, 7.0) == [False, False, True, False]


def test_an_episode_says_when_it_could_have_stopped(belief):
    target = target_of(errors(seed=8)[:, 0])
    cost = jnp.full(ITEMS, 2.0)
    acquisition = VarianceReduction(uniform_weights(target))
    found = run_episode(
        belief, acquisition, target, WEIGHTS, 10, stop=CostSpent(7.0), cost=cost
    )
    assert found.stopped == 4
    never = run_episode(
        belief, acquisition, target, WEIGHTS, 10, stop=IntervalNarrow(1e-9)
    )
    assert never.stopped == 10


def test_the_intervals_reach_shrinks_to_the_normal_one():
    reach = [interval_reach(6, answers) for answers in (1, 10, 10_000)]
    assert reach == sorted(reach, reverse=True)
    assert np.isclose(reach[-1], 1.96, atol=1e-3)
