"""Posterior means to first order, against integrals over a grid and against draws."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.irt import (
    RESULTS,
    Estimate,
    Flat,
    MarginalFisher,
    MarginalMAP,
    MarginalMean,
    Normal,
    OnePL,
    TwoPL,
    fit,
    fit_many,
    posterior,
    simulate,
)
from irtjax.irt.marginal import AdaptiveQuadrature, MarginalPosterior
from irtjax.irt.posteriors import draw_prior

from ..cases import KINDS, MODELS, stack, table


def _one_item():
    """A table of one item, whose posterior has two dimensions, and that posterior."""
    model = TwoPL(difficulty=Normal(0.0, 1.5), log_discrimination=Normal(0.0, 0.4))
    truth = Estimate(
        jnp.linspace(-1.5, 1.5, 15)[:, None], jnp.array([[1.2, 0.3]]), jnp.zeros(0)
    )
    key = jax.random.key(3)
    responses = simulate(model, truth, jnp.full((15, 1), 4.0), key=key)
    objective = MarginalPosterior(
        posterior(model, responses), AdaptiveQuadrature(n_node=31)
    )
    b, log_a = np.meshgrid(np.linspace(-3, 8, 89), np.linspace(-2, 2.2, 71))
    grid = jnp.asarray(np.stack([b.ravel(), log_a.ravel()], axis=1))

    @jax.jit
    def at(item):
        here = Estimate(truth.system, item[None, :], truth.shared)
        return objective.value(here), objective.settled(here).system[:, 0]

    value, ability = jax.lax.map(at, grid)
    weight = jax.nn.softmax(-value)
    mean = weight @ grid
    return (
        model,
        responses,
        mean,
        weight @ (grid - mean[None, :]) ** 2,
        weight @ ability,
    )


def test_means_and_errors_are_nearer_to_the_integrals_than_those_of_the_mode():
    model, responses, item, variance, ability = _one_item()
    spread = jnp.sqrt(variance)
    off, wide, gone = [], [], []
    for estimator in (MarginalMAP(), MarginalMean()):
        found = fit(model, responses, estimator=estimator)
        assert found.code == RESULTS.successful
        errors = MarginalFisher()(model, responses, found.value)
        off.append(np.abs(found.value.item[0] - item) / spread)
        wide.append(abs(float(errors.item["difficulty"][0] / spread[0]) - 1))
        gone.append(np.max(np.abs(found.value.system[:, 0] - ability)))
    # The mode is off by a good part of a standard deviation.
    assert np.max(off[0]) > 0.15
    assert np.max(off[1]) < 0.3 * np.max(off[0])
    assert wide[1] < 0.5 * wide[0]
    assert gone[1] < 0.1  # logits: what abilities do between two items is left out


@pytest.mark.slow
@pytest.mark.parametrize("name", [*KINDS, "two_dimensions"])
def test_every_model_has_means_near_its_mode(name):
    model = MODELS[name]
    responses = table(model)
    mode = fit(model, responses, estimator=MarginalMAP())
    mean = fit(model, responses, estimator=MarginalMean())
    assert mean.code == RESULTS.successful
    assert mean.stats.objective == mode.stats.objective
    moved = jnp.abs(mean.value.item - mode.value.item)
    assert 0 < float(jnp.max(moved)) < 1.5
    objective = MarginalMean().objective(posterior(model, responses))
    settled = eqx.filter_jit(objective.settled)(mean.value)
    np.testing.assert_allclose(settled.system, mean.value.system, atol=1e-6)


def test_many_tables_are_moved_as_one_by_one():
    model = MODELS["two_pl"]
    tables = [table(model, seed=seed) for seed in range(3)]
    many = fit_many(model, stack(tables), estimator=MarginalMean())
    for number, one in enumerate(tables):
        alone = fit(model, one, estimator=MarginalMean()).value
        np.testing.assert_allclose(many.value.item[number], alone.item, atol=1e-8)
        np.testing.assert_allclose(many.value.system[number], alone.system, atol=1e-8)


@pytest.mark.slow
def test_systems_in_several_blocks_are_moved_as_in_one():
    """Rows that fill up the last block of systems have no part in the derivative."""
    model = OnePL()
    shape = (151, 60)
    truth = draw_prior(model, shape, key=jax.random.key(0))
    responses = simulate(model, truth, jnp.full(shape, 1.0), key=jax.random.key(1))
    found = fit(model, responses, estimator=MarginalMean())
    assert found.code == RESULTS.successful
    order = jnp.arange(151)[::-1]
    turned = fit(model, responses.take(order, jnp.arange(60)), estimator=MarginalMean())
    np.testing.assert_allclose(turned.value.item, found.value.item, atol=1e-8)


def test_a_table_without_a_mean_keeps_its_mode_and_says_so():
    """Nobody answered an item of flat priors: the information on it is none."""
    model = TwoPL(difficulty=Flat(), log_discrimination=Flat())
    good = table(MODELS["two_pl"], trials=20.0)
    keep = jnp.broadcast_to(jnp.arange(5)[None, :] > 0, good.shape)
    both = stack([good.hide(keep), good])
    mode = fit_many(model, both, estimator=MarginalMAP())
    mean = fit_many(model, both, estimator=MarginalMean())
    assert mean.code[0] == RESULTS.not_finite
    np.testing.assert_array_equal(mean.value.item[0], mode.value.item[0])
    # Its neighbour in the block is moved all the same.
    assert mean.code[1] == mode.code[1]
    assert np.all(mean.value.item[1] != mode.value.item[1])
