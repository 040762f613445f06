"""The settings that every other test relies on are really in force."""

import warnings

import jax
import jax.numpy as jnp
import pytest

from irtjax.data import BinomialResponses


def test_two_devices():
    assert len(jax.devices("cpu")) == 2


def test_doubles_by_default():
    assert jnp.zeros(()).dtype == jnp.float64


def test_mixed_dtypes_are_refused():
    with pytest.raises(ValueError, match="dtype promotion"):
        jnp.zeros(2, jnp.float32) + jnp.zeros(2, jnp.float64)


def test_mixed_ranks_are_refused():
    with pytest.raises(ValueError, match="rank_promotion"):
        jnp.zeros((2, 2)) + jnp.zeros(2)


def test_shapes_are_checked():
    table = BinomialResponses(jnp.zeros((2, 3)), jnp.ones((2, 3)))
    with pytest.raises(Exception, match="Type-check"):
        table.hide(jnp.zeros((2, 3), jnp.float64))


def test_warnings_are_errors():
    with pytest.raises(UserWarning, match="loud"):
        warnings.warn("loud", UserWarning, stacklevel=1)


def test_shared_is_a_folder_of_data(shared):
    assert (shared / "reference").is_dir()
