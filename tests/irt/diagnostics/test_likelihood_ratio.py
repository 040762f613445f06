import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats

from irtjax.irt.diagnostics import two_pl_against_one_pl

from ..cases import binomial
from .mirt import load


@pytest.mark.parametrize("name", ["LSAT6", "LSAT7"])
def test_equals_the_gap_of_mirts_likelihoods(name, shared):
    _, responses, _, large = load(shared, f"{name}_2PL")
    small = load(shared, f"{name}_Rasch")[3]
    found = two_pl_against_one_pl(responses)
    gain = 2 * (large["logLik"] - small["logLik"])
    np.testing.assert_allclose(found.statistic, gain, atol=1e-4)
    assert found.df == large["n_par"] - small["n_par"]
    np.testing.assert_allclose(found.p, stats.chi2.sf(gain, 4), atol=1e-5)


def test_a_constant_item_makes_the_test_unknown_not_wrong():
    responses = binomial(np.random.default_rng(0), 40, 5, 1, share=1.1)
    full = responses.successes.at[:, 2].set(responses.trials[:, 2])
    found = two_pl_against_one_pl(type(responses)(full, responses.trials))
    assert jnp.any(found.code != 0)
    assert jnp.isnan(found.statistic)
    assert jnp.isnan(found.p)
