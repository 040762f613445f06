import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.ranking import (
    RANKERS,
    SimpleAverage,
    average_interval,
    jackknife_covariance,
)
from irtjax.ranking._scored import item_blocks, score_by_jackknife

from .tables import binomial, draw

NOT_MODELS = (
    "average",
    "bradley_terry",
    "item_centred_average",
    "logit_least_squares",
    "within_item_rank",
)


def test_plain_average_has_its_clustered_standard_error():
    responses = draw(0, sparsity=0.4)
    covariance = jackknife_covariance(SimpleAverage(), responses, jnp.arange(12), 12)
    np.testing.assert_allclose(
        np.sqrt(np.diag(covariance)), average_interval(responses).se, rtol=1e-10
    )


def test_what_items_do_to_all_cancels_in_a_difference():
    """Two systems that differ by the same on every item differ for certain."""
    base = np.array([2, 5, 8, 3, 6])
    responses = binomial([base, base + 1], np.full((2, 5), 10))
    sigma = jackknife_covariance(SimpleAverage(), responses, jnp.arange(5), 5)
    assert sigma[0, 0] > 1e-3
    assert sigma[0, 0] + sigma[1, 1] - 2 * sigma[0, 1] == pytest.approx(0, abs=1e-15)


def test_one_block_of_data_has_no_known_error():
    responses = binomial(
        [[1, 0, 0], [1, 2, 3], [2, 1, 0]], [[3, 0, 0], [3] * 3, [3] * 3]
    )
    sigma = np.asarray(
        jackknife_covariance(SimpleAverage(), responses, jnp.arange(3), 3)
    )
    assert np.isnan(sigma[0]).all()
    assert np.isfinite(sigma[1:, 1:]).all()


def test_blocks_follow_the_ids():
    ids = [f"item {k}" for k in range(1000)]
    block = item_blocks(ids, 64)
    assert set(np.bincount(block)) <= {15, 16}
    order = np.random.default_rng(0).permutation(1000)
    np.testing.assert_array_equal(
        item_blocks([ids[k] for k in order], 64), block[order]
    )
    np.testing.assert_array_equal(item_blocks(ids[:5], 64), np.arange(5))


@pytest.mark.parametrize("name", NOT_MODELS)
def test_extreme_scorers_are_not_certain(name):
    rng = np.random.default_rng(0)
    answers = rng.integers(0, 2, (6, 20))
    answers[0], answers[5] = 1, 0
    responses = binomial(answers, np.ones((6, 20)))
    scored = score_by_jackknife(RANKERS[name], responses, range(20), 0.95)
    assert (np.diag(scored.covariance) > 1e-6).all()


def test_the_plain_average_of_a_perfect_scorer_errs_as_wilson_says():
    answers = np.ones((2, 100))
    answers[1, :50] = 0
    responses = binomial(answers, np.ones((2, 100)))
    scored = score_by_jackknife(SimpleAverage(), responses, range(100), 0.95)
    assert np.sqrt(scored.covariance[0, 0]) == pytest.approx(1 / 100)


@pytest.mark.slow
@pytest.mark.parametrize("name", NOT_MODELS)
def test_standard_errors_match_the_spread_over_items(name):
    """Over fresh items, differences of scores spread as the jackknife says."""
    differences, variances = [], []
    for seed in range(60):
        responses = draw(seed, n_system=5, n_item=30, trials=3, sparsity=0.2)
        scored = score_by_jackknife(RANKERS[name], responses, range(30), 0.95)
        sigma = np.asarray(scored.covariance)
        differences.append(float(scored.score[3] - scored.score[1]))
        variances.append(sigma[3, 3] + sigma[1, 1] - 2 * sigma[3, 1])
    ratio = np.sqrt(np.mean(variances)) / np.std(differences)
    # The relative error of a standard deviation of 60 draws is 1 / sqrt(120).
    assert 1 - 3 / np.sqrt(120) < ratio < 1.5
