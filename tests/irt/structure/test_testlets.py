"""The spread of testlet effects: learned where it is, near 0 where it is not."""

import jax.numpy as jnp
import numpy as np
import pytest
import scipy.stats

from irtjax.data import BinomialResponses
from irtjax.irt import RESULTS
from irtjax.irt.structure import fit_testlets, membership_of, variance_test

from .. import cases

LABEL = np.arange(12) // 6
MEMBERSHIP = jnp.asarray(np.eye(2)[LABEL])


def _table(sd, seed):
    rng = np.random.default_rng(seed)
    effect = sd * rng.standard_normal((150, 2))[:, LABEL]
    ability, difficulty = rng.standard_normal((150, 1)), rng.standard_normal(12)
    p = 1 / (1 + np.exp(-(ability - difficulty + effect)))
    drawn = rng.binomial(2, p).astype(float)
    return BinomialResponses(jnp.asarray(drawn), jnp.full(p.shape, 2.0))


N_TABLE = 12


def _found(sd):
    found = [fit_testlets(_table(sd, seed), MEMBERSHIP) for seed in range(N_TABLE)]
    return cases.stack(found)


@pytest.mark.slow
def test_a_planted_spread_is_learned():
    found = _found(0.8)
    assert np.all(found.code == RESULTS.successful)
    assert np.all(found.p < 0.05)
    assert abs(np.mean(found.sd) - 0.8) < 0.1
    np.testing.assert_array_equal(found.model.system_parameters[1].prior.sd, found.sd)


@pytest.mark.slow
def test_none_is_found_where_there_is_none():
    """More than 3 of 12 p below .05 come of chance once in 400 times."""
    found = _found(0.0)
    assert np.sum(found.p < 0.05) <= 3
    assert np.mean(found.sd) < 0.2


def test_a_testlet_is_asked_for():
    with pytest.raises(ValueError, match="no column"):
        fit_testlets(_table(0.0, 0), jnp.zeros((12, 0)))


def test_variance_test_halves_the_tail():
    for gain in (0.1, 1.35, 6.0):
        found = variance_test(jnp.array(-10 + gain), jnp.array(-10.0))
        np.testing.assert_allclose(found.statistic, 2 * gain)
        np.testing.assert_allclose(found.p, scipy.stats.chi2.sf(2 * gain, 1) / 2)
    assert variance_test(jnp.array(-11.0), jnp.array(-10.0)) == (0, 1)


def test_labels_become_columns():
    table, kept = membership_of(["b", "a", "b", None, "a", "c"])
    assert kept == ["a", "b"]
    np.testing.assert_array_equal(
        table, [[0, 1], [1, 0], [0, 1], [0, 0], [1, 0], [0, 0]]
    )
    alone, none = membership_of([1, 2, 3])
    assert alone.shape == (3, 0)
    assert none == []
