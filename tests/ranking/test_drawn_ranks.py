import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats

from irtjax.ranking import rank_intervals, ranks_of_draws


@pytest.mark.parametrize("tied", [False, True])
def test_ranks_agree_with_scipy(tied):
    rng = np.random.default_rng(0)
    scores = rng.normal([0.0, 0.3, 1.0, 1.2], size=(400, 4))
    scores = np.round(scores) if tied else scores
    found = ranks_of_draws(jnp.asarray(scores), level=0.9)
    mean = stats.rankdata(-scores, axis=1)
    np.testing.assert_allclose(found.mean, mean.mean(axis=0))
    best = scores == scores.max(axis=1, keepdims=True)
    np.testing.assert_allclose(
        found.p_best, (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
    )
    above = (scores[:, :, None] > scores[:, None]).mean(axis=0)
    ties = (scores[:, :, None] == scores[:, None]).mean(axis=0)
    np.testing.assert_allclose(found.p_beats, above + ties / 2)
    first = stats.rankdata(-scores, axis=1, method="min")
    inside = (first >= np.asarray(found.lower)) & (first <= np.asarray(found.upper))
    assert np.all(inside.mean(axis=0) >= 0.9)
    np.testing.assert_array_equal(found.lower, np.sort(first, axis=0)[20])


def test_draws_of_a_normal_agree_with_intervals_by_its_covariance():
    import jax

    rng = np.random.default_rng(1)
    root = rng.normal(size=(5, 5)) / 2
    mean, covariance = np.array([0.0, 0.5, 1.0, 1.5, 3.0]), root @ root.T
    draws = rng.multivariate_normal(mean, covariance, size=20_000)
    found = ranks_of_draws(jnp.asarray(draws))
    expected = rank_intervals(
        jnp.asarray(mean), jnp.asarray(covariance), key=jax.random.key(0)
    )
    np.testing.assert_allclose(found.p_beats, expected.p_beats, atol=0.02)
    np.testing.assert_allclose(found.p_best, expected.p_best, atol=0.03)
    assert np.all(np.abs(found.lower - expected.lower) <= 1)
    assert np.all(np.abs(found.upper - expected.upper) <= 1)


def test_no_draws_are_refused():
    with pytest.raises(ValueError, match="at least one draw"):
        ranks_of_draws(jnp.zeros((0, 3)))
