import jax
import jax.numpy as jnp
import numpy as np

from irtjax.irt import Estimate, TwoPL
from irtjax.irt._draw_intervals import Intervals, quantile_intervals


def test_ends_are_the_quantiles_of_each_parameter_on_its_own_scale():
    keys = jax.random.split(jax.random.key(0))
    draws = jax.vmap(jax.vmap(Estimate))(
        jax.random.normal(keys[0], (2, 50, 3, 1)),
        jax.random.normal(keys[1], (2, 50, 4, 2)),
        jnp.zeros((2, 50, 0)),
    )
    found = quantile_intervals(TwoPL(), draws, level=0.8)
    assert isinstance(found, Intervals)
    flat = np.asarray(draws.item).reshape(100, 4, 2)
    for end, share in ((found.lower, 0.1), (found.upper, 0.9)):
        np.testing.assert_allclose(
            end.item["discrimination"],
            np.exp(np.quantile(flat[:, :, 1], share, axis=0)),
            rtol=1e-12,
        )


def test_a_draw_that_is_no_number_is_left_out():
    draws = jax.vmap(Estimate)(
        jnp.asarray([0.0, 1.0, 2.0, jnp.nan])[:, None, None],
        jnp.zeros((4, 2, 2)),
        jnp.zeros((4, 0)),
    )
    found = quantile_intervals(TwoPL(), draws, level=0.5)
    np.testing.assert_allclose(found.lower.system["ability"], [0.5])
