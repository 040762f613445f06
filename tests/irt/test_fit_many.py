import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import BinomialResponses, LongResponses
from irtjax.irt import (
    LBFGS,
    RESULTS,
    JointMAP,
    TwoPL,
    block_size,
    fit,
    fit_many,
    fit_ragged,
)
from irtjax.irt._fit_many import _call_bounds

from .cases import MODELS, N_ITEM, N_SYSTEM, binomial, stack, table

N_PROBLEM = 21


@pytest.fixture(scope="module")
def tables():
    """Tables of all kinds of difficulty, so that they end after different steps."""
    rng = np.random.default_rng(0)
    made = [
        binomial(rng, N_SYSTEM, N_ITEM, int(rng.choice([1, 2, 10, 500])))
        for _ in range(N_PROBLEM)
    ]
    perfect = made[4]
    made[4] = BinomialResponses(perfect.trials, perfect.trials)
    return stack(made)


@pytest.fixture(scope="module")
def together(tables):
    return fit_many(TwoPL(), tables, block=7)


def _equal(one, other):
    for left, right in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True):
        np.testing.assert_array_equal(left, right)


def _close(one, other, tolerance=1e-10):
    np.testing.assert_array_equal(one.code, other.code)
    for left, right in zip(
        jax.tree.leaves(one.value), jax.tree.leaves(other.value), strict=True
    ):
        np.testing.assert_allclose(left, right, rtol=0, atol=tolerance)
    np.testing.assert_allclose(
        one.stats.objective, other.stats.objective, rtol=tolerance
    )


def _rows(result, which):
    return jax.tree.map(lambda leaf: leaf[which], result)


def test_every_fit_is_that_of_its_table_alone(tables, together):
    assert together.code.shape == (N_PROBLEM,)
    assert np.all(together.code == RESULTS.successful)
    assert len(set(together.stats.iterations.tolist())) > 2
    for k in range(N_PROBLEM):
        _close(fit(TwoPL(), _rows(tables, k)), _rows(together, k))


@pytest.mark.parametrize("block", [1, 512, None], ids=str)
def test_the_batch_size_does_not_matter(tables, together, block):
    _close(fit_many(TwoPL(), tables, block=block), together)


def test_the_order_does_not_matter(tables, together):
    order = np.random.default_rng(1).permutation(N_PROBLEM)
    moved = fit_many(TwoPL(), _rows(tables, order), block=7)
    _close(moved, _rows(together, order))


def test_devices_change_no_bit(tables, together):
    devices = jax.devices()
    assert len(devices) == 2
    _equal(fit_many(TwoPL(), tables, block=7, devices=devices), together)
    _equal(fit_many(TwoPL(), tables, block=7, devices=devices[1:]), together)


def test_numpy_tables_come_in_and_numpy_results_go_out(tables, together):
    numpy = jax.tree.map(np.asarray, tables)
    found = fit_many(TwoPL(), numpy, block=7)
    _equal(found, together)
    assert all(isinstance(leaf, np.ndarray) for leaf in jax.tree.leaves(found))


def test_a_failed_problem_keeps_to_itself(tables, together):
    successes = np.array(tables.successes)
    successes[3] = np.nan
    spoilt = eqx.tree_at(lambda r: r.successes, tables, jnp.asarray(successes))
    found = fit_many(TwoPL(), spoilt, block=7)
    assert found.code[3] == RESULTS.not_finite
    others = np.arange(N_PROBLEM) != 3
    _equal(_rows(found, others), _rows(together, others))


@pytest.fixture(scope="module")
def stragglers():
    """More than 64 tables that end after very different numbers of steps."""
    rng = np.random.default_rng(5)
    return [binomial(rng, N_SYSTEM, N_ITEM, 1 if k % 5 else 500) for k in range(130)]


@pytest.mark.parametrize("block", [8, 64, 128])
def test_many_stragglers_are_all_finished(stragglers, block):
    """In blocks of 128 a batch shrinks at its end; in smaller ones the others queue."""
    found = fit_many(TwoPL(), stack(stragglers), block=block)
    assert found.code.shape == (130,)
    assert np.all(found.code == RESULTS.successful)
    for k in (0, 1, 7, 8, 64, 100, 127, 129):
        _close(fit(TwoPL(), stragglers[k]), _rows(found, k))


def test_a_queue_and_a_batch_take_the_same_steps(stragglers):
    """Where a table sits, and after whom, changes nothing of its way."""
    queue, batch = (
        fit_many(TwoPL(), stack(stragglers), block=block).stats.iterations
        for block in (16, 256)
    )
    assert np.ptp(batch) > 3
    np.testing.assert_array_equal(queue, batch)


@pytest.mark.parametrize("name", ["lapse", "partial_credit"])
def test_every_kind_of_responses_fits_in_a_batch(name):
    model = MODELS[name]
    made = [table(model, seed=seed) for seed in range(4)]
    found = fit_many(model, stack(made))
    for k, one in enumerate(made):
        _close(fit(model, one), _rows(found, k), 1e-8)


def test_another_solver_fits_in_a_batch(tables, together):
    few = _rows(tables, np.arange(4))
    found = fit_many(TwoPL(), few, estimator=JointMAP(LBFGS()))
    _close(found, _rows(together, np.arange(4)), 1e-3)


def test_tables_of_many_sizes_fit_as_they_would_alone():
    rng = np.random.default_rng(6)
    sizes = [(N_SYSTEM, N_ITEM), (3, 4)]
    made = [binomial(rng, *size, 10) for size in sizes]
    for one, found in zip(made, fit_ragged(TwoPL(), made), strict=True):
        assert found.value.system.shape == (one.shape[0], 1)
        assert found.value.item.shape == (one.shape[1], 2)
        _close(fit(TwoPL(), one), found)


@pytest.mark.parametrize(("platform", "cells"), [("cpu", 2**15), ("gpu", 2**20)])
def test_a_block_is_a_power_of_two_that_suits_the_device(platform, cells):
    for size in ((10, 10), (20, 20), (2000, 1000)):
        block = block_size(*size, platform)
        assert block >= 1
        assert block & (block - 1) == 0
        assert block == 1 or block * size[0] * size[1] <= cells


@pytest.mark.parametrize("number", [1, 5, 8, 9, 15, 16, 40, 500, 2100])
def test_calls_are_even_and_hold_every_table_once(number):
    bounds = _call_bounds(number, 8)
    sizes = np.diff(bounds)
    assert (bounds[0], bounds[-1]) == (0, number)
    assert sizes.min() >= 1
    assert sizes.max() - sizes.min() <= 1
    assert sizes.max() <= 8 * 8  # blocks a call


def test_no_table_is_an_error(tables):
    with pytest.raises(ValueError, match="at least one table"):
        fit_many(TwoPL(), _rows(tables, slice(0)))


def test_a_block_holds_a_table(tables):
    with pytest.raises(ValueError, match="`block` must be at least 1, got 0"):
        fit_many(TwoPL(), tables, block=0)


def test_long_tables_are_fitted_as_the_full_ones(tables, together):
    two = [_rows(tables, k) for k in range(2)]
    system, item = np.indices((N_SYSTEM, N_ITEM), np.int32).reshape(2, -1)
    long = [
        LongResponses(
            jnp.asarray(system),
            jnp.asarray(item),
            one.successes.reshape(-1),
            one.trials.reshape(-1),
            N_SYSTEM,
            N_ITEM,
        )
        for one in two
    ]
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *long)
    found = fit_many(TwoPL(), stacked, block=7)
    _close(found, _rows(together, slice(2)))
    for number, one in enumerate(fit_ragged(TwoPL(), long)):
        _close(one, _rows(together, number))
