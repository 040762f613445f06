"""Each study on one small table, with what it plants made so large that it must show."""

import jax.numpy as jnp
import numpy as np
import pytest

from experiments import _planted
from irtjax.irt import TwoPL
from irtjax.irt.hyper import Linear


@pytest.mark.slow
def test_group_differences():
    size = _planted.Size(60, 8, 20, tables=1)
    found = _planted.group_differences(size, shift=2.0, shifted=2)
    assert found["share_of_planted_found"] == 1
    assert found["mean_effect"] > 1
    nothing = _planted.group_differences(size, shift=0.0)
    assert "share_of_planted_found" not in nothing
    assert nothing["share_of_tables_with_a_false_flag"] == 0
    assert found["not_converged"] == nothing["not_converged"] == 0


@pytest.mark.slow
def test_clusters():
    size = _planted.Size(80, 8, 5, tables=3)
    found = _planted.clusters(size, sd=1.5, n_testlet=2)
    assert found["share_found"] == 1
    assert abs(found["mean_sd"] - 1.5) < 0.5
    assert _planted.clusters(size, sd=0.0, n_testlet=2)["mean_sd"] < 0.3


@pytest.mark.slow
def test_dimensions():
    size = _planted.Size(40, 16, 10, tables=1)
    found = _planted.dimensions(size, correlation=0.0)
    assert found["share_found"] == 1
    nothing = _planted.dimensions(size, correlation=1.0)
    assert nothing["mean_gain"] < 0.1 * found["mean_gain"]


@pytest.mark.slow
def test_explained_items():
    size = _planted.Size(15, 60, 10, tables=1)
    found = _planted.explained_items(size, share=1.0, hidden=0.5)
    assert found["r2_held_out"] > 0.8
    assert found["not_converged"] == 0
    assert _planted.explained_items(size, share=0.0, hidden=0.5)["r2_held_out"] < 0.2


def test_the_explanatory_model_holds_its_settings():
    mean = Linear(jnp.array([1.0, 0.0, 0.0]), 0.5)
    zero = jnp.zeros(())
    model = _planted.explanatory(
        {"mean": mean, "log_sd": zero, "log_ability_sd": zero - 1}
    )
    assert isinstance(model, TwoPL)
    ability, difficulty = model.system_parameters[0], model.item_parameters[0]
    np.testing.assert_allclose(ability.prior.sd, 0.01 + np.exp(-1))
    np.testing.assert_allclose(difficulty.prior.sd, 1.01)
    assert difficulty.prior.predictor is mean


def test_keys_differ_between_tables():
    one, other = _planted.Size(2, 2, 1, tables=2).table_keys()
    assert one != other
