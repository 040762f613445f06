import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.irt import ClusteredSandwich, Sandwich, TwoPL, fit

from .cases import table

MODEL = TwoPL()


@pytest.fixture(scope="module")
def fitted():
    responses = table(MODEL)
    return responses, fit(MODEL, responses).value


def test_a_cluster_a_cell_is_the_sandwich(fitted):
    """Systems and items each alone: what is clustered is the cell, as in `Sandwich`."""
    responses, at = fitted
    n_system, n_item = responses.shape
    alone = ClusteredSandwich(jnp.arange(n_system), jnp.arange(n_item))
    found, plain = alone(MODEL, responses, at), Sandwich()(MODEL, responses, at)
    jax.tree.map(
        lambda x, y: np.testing.assert_allclose(x, y, rtol=1e-8, atol=1e-12),
        found,
        plain,
    )


def test_labels_are_names_only(fitted):
    responses, at = fitted
    n_system, n_item = responses.shape
    one = ClusteredSandwich(jnp.arange(n_system) // 2, jnp.arange(n_item))
    other = ClusteredSandwich(7 - jnp.arange(n_system) // 2, 3 * jnp.arange(n_item))
    jax.tree.map(
        lambda x, y: np.testing.assert_allclose(x, y, rtol=1e-8),
        one(MODEL, responses, at),
        other(MODEL, responses, at),
    )


def test_labels_must_fit_the_table(fitted):
    responses, at = fitted
    with pytest.raises(ValueError, match="one entry a system"):
        ClusteredSandwich(jnp.arange(2), jnp.arange(2))(MODEL, responses, at)
