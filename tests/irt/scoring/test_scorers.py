import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import BinomialResponses
from irtjax.irt import Estimate, Normal, TwoPL, fit, posterior
from irtjax.irt.marginal import FixedQuadrature
from irtjax.irt.scoring import (
    EAP,
    MAP,
    ML,
    SCORES,
    WLE,
    AbstractScorer,
    Extremes,
    Jeffreys,
    SystemPosterior,
)
from irtjax.irt.scoring._each import each_system

from ..cases import N_ITEM, N_SYSTEM, ToyTwoDimensions, binomial, point, table
from .reference import (
    column,
    patterns,
    published,
    two_pl_items,
)

SCORERS = {
    "eap": EAP(),
    "map": MAP(),
    "ml": ML(),
    "wle": WLE(),
    "jeffreys": Jeffreys(),
}
# R mirt stops its searches for modes and roots when their slope is near 1e-6, and takes
# second differences for errors; its EAP is a plain sum over 121
STOPS = {
    "EAP": (1e-8, 1e-8),
    "MAP": (5e-6, 5e-5),
    "ML": (5e-6, 1e-4),
    "WLE": (5e-6, 1e-4),
}
LIKE_MIRT = {
    "EAP": EAP(FixedQuadrature(121, 6.0)),
    "MAP": MAP(),
    "ML": ML(),
    "WLE": WLE(),
}


@pytest.fixture(scope="module")
def easy():
    """A table of a model with one ability, its items and its answers."""
    model = TwoPL()
    return model, table(model), point(model)


@pytest.mark.parametrize("kind", LIKE_MIRT)
@pytest.mark.parametrize("name", ["LSAT6_2PL", "LSAT7_2PL", "SAT12_2PL"])
def test_scores_are_those_of_r_mirt(shared, name, kind):
    record, kinds = published(shared, name)
    scores = LIKE_MIRT[kind](TwoPL(), patterns(record), two_pl_items(kinds))
    expected, error = column(record, kind), column(record, f"{kind}_se")
    known = ~np.isnan(expected)
    apart, errors_apart = STOPS[kind]
    np.testing.assert_allclose(scores.ability[known], expected[known], atol=apart)
    np.testing.assert_allclose(scores.se[known], error[known], atol=errors_apart)
    # What R mirt has no number for has no finite one here either.
    assert kind == "ML" or known.all()
    assert np.all(np.isinf(scores.ability[~known]))


@pytest.mark.parametrize("seed", range(5))
def test_perfect_and_zero_scorers_are_at_the_ends(seed):
    """nd-ball/py-irt#25: an all-correct subject came out lowest in some runs."""
    rng = np.random.default_rng(seed)
    right = rng.integers(0, 2, (50, 12)).astype(float)
    right[0], right[-1] = 1, 0
    answers = BinomialResponses(jnp.asarray(right), jnp.ones(right.shape))
    fitted = fit(TwoPL(), answers)
    assert int(jnp.argmax(fitted.value.system[:, 0])) == 0
    assert int(jnp.argmin(fitted.value.system[:, 0])) == 49
    for name, scorer in SCORERS.items():
        scores = scorer(TwoPL(), answers, fitted.value)
        assert int(jnp.argmax(scores.ability)) == 0
        assert int(jnp.argmin(scores.ability)) == 49
        assert int(scores.code[0]) == SCORES.highest
        assert int(scores.code[-1]) == SCORES.lowest
        ends = np.asarray(scores.ability[jnp.array([0, 49])])
        errors = np.asarray(scores.se[jnp.array([0, 49])])
        if name == "ml":
            np.testing.assert_array_equal(ends, [np.inf, -np.inf])
            np.testing.assert_array_equal(errors, [np.inf, np.inf])
        else:
            assert np.all(np.isfinite(ends))
            assert np.all((errors > 0) & (errors < 10))


def test_thousands_of_answers_do_not_underflow():
    """philchalmers/mirt#98: EAP with 1,308 of 1,404 items answered."""
    rng = np.random.default_rng(98)
    n_item, truth = 1404, np.array([-1.0, 0.3, 2.5])
    difficulty, slope = (
        rng.normal(size=n_item),
        0.3 * np.exp(0.3 * rng.normal(size=n_item)),
    )
    seen = np.zeros((3, n_item))
    for row in seen:
        row[rng.permutation(n_item)[:1308]] = 1
    p = 1 / (1 + np.exp(-slope * (truth[:, None] - difficulty)))
    right = (rng.random(p.shape) < p) * seen
    items = Estimate(
        jnp.zeros((0, 1)),
        jnp.asarray(np.stack([difficulty, np.log(slope)], 1)),
        jnp.zeros(0),
    )
    # The likelihood itself is below the least normal number.
    log_likelihood = np.sum(seen * (right * np.log(p) + (1 - right) * np.log1p(-p)), 1)
    assert np.all(log_likelihood < np.log(np.finfo(float).tiny))
    answers = BinomialResponses(jnp.asarray(right), jnp.asarray(seen))
    scores = EAP()(TwoPL(), answers, items)
    grid = np.linspace(-4, 4, 8001)
    for j in range(3):
        z = slope[:, None] * (grid[None, :] - difficulty[:, None])
        logs = seen[j] @ (right[j][:, None] * z - np.logaddexp(0, z)) - grid**2 / 2
        weight = np.exp(logs - logs.max())
        mean = np.sum(weight * grid) / np.sum(weight)
        sd = np.sqrt(np.sum(weight * (grid - mean) ** 2) / np.sum(weight))
        np.testing.assert_allclose(scores.ability[j], mean, atol=1e-7)
        np.testing.assert_allclose(scores.se[j], sd, rtol=1e-5)
    np.testing.assert_array_equal(scores.code, SCORES.ordinary)


@pytest.mark.parametrize("name", SCORERS)
def test_without_data_the_score_is_the_prior(easy, name):
    model = TwoPL(ability=Normal(0.7, 1.5))
    _, answers, items = easy
    answers = answers.hide(jnp.ones((N_SYSTEM, N_ITEM), bool).at[0].set(False))
    scores = SCORERS[name](model, answers, items)
    assert int(scores.code[0]) == SCORES.no_data
    if name in ("eap", "map"):
        np.testing.assert_allclose(scores.ability[0], 0.7, atol=1e-12)
        np.testing.assert_allclose(scores.se[0], 1.5, rtol=1e-12)
    else:  # they have no prior to fall back on
        assert np.isnan(scores.ability[0])
        assert np.isinf(scores.se[0])
    assert np.all(np.isfinite(scores.ability[1:]))


@pytest.mark.parametrize("name", SCORERS)
def test_item_errors_are_carried_on(easy, name):
    """The slopes are those by differences; the variance is the sum of both parts."""
    model, answers, items = easy
    scorer = SCORERS[name]
    n_free = items.item.size
    rng = np.random.default_rng(0)
    root = 0.2 * rng.standard_normal((n_free, n_free))
    covariance = jnp.asarray(root @ root.T)
    plain = scorer(model, answers, items)
    scores = scorer(model, answers, items, item_covariance=covariance)
    step, slopes = 1e-5, []
    for k in range(n_free):
        i, q = k % N_ITEM, k // N_ITEM
        ends = [
            scorer(
                model,
                answers,
                Estimate(items.system, items.item.at[i, q].add(h), items.shared),
            ).ability
            for h in (-step, step)
        ]
        slopes.append((ends[1] - ends[0]) / (2 * step))
    slopes = np.stack(slopes, axis=1)
    expected = slopes @ covariance @ slopes.T + np.diag(plain.covariance[:, 0, 0])
    np.testing.assert_allclose(
        scores.ability_covariance, expected, rtol=2e-6, atol=1e-8
    )
    np.testing.assert_allclose(scores.se**2, np.diag(expected), rtol=2e-6)
    np.testing.assert_array_equal(scores.ability, plain.ability)
    assert plain.ability_covariance is None


@pytest.mark.parametrize("name", SCORERS)
def test_systems_and_items_in_any_order(easy, name):
    model, answers, items = easy
    rng = np.random.default_rng(5)
    rows, columns = rng.permutation(N_SYSTEM), rng.permutation(N_ITEM)
    moved = Estimate(items.system, items.item[columns], items.shared)
    before = SCORERS[name](model, answers, items)
    after = SCORERS[name](
        model, answers.take(jnp.asarray(rows), jnp.asarray(columns)), moved
    )
    np.testing.assert_allclose(after.ability, before.ability[rows], atol=1e-9)
    np.testing.assert_allclose(after.se, before.se[rows], rtol=1e-8)
    np.testing.assert_array_equal(after.code, before.code[rows])


def test_far_items_and_steep_ones_stay_finite():
    """SAT12's item 32 has difficulty 12.7; a slope of 20 is a step."""
    item = np.array([[12.7, np.log(0.15)], [0.0, np.log(20.0)], [-30.0, 0.0]])
    items = Estimate(jnp.zeros((0, 1)), jnp.asarray(item), jnp.zeros(0))
    right = np.array([[1.0, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1]])
    answers = BinomialResponses(jnp.asarray(right), jnp.ones(right.shape))
    for scorer in SCORERS.values():
        scores = scorer(TwoPL(), answers, items)
        assert np.all(np.isfinite(scores.ability))
        assert np.all(scores.se > 0)
        np.testing.assert_array_equal(scores.code, SCORES.ordinary)


def test_what_does_not_fit_is_said(easy):
    model, answers, items = easy
    fewer = Estimate(items.system, items.item[:-1], items.shared)
    with pytest.raises(ValueError, match="responses have 5 items, `items` has 4"):
        MAP()(model, answers, fewer)
    with pytest.raises(ValueError, match=r"`item_covariance` must be \(10, 10\)"):
        MAP()(model, answers, items, item_covariance=jnp.eye(3))


def test_float32(easy):
    model, answers, items = easy
    low = jax.tree.map(lambda leaf: leaf.astype(jnp.float32), (answers, items))
    for scorer in SCORERS.values():
        here = scorer(model, *low)
        assert here.ability.dtype == jnp.float32
        there = scorer(model, answers, items)
        np.testing.assert_allclose(here.ability, there.ability, atol=2e-5)
        np.testing.assert_allclose(here.se, there.se, rtol=2e-4)


def test_a_batch_of_tables_by_vmap():
    rng = np.random.default_rng(0)
    tables = [binomial(rng, N_SYSTEM, N_ITEM, 5) for _ in range(3)]
    model, items = TwoPL(), point(TwoPL())
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *tables)
    together = jax.vmap(lambda t: WLE()(model, t, items).ability)(stacked)
    for k, answers in enumerate(tables):
        np.testing.assert_allclose(
            together[k], WLE()(model, answers, items).ability, atol=1e-12
        )


@pytest.mark.parametrize("name", ["eap", "map"])
def test_several_parameters_a_system(name):
    """The mode is where the whole objective is stationary; the mean that of a grid."""
    model = ToyTwoDimensions()
    answers, items = table(model), point(model)
    scores = SCORERS[name](model, answers, items)
    np.testing.assert_array_equal(scores.code, SCORES.ordinary)
    problem = posterior(model, answers)

    def density(system):
        return -problem.value(Estimate(system, items.item, items.shared))

    if name == "map":
        np.testing.assert_allclose(jax.grad(density)(scores.value), 0, atol=1e-9)
        return
    line = np.linspace(-5, 5, 101)
    grid = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)

    def own(system):
        def at(x):
            return system.log_likelihood(x) + system.log_prior(x)

        return jax.vmap(at)(jnp.asarray(grid))

    logs = each_system(own, problem, items).T
    weight = jax.nn.softmax(logs, axis=0)
    mean = weight.T @ grid
    np.testing.assert_allclose(scores.value, mean, atol=1e-4)
    with pytest.raises(ValueError, match="WLE scores one ability"):
        WLE()(model, answers, items)


def test_every_scorer_shares_one_interface():
    assert all(isinstance(scorer, AbstractScorer) for scorer in SCORERS.values())


@pytest.mark.parametrize(
    ("right", "expected"), [(0.0, "lowest"), (1.0, "highest"), (0.5, None)]
)
def test_a_pattern_is_known_to_be_extreme_before_any_search(right, expected):
    at = point(TwoPL())
    weight = jnp.tile(jnp.asarray([1 - right, right]), (N_ITEM, 1))
    system = SystemPosterior(
        TwoPL(),
        jnp.asarray([[0.0, 1.0]]),
        weight,
        at.item,
        at.shared,
        jnp.zeros(0),
        jnp.zeros((N_ITEM, 0)),
    )
    found = system.extremes()
    assert isinstance(found, Extremes)
    assert not found.empty
    assert bool(found.lowest) is (expected == "lowest")
    assert bool(found.highest) is (expected == "highest")
