"""Short walks: exact for a normal, nearer to a skewed density than their start."""

import jax
import jax.numpy as jnp
import numpy as np
import scipy.stats

from irtjax.irt.posteriors import short_walk

DRAWS = 4000


def walked(potential, size):
    keys = jax.random.split(jax.random.key(0), DRAWS)
    return np.asarray(
        jax.jit(jax.vmap(lambda key: short_walk(potential, size, key=key)))(keys)
    )


def test_a_standard_normal_stays_one():
    found = walked(lambda z: jnp.sum(z**2) / 2, 3)
    for column in found.T:
        assert scipy.stats.kstest(column, "norm").pvalue > 1e-3
    assert np.abs(np.corrcoef(found.T) - np.eye(3)).max() < 4 / np.sqrt(DRAWS)


def test_a_skewed_density_is_reached():
    """The logarithm of a gamma variable with shape 3, in units near its own."""
    shape, scale = 3.0, 0.6

    def potential(z):
        value = jnp.log(shape) + scale * z[0]
        return jnp.exp(value) - shape * value

    found = np.exp(np.log(shape) + scale * walked(potential, 1)[:, 0])
    law = scipy.stats.gamma(shape)
    assert scipy.stats.kstest(found, law.cdf).pvalue > 1e-3
    start = np.exp(np.log(shape) + scale * np.random.default_rng(0).normal(size=DRAWS))
    assert scipy.stats.kstest(start, law.cdf).pvalue < 1e-6


def test_a_step_off_the_numbers_is_refused():
    found = walked(lambda z: jnp.where(z[0] > 0, z[0] ** 2 / 2, jnp.nan), 1)
    start = np.asarray(
        [
            float(jax.random.normal(jax.random.split(key)[0], (1,))[0])
            for key in jax.random.split(jax.random.key(0), DRAWS)[:50]
        ]
    )
    ended, began = found[:50, 0][start < 0], start[start < 0]
    # Drawn one by one the starts differ from those of a compiled batch in a last digit.
    assert np.all(np.isclose(ended, began, rtol=1e-12, atol=0) | (ended > 0))
    assert np.isfinite(found).all()
