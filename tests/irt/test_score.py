"""Scores by which systems are compared, against a dense delta method."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import BinomialResponses
from irtjax.irt import (
    AbstractScored,
    Fisher,
    FittedScores,
    PooledTwoPL,
    TwoPL,
    fit,
    fitted_scores,
    joint_covariance,
    scores_of,
)


@pytest.fixture(scope="module", params=[(8, 5), (5, 8)], ids=["tall", "wide"])
def responses(request):
    rng = np.random.default_rng(4)
    shape = request.param
    trials = np.where(rng.random(shape) < 0.8, 12.0, 0.0)
    trials[0] = 0.0  # a system with no data
    chance = 1 / (
        1 + np.exp(rng.normal(size=shape[1]) - rng.normal(size=(shape[0], 1)))
    )
    return BinomialResponses(
        jnp.asarray(rng.binomial(trials.astype(int), chance).astype(float)),
        jnp.asarray(trials),
    )


def test_pooled_scores_and_places_have_the_delta_methods_errors(responses):
    model = PooledTwoPL()
    value = fit(model, responses).value
    found = fitted_scores(model, responses, value)
    assert isinstance(found, FittedScores)
    assert isinstance(model, AbstractScored)
    n_system, n_item = responses.shape
    some = np.asarray(responses.observed()).any(axis=1)
    share = jnp.asarray(some / some.sum())

    def from_mean(flat):
        ability, difficulty = flat[:n_system], flat[n_system : n_system + n_item]
        slope, mean = jnp.exp(flat[-1]), share @ flat[:n_system]
        return slope * jnp.concatenate([ability - mean, difficulty - mean])

    flat = jnp.concatenate([value.system.T.ravel(), value.item.T.ravel(), value.shared])
    slope = np.asarray(jax.jacobian(from_mean)(flat))
    dense = slope @ np.asarray(joint_covariance(model, responses, value)) @ slope.T
    expected = np.asarray(from_mean(flat))
    np.testing.assert_allclose(found.score, expected[:n_system], atol=1e-12)
    np.testing.assert_array_equal(found.score, scores_of(model, responses, value))
    assert found.difficulty is not None
    place, error = map(np.asarray, found.difficulty)
    np.testing.assert_allclose(place, expected[n_system:], atol=1e-12)
    wider = np.asarray(found.covariance)[1, 1] / dense[1, 1]
    np.testing.assert_allclose(found.covariance, wider * dense[:n_system, :n_system])
    np.testing.assert_allclose(error**2, wider * np.diag(dense)[n_system:])


def test_the_widening_counts_the_freedom_that_was_used(responses):
    """N / (N - d), with d the trace of the inverse information times the data's."""
    model = PooledTwoPL()
    value = fit(model, responses).value
    found = fitted_scores(model, responses, value)
    covariance = np.asarray(joint_covariance(model, responses, value))
    n_system, n_item = responses.shape
    prior = np.concatenate(
        [
            np.ones(n_system),
            np.full(n_item, 1 / 16),
            np.full(n_item, 1 / 0.3**2),
            np.ones(1),
        ]
    )
    used = len(prior) - np.sum(np.diag(covariance) * prior)
    trials = float(jnp.sum(responses.trials))
    centre = np.eye(n_system)
    some = np.asarray(responses.observed()).any(axis=1)
    centre -= (some / some.sum())[None, :]
    score = np.asarray(value.system[:, 0])
    slope = float(jnp.exp(value.shared[0]))
    by = np.concatenate([slope * centre, (slope * centre @ score)[:, None]], axis=1)
    kept = [*range(n_system), len(prior) - 1]
    plain = by @ covariance[np.ix_(kept, kept)] @ by.T
    ratio = np.asarray(found.covariance)[1, 1] / plain[1, 1]
    assert ratio == pytest.approx(trials / (trials - used), rel=1e-10)
    assert ratio > 1.02


def test_without_own_scores_they_are_abilities_with_fishers_errors(responses):
    model = TwoPL()
    value = fit(model, responses).value
    found, errors = (
        fitted_scores(model, responses, value),
        Fisher()(model, responses, value),
    )
    np.testing.assert_array_equal(found.score, value.system[:, 0])
    np.testing.assert_allclose(found.covariance, errors.ability_covariance, rtol=1e-10)
    assert found.difficulty is not None
    np.testing.assert_allclose(
        found.difficulty[1], errors.item["difficulty"], rtol=1e-10
    )


def test_stretching_the_scale_changes_no_pooled_comparison():
    """More trials of the same table: the score's spread is that of the log-odds."""
    rng = np.random.default_rng(0)
    ability, difficulty = rng.normal(size=(12, 1)), rng.normal(size=(1, 15))
    chance = 1 / (1 + np.exp(-2.0 * (ability - difficulty)))
    table = BinomialResponses(jnp.asarray(400 * chance), jnp.full(chance.shape, 400.0))
    model = PooledTwoPL()
    found = fitted_scores(model, table, fit(model, table).value)
    wanted = 2.0 * (ability - ability.mean())[:, 0]
    np.testing.assert_allclose(found.score, wanted, atol=0.05)
