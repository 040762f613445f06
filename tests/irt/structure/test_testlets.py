"""The spread of testlet effects: learned where it is, near 0 where it is not."""

import jax.numpy as jnp
import numpy as np
import pytest
import scipy.stats

from irtjax.data import BinomialResponses
from irtjax.irt.structure import fit_testlets, variance_test

LABEL = np.arange(12) // 6
MEMBERSHIP = jnp.asarray(np.eye(2)[LABEL])


def _table(sd, seed):
    rng = np.random.default_rng(seed)
    effect = sd * rng.standard_normal((150, 2))[:, LABEL]
    ability, difficulty = rng.standard_normal((150, 1)), rng.standard_normal(12)
    p = 1 / (1 + np.exp(-(ability - difficulty + effect)))
    drawn = rng.binomial(2, p).astype(float)
    return BinomialResponses(jnp.asarray(drawn), jnp.full(p.shape, 2.0))


@pytest.mark.slow
def test_a_planted_spread_is_learned():
    """The joint mode would have put it at 0."""
    found = [fit_testlets(_table(0.8, seed), MEMBERSHIP) for seed in range(4)]
    assert all(one.p < 0.05 for one in found)
    assert abs(np.mean([one.sd for one in found]) - 0.8) < 0.25


@pytest.mark.slow
def test_none_is_found_where_there_is_none():
    found = [fit_testlets(_table(0.0, seed), MEMBERSHIP) for seed in range(4)]
    assert sum(bool(one.p < 0.05) for one in found) <= 1
    assert np.mean([one.sd for one in found]) < 0.25


def test_a_testlet_is_asked_for():
    with pytest.raises(ValueError, match="no column"):
        fit_testlets(_table(0.0, 0), jnp.zeros((12, 0)))


def test_variance_test_halves_the_tail():
    for gain in (0.1, 1.35, 6.0):
        found = variance_test(jnp.array(-10 + gain), jnp.array(-10.0))
        np.testing.assert_allclose(found.statistic, 2 * gain)
        np.testing.assert_allclose(found.p, scipy.stats.chi2.sf(2 * gain, 1) / 2)
    assert variance_test(jnp.array(-11.0), jnp.array(-10.0)) == (0, 1)
