"""The pooled 2PL: between a 1PL and a 2PL, started where its mode is."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import BinomialResponses
from irtjax.irt import (
    BlockNewton,
    Normal,
    OnePL,
    PooledTwoPL,
    fit,
    fit_many,
    named,
    posterior,
)

NOTHING = jnp.zeros(0)


def tables(count, shape=(9, 7), trials=6):
    rng = np.random.default_rng(0)
    number = np.where(rng.random((count, *shape)) < 0.7, trials, 0)
    chance = 1 / (
        1 + np.exp(rng.normal(size=shape[1]) - rng.normal(size=(shape[0], 1)))
    )
    right = rng.binomial(number, chance)
    return jax.vmap(BinomialResponses)(
        jnp.asarray(right.astype(float)), jnp.asarray(number.astype(float))
    )


def test_the_log_odds_are_a_common_slope_times_a_ratio():
    logit = PooledTwoPL().logit(
        {"ability": jnp.asarray(0.7)},
        {"difficulty": jnp.asarray(-0.2), "relative_slope": jnp.asarray(1.3)},
        {"common_slope": jnp.asarray(2.0)},
        NOTHING,
        NOTHING,
    )
    assert float(logit) == pytest.approx(2.0 * 1.3 * 0.9)


def test_without_room_for_ratios_it_is_a_one_pl():
    one = jax.tree.map(lambda leaf: leaf[0], tables(1))
    tight = PooledTwoPL(log_relative_slope=Normal(0.0, 1e-4))
    plain = OnePL(difficulty=Normal(0.0, 4.0), log_discrimination=Normal(0.0, 1.0))
    found, other = fit(tight, one), fit(plain, one)
    np.testing.assert_allclose(found.value.system, other.value.system, atol=1e-5)
    np.testing.assert_allclose(found.value.shared, other.value.shared, atol=1e-5)


def test_derived_slopes_and_scores():
    model = PooledTwoPL()
    shared = {"common_slope": jnp.asarray(2.0)}
    derived = model.derived({"relative_slope": jnp.asarray(0.5)}, shared)
    assert float(derived["discrimination"]) == 1.0
    assert float(model.score({"ability": jnp.asarray(-0.5)}, shared)) == -1.0


def test_the_start_is_near_the_mode_and_changes_nothing():
    """Fits from zero end at the same point, after more steps."""
    model, drawn = PooledTwoPL(), tables(12)
    found = fit_many(model, drawn)

    def from_zero(table):
        problem = posterior(model, table)
        start = jax.tree.map(jnp.zeros_like, model.start(table))
        return BlockNewton().solve(problem, start)

    other = jax.jit(lambda tables: jax.lax.map(from_zero, tables))(drawn)
    assert not np.asarray(found.code).any()
    np.testing.assert_allclose(found.value.system, other.value.system, atol=1e-8)
    steps = np.asarray(found.stats.iterations), np.asarray(other.stats.iterations)
    assert steps[0].mean() < 0.8 * steps[1].mean()


def test_a_start_of_a_table_with_nothing_in_it_is_finite():
    empty = BinomialResponses(jnp.zeros((4, 3)), jnp.zeros((4, 3)))
    for leaf in jax.tree.leaves(PooledTwoPL().start(empty)):
        assert np.isfinite(leaf).all()
    assert int(fit(PooledTwoPL(), empty).code) == 0
    found = named(PooledTwoPL(), fit(PooledTwoPL(), empty).value)
    np.testing.assert_allclose(found.system["ability"], 0.0, atol=1e-8)
