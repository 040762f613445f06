import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.irt import BlockNewton, JointMAP, Normal, OnePL, TwoPL, fit, posterior
from irtjax.irt.diagnostics import (
    HeldOutLoss,
    compare_losses,
    held_out_loss,
    hidden_cells,
)
from irtjax.irt.diagnostics._outcomes import cell_log_likelihoods

from ..cases import MODELS, binomial, point, table

NO_ABILITY = OnePL(ability=Normal(0.0, 1e-3))


def test_the_loss_is_that_of_the_hidden_cells_alone():
    responses = table(TwoPL())
    hidden = hidden_cells(responses, 0.3, key=jax.random.key(1))
    found = held_out_loss(TwoPL(), responses, hidden)
    kept = responses.hide(~hidden)
    at = fit(TwoPL(), kept).value
    item = np.asarray(at.item)
    logit = np.exp(item[:, 1]) * (np.asarray(at.system) - item[:, 0])
    y, n = np.asarray(responses.successes), np.asarray(responses.trials)
    loss = y * np.logaddexp(0, -logit) + (n - y) * np.logaddexp(0, logit)
    np.testing.assert_allclose(found.loss, np.where(hidden, loss, 0), rtol=1e-8)
    total = np.sum(loss[np.asarray(hidden)]) / np.sum(n[np.asarray(hidden)])
    np.testing.assert_allclose(found.mean, total, rtol=1e-10)


def test_hidden_cells_are_some_of_the_observed_and_follow_the_key():
    responses = table(TwoPL(), 60, 50)
    one = hidden_cells(responses, 0.2, key=jax.random.key(0))
    again = hidden_cells(responses, 0.2, key=jax.random.key(0))
    np.testing.assert_array_equal(one, again)
    assert not np.any(np.asarray(one) & ~np.asarray(responses.observed()))
    number = int(np.sum(responses.observed()))
    share = np.sum(one) / number
    assert abs(share - 0.2) < 4 * np.sqrt(0.16 / number)
    with pytest.raises(ValueError, match="between 0 and 1"):
        hidden_cells(responses, 1.0, key=jax.random.key(0))


def test_abilities_foretell_what_their_absence_does_not():
    responses = binomial(np.random.default_rng(3), 40, 30, 10)
    hidden = hidden_cells(responses, 0.2, key=jax.random.key(2))
    with_them = held_out_loss(OnePL(), responses, hidden)
    without = held_out_loss(NO_ABILITY, responses, hidden)
    found = compare_losses(with_them, without)
    assert found.difference < 0
    assert found.p < 0.01
    assert with_them.mean < np.log(2)
    same = compare_losses(with_them, with_them)
    assert same.difference == 0


@pytest.mark.parametrize("name", MODELS)
def test_cells_of_any_kind_add_up_to_the_objective(name):
    model = MODELS[name]
    problem, at = posterior(model, table(model)), point(model)
    cells = cell_log_likelihoods(problem, at)
    empty = posterior(model, problem.responses.hide(jnp.zeros(cells.shape, bool)))
    alone = problem.value(at) - empty.value(at)
    np.testing.assert_allclose(jnp.sum(cells), -alone, rtol=1e-9)
    assert not np.any(np.asarray(cells)[~np.asarray(problem.responses.observed())])


def test_a_fit_that_failed_has_no_loss():
    responses = table(TwoPL())
    hidden = hidden_cells(responses, 0.3, key=jax.random.key(1))
    estimator = JointMAP(BlockNewton(max_steps=1))
    found = held_out_loss(TwoPL(), responses, hidden, estimator=estimator)
    assert np.isnan(found.mean)


@pytest.mark.slow
def test_two_equal_models_differ_by_what_the_error_says():
    """Noise in whole rows and columns, as two models that err in other systems."""
    rng = np.random.default_rng(0)
    n_table, z = 400, []
    weight = jnp.ones((20, 25))
    for _ in range(n_table):
        gap = rng.normal(size=(20, 1)) + rng.normal(size=25) + rng.normal(size=(20, 25))
        losses = [
            _loss(jnp.asarray(part), weight) for part in (gap, np.zeros((20, 25)))
        ]
        found = compare_losses(*losses)
        z.append(float(found.difference / found.error))
    # Normal but for the few clusters: 5 % of twenty rows' t exceed 2.09.
    beyond = np.mean(np.abs(z) > 2.09)
    assert abs(beyond - 0.05) < 4 * np.sqrt(0.05 * 0.95 / n_table) + 0.02


def _loss(loss, weight):
    return HeldOutLoss(loss, weight, jnp.sum(loss) / jnp.sum(weight))


def test_only_hidden_cells_count_in_a_comparison():
    responses = table(TwoPL())
    hidden = hidden_cells(responses, 0.3, key=jax.random.key(1))
    first = held_out_loss(TwoPL(), responses, hidden)
    second = held_out_loss(OnePL(), responses, hidden)
    gap = np.asarray(first.loss - second.loss)
    weight = np.asarray(first.weight)
    difference = gap.sum() / weight.sum()
    away = gap - weight * difference
    parts = [np.sum(away.sum(axis=k) ** 2) for k in (0, 1)]
    variance = max(sum(parts) - np.sum(away**2), np.sum(away**2))
    found = compare_losses(first, second)
    np.testing.assert_allclose(found.error, np.sqrt(variance) / weight.sum(), rtol=1e-9)
