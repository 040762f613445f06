import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.irt import (
    RESULTS,
    BlockNewton,
    ItemBootstrap,
    JointMAP,
    ParametricBootstrap,
    SystemBootstrap,
    TrialBootstrap,
    TwoPL,
    fit,
    quantile_intervals,
    simulate,
)
from irtjax.irt.resampling import AbstractBootstrap, Refits

from ..cases import MODELS, flat, table

KEY = jax.random.key(8)
BOOTSTRAPS = (ParametricBootstrap, TrialBootstrap, ItemBootstrap, SystemBootstrap)
RESPONSES = table(TwoPL())


@pytest.fixture(scope="module")
def at():
    return fit(TwoPL(), RESPONSES).value


@pytest.fixture(scope="module")
def found(at):
    return {
        kind: kind(KEY, n_draw=6).refits(TwoPL(), RESPONSES, at) for kind in BOOTSTRAPS
    }


def _redrawn(kind, number):
    """Draw `number` of each bootstrap, made by hand."""
    key = jax.random.fold_in(KEY, number)
    if kind is ItemBootstrap:
        drawn = jax.random.randint(key, (5,), 0, 5)
        return jax.tree.map(lambda leaf: leaf[:, drawn], RESPONSES)
    drawn = jax.random.randint(key, (6,), 0, 6)
    return jax.tree.map(lambda leaf: leaf[drawn], RESPONSES)


def test_parametric_refits_are_fits_of_simulated_tables(found, at):
    for number in range(2):
        key = jax.random.fold_in(KEY, number)
        drawn = simulate(TwoPL(), at, RESPONSES.trials, key=key)
        expected = fit(TwoPL(), drawn).value
        one = jax.tree.map(lambda x, n=number: x[n], found[ParametricBootstrap].value)
        np.testing.assert_allclose(flat(one), flat(expected), atol=1e-8)


@pytest.mark.parametrize("kind", [ItemBootstrap, SystemBootstrap])
def test_rows_are_drawn_with_replacement(found, kind):
    expected = fit(TwoPL(), _redrawn(kind, 1)).value
    value = found[kind].value
    known, unknown = value.system[1], value.item
    wanted = expected.system
    if kind is SystemBootstrap:
        known, unknown, wanted = value.item[1], value.system, expected.item
    np.testing.assert_allclose(known, wanted, atol=1e-8)
    assert np.all(np.isnan(unknown))


def test_trials_are_drawn_within_their_cell(at):
    boot = TrialBootstrap(KEY)
    from irtjax.irt import posterior

    problem = posterior(TwoPL(), RESPONSES)
    keys = jax.random.split(KEY, 2000)
    drawn = jax.vmap(lambda key: boot.redraw(problem, at, key=key))(keys)
    np.testing.assert_array_equal(drawn.trials[0], RESPONSES.trials)
    share = np.asarray(RESPONSES.mean_score())
    spread = np.sqrt(RESPONSES.trials * share * (1 - share))
    gap = np.mean(drawn.successes, axis=0) - RESPONSES.successes
    assert np.all(np.abs(gap) <= 5 * spread / np.sqrt(2000))
    np.testing.assert_allclose(np.std(drawn.successes, axis=0), spread, rtol=0.15)


def test_errors_are_the_spread_of_refits(found, at):
    errors = ParametricBootstrap(KEY, n_draw=6)(TwoPL(), RESPONSES, at)
    refits = found[ParametricBootstrap].value
    np.testing.assert_allclose(
        errors.system["ability"], np.std(refits.system[..., 0], axis=0, ddof=1)
    )
    np.testing.assert_allclose(
        errors.item["discrimination"],
        np.std(np.exp(refits.item[..., 1]), axis=0, ddof=1),
    )
    np.testing.assert_allclose(
        errors.ability_covariance, np.cov(refits.system[..., 0].T), rtol=1e-9
    )
    ends = quantile_intervals(TwoPL(), refits, level=0.5)
    np.testing.assert_allclose(
        ends.lower.system["ability"], np.quantile(refits.system[..., 0], 0.25, axis=0)
    )


def test_more_draws_leave_the_first_as_they_are(found, at):
    more = ParametricBootstrap(KEY, n_draw=9).refits(TwoPL(), RESPONSES, at)
    np.testing.assert_allclose(
        more.value.system[:6], found[ParametricBootstrap].value.system, atol=1e-8
    )


def test_failed_refits_are_counted_and_left_out(at):
    hasty = JointMAP(BlockNewton(max_steps=6))
    boot = ParametricBootstrap(KEY, estimator=hasty, n_draw=60)
    refits = boot.refits(TwoPL(), RESPONSES, at)
    assert isinstance(boot, AbstractBootstrap)
    assert isinstance(refits, Refits)
    failed = np.asarray(refits.code) != RESULTS.successful
    assert 0 < int(refits.failed) == np.sum(failed) < 60
    np.testing.assert_array_equal(np.isnan(refits.value.system[:, 0, 0]), failed)
    errors = boot(TwoPL(), RESPONSES, at)
    kept = np.asarray(refits.value.system[..., 0])[~failed]
    np.testing.assert_allclose(errors.system["ability"], kept.std(axis=0, ddof=1))


def test_what_cannot_be_drawn_is_refused():
    model = MODELS["beta_score"]
    scores = table(model)
    at = fit(model, scores).value
    with pytest.raises(ValueError, match="has none"):
        TrialBootstrap(KEY, n_draw=4).refits(model, scores, at)
    with pytest.raises(ValueError, match="ParametricBootstrap"):
        ItemBootstrap(KEY, n_draw=4).refits(
            TwoPL(),
            RESPONSES,
            fit(TwoPL(), RESPONSES).value,
            item_features=jnp.ones((5, 1)),
        )


@pytest.mark.slow
def test_parametric_errors_are_the_estimators_own_spread():
    """They estimate the spread of the same fit over tables from the truth."""
    model = TwoPL()
    truth = fit(model, table(model, trials=200.0)).value
    trials = jnp.full((6, 5), 200.0)
    keys = jax.random.split(KEY, 300)
    tables = jax.vmap(lambda key: simulate(model, truth, trials, key=key))(keys)
    fits = eqx.filter_vmap(lambda r: fit(model, r).value)(tables)
    expected = np.std(fits.system[..., 0], axis=0)
    first = jax.tree.map(lambda leaf: leaf[0], tables)
    boot = ParametricBootstrap(jax.random.key(9), n_draw=300)
    found = boot(model, first, fit(model, first).value).system["ability"]
    # Both are known to 1 / sqrt(2 x 300), and the first fit is not the truth.
    np.testing.assert_allclose(np.log(found / expected), 0, atol=0.35)
