import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import difficulty_gap, normal_truth, sd_truth


@pytest.mark.parametrize("gap", [0.5, 5.0])
def test_sd_truth_has_the_published_parameters(gap):
    truth = sd_truth(gap)
    np.testing.assert_allclose(truth.ability, np.linspace(-2, 2, 10), atol=1e-15)
    np.testing.assert_allclose(
        truth.difficulty, np.linspace(-gap / 2, gap / 2, 10), atol=1e-15
    )
    np.testing.assert_allclose(truth.discrimination, np.linspace(1, 3, 10))
    assert difficulty_gap(truth) == gap


def test_gaps_may_be_traced():
    gaps = jnp.arange(1.0, 4.0)
    out = jax.jit(jax.vmap(lambda gap: difficulty_gap(sd_truth(gap))))(gaps)
    np.testing.assert_allclose(out, gaps)


def test_normal_abilities_stand_beside_the_same_items():
    keys = jax.random.split(jax.random.key(0), 4000)
    truth = jax.vmap(lambda key: normal_truth(3.0, n_system=5, n_item=7, key=key))(keys)
    even = sd_truth(3.0, n_system=5, n_item=7)
    np.testing.assert_array_equal(truth.difficulty[17], even.difficulty)
    np.testing.assert_array_equal(truth.discrimination[17], even.discrimination)
    # 20,000 draws: the mean's standard error is .007, the deviation's .005.
    assert abs(truth.ability.mean()) < 0.03
    assert abs(truth.ability.std() - 1) < 0.02
