import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpyro.infer.autoguide import (
    AutoDiagonalNormal,
    AutoLowRankMultivariateNormal,
    AutoMultivariateNormal,
)

from irtjax.irt import Estimate, TwoPL
from irtjax.irt.posteriors import NUTS, SAMPLING, SVI, SVITrace, sample_posterior
from irtjax.irt.posteriors._sampler import Draws

from ..cases import MODELS, table

KEY = jax.random.key(6)


@pytest.mark.parametrize(
    "guide",
    [AutoDiagonalNormal, AutoLowRankMultivariateNormal, AutoMultivariateNormal],
)
def test_a_normal_posterior_is_found(guide):
    """Without data the posterior is the priors' product of normals."""
    empty = jax.tree.map(jnp.zeros_like, table(TwoPL()))
    found = sample_posterior(
        TwoPL(), empty, sampler=SVI(guide=guide, steps=300), key=KEY
    )
    assert found.code == SAMPLING.successful
    spread = np.concatenate(
        [np.ravel(leaf.std((0, 1))) for leaf in jax.tree.leaves(found.value)]
    )
    expected = np.concatenate([np.ones(6), np.tile([2.0, 0.5], 5)])
    np.testing.assert_allclose(spread / expected, 1, atol=0.15)
    # The bound is tight: the normalised priors integrate to 1.
    assert abs(np.mean(found.trace.elbo[-30:])) < 0.3


def test_it_is_near_the_posterior_and_not_above_its_spread():
    model = MODELS["one_pl"]
    responses = table(model)
    near = sample_posterior(model, responses, sampler=SVI(), key=KEY)
    exact = sample_posterior(
        model, responses, sampler=NUTS(draws=500, warmup=100), key=KEY
    )
    assert near.code == SAMPLING.successful
    gap = near.value.system.mean((0, 1)) - exact.value.system.mean((0, 1))
    sd = exact.value.system.std((0, 1))
    assert np.all(np.abs(gap) < 0.25 * sd)
    ratio = near.value.system.std((0, 1)) / sd
    assert np.all((ratio > 0.75) & (ratio < 1.1))


@pytest.mark.parametrize(
    ("rise", "code"),
    [(1.0, SAMPLING.not_converged), (0.0, SAMPLING.successful)],
)
def test_a_bound_that_still_rises_is_named(rise, code):
    rng = np.random.default_rng(0)
    elbo = -100 + rise * np.arange(200) + rng.normal(size=200)
    value = jax.vmap(jax.vmap(Estimate))(
        *(jnp.asarray(rng.normal(size=(1, 50, *s))) for s in ((3, 1), (2, 2), (0,)))
    )
    value = jax.tree.map(np.asarray, value)
    found = SVI().judge(Draws(value, SVITrace(jnp.asarray(elbo))))
    assert found.code == code


def test_the_same_key_gives_the_same_bits():
    one, other = (
        sample_posterior(TwoPL(), table(TwoPL()), sampler=SVI(steps=40), key=KEY)
        for _ in range(2)
    )
    jax.tree.map(np.testing.assert_array_equal, one.value, other.value)


def test_too_few_steps_are_refused():
    with pytest.raises(ValueError, match="steps"):
        SVI(steps=3)
