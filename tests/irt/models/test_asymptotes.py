import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats
from scipy.special import expit

from irtjax.irt import FourPL, LogitBeta, ThreePL

NOTHING = jnp.zeros(0)
ITEM = {"difficulty": 0.4, "discrimination": 1.7, "lower": 0.2, "upper": 0.9}


def _success(model, ability, item):
    item = {name: jnp.asarray(value) for name, value in item.items()}
    system = {"ability": jnp.asarray(ability)}
    return jnp.exp(model.log_prob(jnp.asarray(1.0), system, item, {}, NOTHING, NOTHING))


@pytest.mark.parametrize("ability", [-40.0, -1.0, 0.4, 2.0, 40.0])
def test_success_lies_between_the_asymptotes(ability):
    curve = expit(1.7 * (ability - 0.4))
    np.testing.assert_allclose(
        _success(ThreePL(), ability, ITEM), 0.2 + 0.8 * curve, rtol=1e-12
    )
    np.testing.assert_allclose(
        _success(FourPL(), ability, ITEM), 0.2 + 0.7 * curve, rtol=1e-12
    )


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_an_asymptote_that_rounds_to_its_end_is_finite(share):
    for name in ("lower", "upper"):
        found = _success(FourPL(), 0.3, ITEM | {name: share})
        assert jnp.isfinite(found)


@pytest.mark.parametrize(("successes", "failures"), [(5.0, 17.0), (20.0, 1.0)])
def test_the_beta_prior_is_the_density_of_a_logit(successes, failures):
    prior = LogitBeta(successes, failures)
    logit = jnp.linspace(-60, 60, 24001)
    found = jax.vmap(lambda u: prior.log_prob(u, {}, NOTHING))(logit)
    near = np.abs(logit) < 6
    share = expit(np.asarray(logit[near]))
    expected = stats.beta(successes, failures).logpdf(share) + np.log(
        share * (1 - share)
    )
    np.testing.assert_allclose(found[near], expected, rtol=1e-10)
    np.testing.assert_allclose(np.trapezoid(np.exp(found), logit), 1, rtol=1e-10)
    mode = float(logit[jnp.argmax(found)])
    assert abs(expit(mode) - successes / (successes + failures)) < 1e-2

    keys = jax.random.split(jax.random.key(2), 4000)
    drawn = jax.vmap(lambda key: prior.sample({}, NOTHING, key=key))(keys)
    law = stats.beta(successes, failures).cdf
    assert stats.kstest(expit(np.asarray(drawn)), law).pvalue > 1e-3


@pytest.mark.parametrize("counts", [(0.0, 1.0), (1.0, -2.0)])
def test_a_beta_prior_needs_counts(counts):
    with pytest.raises(ValueError, match="> 0"):
        LogitBeta(*counts)
