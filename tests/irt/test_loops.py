import jax
import jax.numpy as jnp
import numpy as np

from irtjax.irt import carried_while


def _halved(value):
    """Halve until the logarithm is below zero."""
    return carried_while(lambda x: jnp.log(x) >= 0, lambda x: x / 2, value)


def test_it_ends_where_a_plain_loop_ends():
    values = np.array([0.3, 1.0, 5.0, 1000.0])
    expected = []
    for value in values:
        while np.log(value) >= 0:
            value /= 2
        expected.append(value)
    np.testing.assert_array_equal(jax.vmap(_halved)(jnp.asarray(values)), expected)
    np.testing.assert_array_equal(_halved(jnp.asarray(5.0)), expected[2])


def test_a_batch_takes_no_test_of_its_own():
    """The loop's condition reads what the step left: it holds no logarithm."""
    traced = jax.make_jaxpr(jax.vmap(_halved))(jnp.ones(3))
    (loop,) = [e for e in traced.eqns if e.primitive.name == "while"]
    assert "log" not in str(loop.params["cond_jaxpr"])
    assert str(loop.params["body_jaxpr"]).count("log ") == 1
