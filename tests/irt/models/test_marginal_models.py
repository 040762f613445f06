"""Models under the estimator that integrates abilities out."""

import json

import equinox as eqx
import jax
import jax.flatten_util
import jax.numpy as jnp
import numpy as np
import polars as pl
import pytest
from scipy import stats

from irtjax.data import BinomialResponses, CategoricalResponses, ScoreResponses
from irtjax.irt import (
    RESULTS,
    Estimate,
    Flat,
    FourPL,
    GradedResponse,
    MarginalFisher,
    MarginalMAP,
    MultidimensionalTwoPL,
    OnePL,
    Rasch,
    SlopeIntercept,
    SpreadNormal,
    derived,
    fit,
    named,
    posterior,
    simulate,
)
from irtjax.irt._blocks import Vector

from .cases import CASES, PATTERN, drawn_from_prior

NOTHING = jnp.zeros(0)


def _answers(seed, n_system=300, n_item=8):
    rng = np.random.default_rng(seed)
    truth = Estimate(
        jnp.asarray(0.7 * rng.normal(size=(n_system, 1))),
        jnp.asarray(rng.normal(size=(n_item, 1))),
        jnp.log(jnp.asarray([0.7])),
    )
    full = jnp.ones((n_system, n_item))
    return simulate(Rasch(), truth, full, key=jax.random.key(seed))


def test_the_prior_of_a_spread_is_the_normal_density():
    prior, shared = SpreadNormal("ability_sd", 0.3), {"ability_sd": jnp.asarray(0.7)}
    values = jnp.linspace(-2, 2, 9)
    found = jax.vmap(lambda v: prior.log_prob(v, shared, NOTHING))(values)
    np.testing.assert_allclose(found, stats.norm(0.3, 0.7).logpdf(values), rtol=1e-12)
    keys = jax.random.split(jax.random.key(1), 4000)
    drawn = jax.vmap(lambda key: prior.sample(shared, NOTHING, key=key))(keys)
    assert stats.kstest(drawn, stats.norm(0.3, 0.7).cdf).pvalue > 1e-3


def test_rasch_is_one_pl_with_the_spread_in_the_abilities():
    responses = _answers(0)
    rasch = Rasch(difficulty=Flat(), log_ability_sd=Flat())
    one_pl = OnePL(difficulty=Flat(), log_discrimination=Flat())
    one = fit(rasch, responses, estimator=MarginalMAP())
    other = fit(one_pl, responses, estimator=MarginalMAP())
    assert one.code == other.code == RESULTS.successful
    np.testing.assert_allclose(one.stats.objective, other.stats.objective, rtol=1e-9)
    np.testing.assert_allclose(one.value.shared, other.value.shared, atol=1e-6)
    spread = jnp.exp(one.value.shared[0])
    for left, right in (
        (one.value.item, other.value.item),
        (one.value.system, other.value.system),
    ):
        np.testing.assert_allclose(left, spread * right, atol=1e-6)


def test_a_reversed_item_has_a_negative_slope():
    responses = _answers(1)
    successes = responses.successes.at[:, 3].set(1 - responses.successes[:, 3])
    turned = BinomialResponses(successes, responses.trials)
    result = fit(SlopeIntercept(), turned, estimator=MarginalMAP())
    assert result.code == RESULTS.successful
    slope = named(SlopeIntercept(), result.value).item["slope"]
    np.testing.assert_array_equal(jnp.sign(slope), jnp.ones(8).at[3].set(-1))


FLAT_GRADED = GradedResponse(
    4, difficulty=Flat(), log_discrimination=Flat(), log_gap=Flat()
)


def science(shared):
    """The four attitude items of R's Science table, categories 0 to 3."""
    path = shared / "data" / "classic" / "Science.csv"
    answers = pl.read_csv(path).to_numpy()[:, 1:].astype(int)
    return CategoricalResponses(jnp.asarray(np.eye(4)[answers - 1]))


def test_graded_response_is_r_mirts_maximum_likelihood(shared):
    path = shared / "reference" / "mirt" / "Science_graded.json"
    reference = json.loads(path.read_text())
    responses = science(shared)
    result = fit(FLAT_GRADED, responses, estimator=MarginalMAP())
    assert result.code == RESULTS.successful
    assert abs(float(result.stats.objective) + reference["logLik"]) < 1e-4
    errors = MarginalFisher()(FLAT_GRADED, responses, result.value)
    value = named(FLAT_GRADED, result.value).item | derived(FLAT_GRADED, result.value)
    error = errors.item | errors.derived
    ours = {"a1": "discrimination"} | {f"d{k}": f"intercept_{k}" for k in (1, 2, 3)}
    for theirs, name in ours.items():
        items = reference["slope_intercept"].values()
        expected = [item["est"][theirs] for item in items]
        np.testing.assert_allclose(value[name], expected, atol=2e-4)
        expected = [item["se"][theirs] for item in items]
        np.testing.assert_allclose(error[name], expected, rtol=1e-3)


N_RUN, N_PERSON, N_ITEM = 3, 1700, 20
LOWER, UPPER = 0.2, 0.97


@pytest.mark.slow
def test_asymptotes_do_not_turn_difficulties_about():
    """Complaint 8: data sets from one 4PL agree on its difficulties, and say how well."""
    rng = np.random.default_rng(8)
    difficulty = np.linspace(-2, 2, N_ITEM)
    slope = rng.uniform(1.0, 2.0, size=N_ITEM)
    found, misses = [], []
    for seed in range(N_RUN):
        rng = np.random.default_rng(100 + seed)
        z = slope * (rng.normal(size=(N_PERSON, 1)) - difficulty)
        p = LOWER + (UPPER - LOWER) / (1 + np.exp(-z))
        answers = jnp.asarray(rng.random(p.shape) < p, float)
        responses = BinomialResponses(answers, jnp.ones(p.shape))
        result = fit(FourPL(), responses, estimator=MarginalMAP())
        assert result.code == RESULTS.successful
        errors = MarginalFisher()(FourPL(), responses, result.value).item
        item = named(FourPL(), result.value).item
        found.append(item["difficulty"])
        for name, truth in (("lower", LOWER), ("upper", UPPER)):
            miss = jnp.abs(item[name] - truth)
            misses.append(miss / jnp.maximum(errors[name], 0.05 / 4))
    for k in range(N_RUN):
        for m in range(k):
            assert stats.spearmanr(found[k], found[m]).statistic > 0.98
    # Within .05 or, where the data say little, within four of its own errors: 120 are
    # looked at.
    assert np.max(misses) < 4


@eqx.filter_jit
def _fit_with_covariance(model, responses, features):
    """A fit and the inverse information of its items and shared parameters."""
    estimator = MarginalMAP()
    result = fit(model, responses, estimator=estimator, item_features=features)
    objective = estimator.objective(posterior(model, responses, item_features=features))
    like = Vector(
        jnp.zeros_like(result.value.system.T),
        result.value.item.T,
        result.value.shared,
    )
    flat, back = jax.flatten_util.ravel_pytree((like.item, like.shared))

    def column(unit):
        solved = objective.solve(result.value, Vector(like.system, *back(unit)))
        return jax.flatten_util.ravel_pytree((solved.item, solved.shared))[0]

    return result, flat, jax.vmap(column)(jnp.eye(flat.size))


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_truth_is_recovered_within_its_errors(name):
    """Parameters from the priors; the squared standardised miss is near chi-squared."""
    model, features = CASES[name]
    truth = drawn_from_prior(model, 300, 5, key=jax.random.key(5))
    trials = 1.0 if model.response is ScoreResponses else 5.0
    responses = simulate(
        model,
        truth,
        jnp.full((300, 5), trials),
        item_features=features,
        key=jax.random.key(6),
    )
    result, found, covariance = _fit_with_covariance(model, responses, features)
    assert result.code == RESULTS.successful
    item = truth.item
    if isinstance(model, MultidimensionalTwoPL):
        # Which end of a dimension is up is nobody's to say.
        slopes = result.value.item[:, 1:]
        sign = jnp.sign(jnp.sum(slopes * item[:, 1:] * PATTERN, axis=0))
        item = item.at[:, 1:].multiply(sign)
        item = item.at[:, 1:].multiply(PATTERN)
    wanted, _ = jax.flatten_util.ravel_pytree((item.T, truth.shared))
    miss = np.asarray(found - wanted)
    free = np.ones(miss.size, bool)
    if features is not None:
        free[5:] = np.asarray(features.T).ravel() > 0
    miss, covariance = miss[free], np.asarray(covariance)[np.ix_(free, free)]
    distance = miss @ np.linalg.solve(covariance, miss)
    assert 1e-4 < stats.chi2(miss.size).cdf(distance) < 1 - 1e-4
