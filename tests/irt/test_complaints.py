"""What users of other tools complain of in fitting, each with its right answer.

The numbers are those of the list of public complaints. What is about files and tables
is tested in `tests/data`, what is about orderings in `tests/ranking`.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import (
    BinomialResponses,
    LongResponses,
    ScoreResponses,
    design_graph,
    table_from_matrix,
)
from irtjax.irt import (
    RESULTS,
    Fisher,
    JointMAP,
    MarginalFisher,
    MarginalMAP,
    TwoPL,
    fit,
    fit_many,
    named,
)
from irtjax.irt.diagnostics import flags, item_mean_squares, q3

from .cases import apart

ESTIMATORS = {"joint": JointMAP(), "marginal": MarginalMAP()}
ERRORS = {"joint": Fisher(), "marginal": MarginalFisher()}


@pytest.fixture(params=ESTIMATORS, scope="module")
def estimator(request):
    return ESTIMATORS[request.param]


def responses_of(x):
    seen = np.isfinite(x)
    return BinomialResponses(
        jnp.asarray(np.where(seen, x, 0)), jnp.asarray(seen.astype(float))
    )


def simulated(seed=0, n_system=200, n_item=12, *, missing=0.0):
    """The list's base matrix: a 2PL with system 0 all right and system 1 all wrong."""
    rng = np.random.default_rng(seed)
    ability, difficulty = rng.normal(size=n_system), rng.normal(size=n_item)
    slope = np.exp(0.35 * rng.normal(size=n_item))
    p = 1 / (1 + np.exp(-slope * (ability[:, None] - difficulty)))
    x = (rng.random(p.shape) < p).astype(float)
    x[0], x[1] = 1, 0
    x[rng.random(p.shape) < missing] = np.nan
    return x


def fitted(x, estimator):
    result = fit(TwoPL(), responses_of(x), estimator=estimator)
    assert int(result.code) == RESULTS.successful
    return result, named(TwoPL(), result.value)


def test_complaint_1_full_and_no_marks_are_first_and_last(estimator):
    for seed in range(5):
        x = (np.random.default_rng(seed).random((50, 12)) < 0.5).astype(float)
        x[0], x[49] = 1, 0
        result, values = fitted(x, estimator)
        ability = np.asarray(values.system["ability"])
        assert np.argmax(ability) == 0
        assert np.argmin(ability) == 49
        assert np.all(np.abs(ability) < 5)
        found = flags(responses_of(x), TwoPL(), result)
        said = {(flag.kind, flag.ids) for flag in found}
        assert {("perfect", (0,)), ("zero", (49,))} <= said


@pytest.mark.parametrize("name", ESTIMATORS)
def test_complaints_1_and_15_extremes_and_empty_rows_have_errors(name):
    x = simulated()
    x[5] = np.nan
    wider = np.column_stack([x, np.full(len(x), np.nan)])
    result, _ = fitted(wider, ESTIMATORS[name])
    errors = ERRORS[name](TwoPL(), responses_of(wider), result.value)
    assert np.all(np.isfinite(errors.system["ability"]))
    np.testing.assert_allclose(errors.system["ability"][5], 1.0, rtol=1e-8)
    np.testing.assert_allclose(errors.item["difficulty"][12], 2.0, rtol=1e-8)


def test_complaint_2_a_constant_item_is_named_and_moves_no_other(estimator):
    x = simulated()
    x[1, 3] = 1
    x[:, 3] = 1
    ids = [f"item {k}" for k in range(12)]
    table = table_from_matrix(x, item_ids=ids)
    result = fit(TwoPL(), table.responses, estimator=estimator)
    assert int(result.code) == RESULTS.successful
    found = flags(table, TwoPL(), result)
    constant = [flag for flag in found if flag.kind == "constant"]
    assert [flag.ids for flag in constant] == [("item 3",)]
    assert "'item 3'" in constant[0].message
    values = named(TwoPL(), result.value)
    difficulty = np.asarray(values.item["difficulty"])
    assert np.argmin(difficulty) == 3  # the easiest, of the right sign
    assert difficulty[3] > -12
    rest = np.delete(np.arange(12), 3)
    _, alone = fitted(x[:, rest], estimator)
    # An item that all solve does not order systems; a prior lets it move them a little.
    np.testing.assert_allclose(difficulty[rest], alone.item["difficulty"], atol=0.05)
    order = np.asarray(values.system["ability"]), np.asarray(alone.system["ability"])
    assert np.corrcoef(*order)[0, 1] > 0.999


@pytest.mark.parametrize("seed", range(4))
def test_complaint_4_the_scale_is_never_upside_down(seed, estimator):
    x = simulated(seed, 200, 20, missing=0.4)
    result, values = fitted(x, estimator)
    raw = np.nanmean(x, axis=1)
    assert np.corrcoef(values.system["ability"], raw)[0, 1] > 0.8
    found = flags(responses_of(x), TwoPL(), result)
    assert not [flag for flag in found if flag.kind == "upside down"]


def test_complaint_12_a_score_is_no_answer_unless_one_says_so():
    x = simulated()
    scores = ScoreResponses(jnp.asarray(0.7 * x), jnp.ones(x.shape))
    with pytest.raises(ValueError, match="TwoPL takes BinomialResponses"):
        fit(TwoPL(), scores)


def test_complaint_13_counts_are_the_trials_of_one_system(estimator):
    """A likelihood of k of n equals that of the n trials, for unequal n too."""
    rng = np.random.default_rng(7)
    trials = rng.choice([1, 2, 3, 10], size=(20, 15))
    successes = rng.binomial(trials, rng.uniform(0.2, 0.8, (20, 15)))
    counts = BinomialResponses(
        jnp.asarray(successes, float), jnp.asarray(trials, float)
    )
    system, item, outcome = [], [], []
    for j in range(20):
        for i in range(15):
            ones = successes[j, i]
            system += [j] * trials[j, i]
            item += [i] * trials[j, i]
            outcome += [1.0] * ones + [0.0] * (trials[j, i] - ones)
    apiece = LongResponses(
        jnp.asarray(system),
        jnp.asarray(item),
        jnp.asarray(outcome),
        jnp.ones(len(outcome)),
        20,
        15,
    )
    one = fit(TwoPL(), counts, estimator=estimator)
    other = fit(TwoPL(), apiece, estimator=estimator)
    assert int(one.code) == int(other.code) == RESULTS.successful
    assert apart(one.value, other.value) < 1e-9


def test_complaint_15_no_data_is_the_prior_and_is_said(estimator):
    x = simulated()
    x[5] = np.nan
    wider = np.column_stack([x, np.full(len(x), np.nan)])
    result, values = fitted(wider, estimator)
    assert abs(values.system["ability"][5]) < 1e-8
    assert abs(values.item["difficulty"][12]) < 1e-8
    said = [
        f for f in flags(responses_of(wider), TwoPL(), result) if f.kind == "no data"
    ]
    assert [(f.about, f.ids, f.figure) for f in said] == [
        ("system", (5,), 0.0),
        ("item", (12,), 0.0),
    ]
    kept = np.delete(np.arange(len(x)), 5)
    alone, _ = fitted(x[kept], estimator)
    np.testing.assert_allclose(
        result.value.item[:12], alone.value.item, rtol=1e-6, atol=1e-8
    )
    for statistic in (item_mean_squares, q3):
        one = statistic(TwoPL(), responses_of(wider), result.value)
        other = statistic(TwoPL(), responses_of(x[kept]), alone.value)
        for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True):
            cut = a[:12, :12] if a.ndim == 2 else a[:12] if a.ndim else a
            np.testing.assert_allclose(cut, b, rtol=1e-5, atol=1e-7)


def test_complaint_18_few_answers_each_and_blocks_that_share_nothing(estimator):
    rng = np.random.default_rng(0)
    n_system, n_item, each = 120, 60, 5
    ability, difficulty = rng.normal(size=n_system), rng.normal(size=n_item)
    system = np.repeat(np.arange(n_system), each)
    half = np.arange(n_system) < 80
    item = np.concatenate(
        [
            rng.choice(40, each, replace=False) + (0 if first else 20)
            if first
            else 40 + rng.choice(20, each, replace=False)
            for first in half
        ]
    )
    p = 1 / (1 + np.exp(difficulty[item] - ability[system]))
    responses = LongResponses(
        jnp.asarray(system),
        jnp.asarray(item),
        jnp.asarray((rng.random(p.shape) < p).astype(float)),
        jnp.ones(len(p)),
        n_system,
        n_item,
    )
    result = fit(TwoPL(), responses, estimator=estimator)
    assert int(result.code) == RESULTS.successful
    assert all(np.all(np.isfinite(leaf)) for leaf in jax.tree.leaves(result.value))
    expected = design_graph(responses).groups()[1:]
    assert len(expected) > 0
    cut = [f for f in flags(responses) if f.kind == "disconnected"]
    assert [f.ids for f in cut] == [tuple(group.tolist()) for group in expected]
    assert set(range(80, 120)) <= {each for f in cut for each in f.ids}


@pytest.mark.parametrize("order", range(2))
def test_complaints_20_and_21_the_same_table_gives_the_same_fit(order, estimator):
    """The same bits again, and the same numbers whatever the order of its rows."""
    x = simulated(3, 100, 20)
    first, _ = fitted(x, estimator)
    again, _ = fitted(x, estimator)
    for one, other in zip(
        jax.tree.leaves(first.value), jax.tree.leaves(again.value), strict=True
    ):
        np.testing.assert_array_equal(one, other)
    rows = np.random.default_rng(order).permutation(100)
    turned, _ = fitted(x[rows], estimator)
    assert np.max(np.abs(turned.value.item - first.value.item)) < 1e-8
    many = fit_many(
        TwoPL(),
        jax.tree.map(lambda leaf: jnp.stack([leaf] * 3), responses_of(x)),
        estimator=estimator,
    )
    assert np.max(np.abs(many.value.item - np.asarray(first.value.item)[None])) < 1e-8


@pytest.mark.parametrize("name", ESTIMATORS)
def test_complaint_22_every_parameter_has_an_error_and_a_covariance(name):
    x = simulated(1, 60, 12)
    result, _ = fitted(x, ESTIMATORS[name])
    errors = ERRORS[name](TwoPL(), responses_of(x), result.value)
    assert set(errors.system) == {"ability"}
    assert {"difficulty", "discrimination"} <= set(errors.item)
    for error in (*errors.system.values(), *errors.item.values()):
        assert np.all(np.isfinite(error) & (np.asarray(error) > 0))
    assert np.all(np.linalg.eigvalsh(errors.ability_covariance) > 0)


def test_complaint_27_repeats_shrink_only_what_repeating_can():
    """Ten times the trials of twelve items do not make an ability ten times surer."""
    x = simulated(2, 60, 12)
    once = responses_of(x)
    rng = np.random.default_rng(0)
    logit = rng.normal(size=60)[:, None] - rng.normal(size=12)
    p = 1 / (1 + np.exp(-logit))
    errors = []
    for trials in (1, 10, 1000):
        successes = rng.binomial(trials, p).astype(float)
        responses = BinomialResponses(
            jnp.asarray(successes), jnp.full(once.trials.shape, float(trials))
        )
        at = fit(TwoPL(), responses).value
        errors.append(np.asarray(Fisher()(TwoPL(), responses, at).system["ability"]))
    one, ten, thousand = (np.median(error) for error in errors)
    assert ten < one
    # Items are shared by all systems and estimated: their errors do not go with trials
    # of one system, so the error of an ability falls less than a hundredfold does.
    assert thousand > ten / 10
