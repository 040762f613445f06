"""The studies' tables and counts: with the search itself where it is quick."""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
import pytest
from jaxtyping import Array

from experiments import _planted
from irtjax.irt import RESULTS, TwoPL
from irtjax.irt.hyper import Linear


class Found(NamedTuple):
    """What a study reads of a search for group differences."""

    flagged: Array
    effect: Array
    code: Array


class Learned(NamedTuple):
    """What a study reads of what was learned."""

    hyper: dict
    code: int


def test_group_differences_counts_flags(monkeypatch):
    """The search is told which gaps there are, and flags one planted item of two."""

    def flag(responses, focal, *, rate):
        share = responses.successes / responses.trials
        gap = share[~focal].mean(axis=0) - share[focal].mean(axis=0)
        flagged = jnp.arange(8) == 0
        return Found(flagged, gap, jnp.zeros((), jnp.int32))

    monkeypatch.setattr(_planted, "dif", flag)
    size = _planted.Size(400, 8, 20, tables=2)
    found = _planted.group_differences(size, shift=2.0, shifted=2, impact=0.0)
    assert found["share_of_planted_found"] == 0.5
    assert found["false_flags_a_table"] == 0
    assert 0.1 < found["mean_effect"] < 0.5
    nothing = _planted.group_differences(size, shift=0.0, impact=0.0)
    assert "share_of_planted_found" not in nothing
    assert nothing["share_of_tables_with_a_false_flag"] == 1
    assert abs(nothing["mean_effect"]) < 0.1
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


@pytest.mark.parametrize("share", [0.0, 0.6, 1.0])
def test_the_right_weights_explain_their_share(monkeypatch, share):
    weight = _planted.EXPLAINED / jnp.linalg.norm(_planted.EXPLAINED)

    def learn(model_of, hyper, responses, *, evidence, item_features):
        assert responses.shape == (15, 400)
        assert item_features.shape == (400, 3)
        mean = Linear(np.sqrt(share) * weight)
        return Learned({"mean": mean}, RESULTS.max_steps_reached)

    monkeypatch.setattr(_planted, "empirical_bayes", learn)
    size = _planted.Size(15, 800, 1, tables=3)
    found = _planted.explained_items(size, share=share, hidden=0.5)
    # The sample's share has a standard error of .02 at .6.
    assert abs(found["r2_held_out"] - share) < 0.06
    assert found["not_converged"] == 3


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
