import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats

from irtjax.irt import Exp, Flat, Identity, Interval, Normal, Parameter
from irtjax.irt._parameter import constrain, names, transform_slopes

TRANSFORMS = {
    "identity": (Identity(), -np.inf, np.inf),
    "exp": (Exp(), 0.0, np.inf),
    "interval": (Interval(-0.5, 2.0), -0.5, 2.0),
}
EVERY = pytest.mark.parametrize(
    ("transform", "lower", "upper"), TRANSFORMS.values(), ids=TRANSFORMS.keys()
)


@EVERY
def test_a_transform_increases_within_its_range_and_has_its_inverse(
    transform, lower, upper
):
    real = jnp.linspace(-6, 6, 41)
    own = jax.vmap(transform.forward)(real)
    assert jnp.all((own > lower) & (own < upper))
    assert jnp.all(jnp.diff(own) > 0)
    np.testing.assert_allclose(jax.vmap(transform.inverse)(own), real, atol=1e-10)


@EVERY
def test_slopes_are_differences(transform, lower, upper):
    kind = (Parameter("x", Normal(), transform),)
    at, step = 0.4, 1e-6
    ahead, behind = (transform.forward(jnp.asarray(at + d)) for d in (step, -step))
    np.testing.assert_allclose(
        transform_slopes(kind, jnp.asarray([at])),
        [(ahead - behind) / (2 * step)],
        rtol=1e-8,
    )


def test_a_normal_prior_is_the_normal_density():
    prior, nothing = Normal(0.7, 2.0), jnp.zeros(0)
    values = jnp.linspace(-3, 3, 7)
    found = jax.vmap(lambda v: prior.log_prob(v, {}, nothing))(values)
    expected = stats.norm(0.7, 2.0).logpdf(values)
    np.testing.assert_allclose(found, expected, atol=1e-13)


def test_a_flat_prior_says_nothing_and_draws_nothing():
    prior, nothing = Flat(), jnp.zeros(0)
    assert prior.log_prob(jnp.asarray(3.0), {}, nothing) == 0
    with pytest.raises(ValueError, match="proper"):
        prior.sample({}, nothing, key=jax.random.key(0))


def test_a_normal_prior_draws_what_it_says():
    prior, nothing = Normal(0.7, 2.0), jnp.zeros(0)
    keys = jax.random.split(jax.random.key(1), 4000)
    drawn = jax.vmap(lambda key: prior.sample({}, nothing, key=key))(keys)
    assert stats.kstest(drawn, stats.norm(0.7, 2.0).cdf).pvalue > 1e-3


@pytest.mark.parametrize("sd", [0.0, -1.0])
def test_a_normal_prior_needs_spread(sd):
    with pytest.raises(ValueError, match="sd > 0"):
        Normal(0.0, sd)


def test_parameters_are_stored_in_the_order_in_which_they_are_named():
    kinds = (Parameter("b", Normal()), Parameter("a", Normal(), Exp()))
    assert names(kinds) == ("b", "a")
    found = constrain(kinds, jnp.asarray([0.5, 0.0]))
    assert found == {"b": 0.5, "a": 1.0}
