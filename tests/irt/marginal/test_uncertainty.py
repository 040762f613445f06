"""Errors of a marginal fit: exact where they can be checked, alike where they should."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import BinomialResponses
from irtjax.irt import (
    RESULTS,
    MarginalMAP,
    TwoPL,
    fit,
    named,
    parameter_labels,
    posterior,
)
from irtjax.irt.marginal import (
    AdaptiveQuadrature,
    FixedQuadrature,
    Laplace,
    MarginalClusteredSandwich,
    MarginalCrossproduct,
    MarginalExpected,
    MarginalFisher,
    MarginalPosterior,
    MarginalSandwich,
    MarginalSimulated,
    marginal_covariance,
    marginal_log_likelihood,
)

from ..cases import table

MODEL = TwoPL()


@pytest.fixture(scope="module")
def small():
    responses = table(MODEL, trials=5.0)
    return responses, fit(MODEL, responses, estimator=MarginalMAP()).value


@pytest.fixture(scope="module")
def large():
    """Answers of many systems from the model, where all kinds of error should agree."""
    rng = np.random.default_rng(0)
    ability = rng.normal(size=(1500, 1))
    difficulty, slope = np.linspace(-1, 1, 5), np.linspace(0.8, 1.6, 5)
    chance = 1 / (1 + np.exp(-slope * (ability - difficulty)))
    answers = jnp.asarray(rng.binomial(1, chance), float)
    responses = BinomialResponses(answers, jnp.ones_like(answers))
    found = fit(MODEL, responses, estimator=MarginalMAP())
    assert found.code == RESULTS.successful
    return responses, found.value


def test_observed_information_is_the_hessian_of_the_integral(small):
    responses, at = small
    target = MarginalPosterior(posterior(MODEL, responses), FixedQuadrature(121, 7.0))

    def value(flat):
        item = jnp.reshape(flat, at.item.shape)
        moved = type(at)(at.system, item, at.shared)
        return target.value(moved)

    covariance = jnp.linalg.inv(jax.hessian(value)(jnp.ravel(at.item)))
    expected = jnp.sqrt(jnp.diag(covariance)).reshape(at.item.shape)
    errors = MarginalFisher()(MODEL, responses, at)
    np.testing.assert_allclose(errors.item["difficulty"], expected[:, 0], rtol=1e-4)
    slope = named(MODEL, at).item["discrimination"]
    np.testing.assert_allclose(
        errors.item["discrimination"], slope * expected[:, 1], rtol=1e-4
    )


def test_the_joint_covariance_holds_the_errors(small):
    responses, at = small
    covariance = marginal_covariance(MODEL, responses, at)
    labels = parameter_labels(MODEL, responses.shape)
    assert covariance.shape == (len(labels),) * 2
    np.testing.assert_allclose(covariance, covariance.T, atol=1e-12)
    errors = MarginalFisher()(MODEL, responses, at)
    n_system = responses.shape[0]
    np.testing.assert_allclose(
        jnp.sqrt(jnp.diag(covariance))[:n_system], errors.system["ability"], rtol=1e-9
    )


@pytest.mark.parametrize(
    "kind",
    [
        MarginalExpected(),
        MarginalCrossproduct(),
        MarginalSandwich(),
        MarginalSimulated(jax.random.key(0), 4),
    ],
    ids=lambda kind: type(kind).__name__,
)
def test_all_kinds_agree_where_the_model_holds(large, kind):
    exact = MarginalFisher()(MODEL, *large)
    other = kind(MODEL, *large)
    for name, error in exact.item.items():
        np.testing.assert_allclose(other.item[name], error, rtol=0.2)


def test_clusters_of_one_are_the_plain_sandwich(large):
    plain = MarginalSandwich()(MODEL, *large)
    alone = MarginalClusteredSandwich(jnp.arange(1500))(MODEL, *large)
    np.testing.assert_allclose(
        alone.item["difficulty"], plain.item["difficulty"], rtol=1e-8
    )
    with pytest.raises(ValueError, match="`cluster` must have one entry"):
        MarginalClusteredSandwich(jnp.arange(3))(MODEL, *large)


def test_copies_in_a_cluster_add_nothing(large):
    """Each system twice: the clustered errors are those of one copy."""
    responses, at = large
    twice = jax.tree.map(lambda leaf: jnp.concatenate([leaf, leaf]), responses)
    both = type(at)(jnp.concatenate([at.system, at.system]), at.item, at.shared)
    once = MarginalSandwich()(MODEL, responses, at)
    label = jnp.concatenate([jnp.arange(1500)] * 2)
    found = MarginalClusteredSandwich(label)(MODEL, twice, both)
    np.testing.assert_allclose(
        found.item["difficulty"], once.item["difficulty"], rtol=0.05
    )


def test_rules_agree_on_the_likelihood(small):
    responses, at = small
    reference = marginal_log_likelihood(
        MODEL, responses, at, quadrature=FixedQuadrature(201, 8.0)
    )
    for rule, gap in ((AdaptiveQuadrature(), 1e-6), (Laplace(), 0.2)):
        found = marginal_log_likelihood(MODEL, responses, at, quadrature=rule)
        assert abs(float(found - reference)) < gap
