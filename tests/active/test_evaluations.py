"""Ways of evaluating: what they may look at, and whether they are right on average."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.active import (
    ESTIMATE_METRICS,
    EVALUATIONS,
    AbstractEvaluation,
    AdaptiveTest,
    Automatic,
    Difference,
    Estimates,
    FittedAbility,
    GeneralizedAbility,
    ImportanceSampling,
    LevelledUnbiased,
    Nested,
    Planned,
    SampleMean,
    ScoreFeature,
    Systematic,
    Uniform,
    absolute_error,
    covered,
    half_width,
    interval_score,
    proposal,
    samples_to,
)

from .cases import ITEMS, errors, sources_of, target_of

KEY = jax.random.key(0)
BUDGETS = (4, 10, ITEMS)
MATRIX = errors(sources=7)
EXACT = {  # with everything answered the estimate is the truth
    "auto",
    "active",
    "hybrid",
    "systematic",
    "random",
    "systematic_mean",
    "lure",
    "difference",
    "difference_systematic",
    "p_irt",
    "gp_irt",
    "fisher",
    "expected_information",
}


@pytest.mark.parametrize("name", EVALUATIONS)
def test_every_way_evaluates(name):
    evaluation = EVALUATIONS[name]
    assert isinstance(evaluation, AbstractEvaluation)

    @eqx.filter_jit
    def run(target, key):
        sources = sources_of(MATRIX[:, :-1])
        return evaluation(sources, target, BUDGETS, key=key)

    outcome = MATRIX[:, -1]
    found = run(target_of(outcome), KEY)
    assert isinstance(found, Estimates)
    assert found.mean.shape == found.half_width.shape == (3,)
    assert np.all(np.isfinite(found.mean))
    assert np.all(found.half_width >= 0)
    if name in EXACT:
        assert np.isclose(found.mean[-1], outcome.mean(), atol=1e-12)
        assert np.isclose(found.half_width[-1], 0, atol=1e-6)
    if name != "gp_irt":  # turned round, its own share of trust in a fit changes too
        again = run(target_of(outcome), KEY)
        assert np.array_equal(again.mean, found.mean)


@pytest.mark.parametrize(
    "evaluation",
    [
        SampleMean(Uniform()),
        SampleMean(Systematic()),
        Difference(Uniform()),
        Difference(Systematic()),
        ImportanceSampling(),
        LevelledUnbiased(),
    ],
)
def test_sampling_is_right_on_average(evaluation):
    sources, outcome = sources_of(MATRIX[:, :-1]), MATRIX[:, -1]
    runs = 4000

    @jax.jit
    def many(keys):
        return jax.vmap(
            lambda key: evaluation(sources, target_of(outcome), (4, 10), key=key).mean
        )(keys)

    means = np.asarray(many(jax.random.split(KEY, runs)))
    error = means.std(axis=0) / np.sqrt(runs)
    assert np.all(np.abs(means.mean(axis=0) - outcome.mean()) < 4 * error + 1e-12)


def test_a_sample_means_interval_holds_what_it_says():
    generator = np.random.default_rng(0)
    outcome = (generator.random(400) < 0.5).astype(float)
    sources = sources_of(errors(400, 4))

    @jax.jit
    def many(keys):
        return jax.vmap(
            lambda key: SampleMean()(sources, target_of(outcome), (100,), key=key)
        )(keys)

    found = many(jax.random.split(KEY, 2000))
    held = np.abs(found.mean - outcome.mean()) <= found.half_width
    assert abs(held.mean() - 0.95) < 0.02


def test_the_proposal_mixes_a_tenth_of_all_alike():
    chance = np.asarray(proposal(sources_of(MATRIX)))
    assert np.isclose(chance.sum(), 1)
    assert chance.min() >= 0.1 / ITEMS
    assert np.all(np.diff(chance[np.argsort(MATRIX.mean(axis=1))]) >= -1e-15)


def test_a_plan_and_its_belief_make_an_evaluation():
    sources, target = sources_of(MATRIX[:, :-1]), target_of(MATRIX[:, -1])
    planned = Planned(ScoreFeature(), Systematic())
    found = planned(sources, target, (5,), key=KEY)
    belief = ScoreFeature()(sources)
    weights = jnp.full(ITEMS, 1 / ITEMS)
    picks = Systematic()(belief, weights, 5, key=jax.random.fold_in(KEY, 0))
    total = belief.condition(picks, target.error[picks], jnp.zeros(5)).total(weights)
    assert np.isclose(found.mean[0], total.mean)
    assert np.isclose(found.half_width[0], 1.959964 * np.sqrt(total.variance))


def test_outcomes_that_were_not_picked_change_nothing():
    sources, outcome = sources_of(MATRIX[:, :-1]), MATRIX[:, -1]
    evaluation = Nested(ScoreFeature())
    before = evaluation(sources, target_of(outcome), (3,), key=KEY).mean
    changed = []
    for item in range(ITEMS):
        other = outcome.copy()
        other[item] = 1 - other[item]
        after = evaluation(sources, target_of(other), (3,), key=KEY).mean
        changed.append(not np.array_equal(before, after))
    assert sum(changed) == 3


def test_names_stand_for_the_classes_they_say():
    kinds = {
        "auto": Automatic,
        "fisher": AdaptiveTest,
        "gp_irt": GeneralizedAbility,
        "p_irt": Planned,
    }
    for name, kind in kinds.items():
        assert isinstance(EVALUATIONS[name], kind)
    assert isinstance(EVALUATIONS["p_irt"].prior, FittedAbility)


def test_metrics_by_hand():
    error, width = np.array([0.1, -0.3, 0.0]), np.array([0.2, 0.1, np.nan])
    assert absolute_error(error, width).tolist() == [0.1, 0.3, 0.0]
    assert covered(error, width)[:2].tolist() == [1.0, 0.0]
    assert np.isnan(covered(error, width)[2])
    assert half_width(error, width) is width
    assert np.allclose(interval_score(error, width)[:2], [0.4, 0.2 + 40 * 0.2])
    assert set(ESTIMATE_METRICS) == {"mae", "coverage", "half_width", "interval_score"}


def test_samples_to_a_goal_do_not_count_a_first_crossing():
    budgets = (10, 20, 50, 100)
    assert samples_to(budgets, np.array([0.009, 0.02, 0.008, 0.007]), 0.01) == 50
    assert samples_to(budgets, np.array([0.009, 0.008, 0.007, 0.006]), 0.01) == 10
    assert samples_to(budgets, np.array([0.009, 0.02, 0.03, 0.02]), 0.01) is None
