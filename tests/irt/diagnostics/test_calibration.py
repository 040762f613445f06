"""Statistics have the distributions that they claim, and see what is planted."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats

from irtjax.data import BinomialResponses
from irtjax.irt import Estimate, TwoPL, simulate
from irtjax.irt.diagnostics import (
    item_mean_squares,
    log_likelihood_z,
    m2,
    q3,
    s_x2,
    summed_score_chances,
)

N_TABLE, N_SYSTEM, N_ITEM = 400, 500, 6
ITEM = np.stack([np.linspace(-1.2, 1.2, N_ITEM), np.linspace(-0.3, 0.4, N_ITEM)], 1)


@pytest.fixture(scope="module")
def tables():
    """Tables of a 2PL whose abilities were drawn from its prior, and the truths."""
    keys = jax.random.split(jax.random.key(0), N_TABLE)

    @jax.jit
    @jax.vmap
    def draw(key):
        ability = jax.random.normal(jax.random.fold_in(key, 1), (N_SYSTEM, 1))
        truth = Estimate(ability, jnp.asarray(ITEM), jnp.zeros(0))
        trials = jnp.ones((N_SYSTEM, N_ITEM))
        return truth, simulate(TwoPL(), truth, trials, key=key)

    return draw(keys)


def of_each(statistic, tables):
    truths, responses = tables
    return eqx.filter_jit(eqx.filter_vmap(lambda r, at: statistic(TwoPL(), r, at)))(
        responses, truths
    )


def test_m2_is_chi_squared(tables):
    """At the truth too: what parameters can explain is projected out."""
    found = of_each(m2, tables)
    df = int(found.df[0])
    assert df == N_ITEM * (N_ITEM + 1) // 2 - 2 * N_ITEM
    assert stats.kstest(np.asarray(found.statistic), stats.chi2(df).cdf).pvalue > 0.01
    assert stats.kstest(np.asarray(found.p), "uniform").pvalue > 0.01


def test_s_x2_is_chi_squared(tables):
    """At the truth no degree of freedom goes to parameters: there are two more."""
    found = of_each(s_x2, tables)
    whole = np.asarray(found.df) == N_ITEM - 1 - 2
    assert whole.mean() > 0.9  # where a group expects too few, one is joined to it
    for item in range(N_ITEM):
        statistic = np.asarray(found.statistic)[whole[:, item], item]
        test = stats.kstest(statistic, stats.chi2(N_ITEM - 1).cdf)
        assert test.pvalue > 0.01 / N_ITEM


def test_mean_squares_and_person_fit_are_standard_normal(tables):
    found = of_each(item_mean_squares, tables)
    for square, z in (
        (found.infit, found.infit_z),
        (found.outfit, found.outfit_z),
    ):
        error = 4 / np.sqrt(N_TABLE * N_ITEM)
        assert abs(np.mean(z)) < error + 0.05  # a cube root is not quite normal
        assert abs(np.std(z) - 1) < error + 0.05
        assert abs(np.mean(square) - 1) < 0.01
    person = np.asarray(of_each(log_likelihood_z, tables)).ravel()
    assert abs(person.mean()) < 4 / np.sqrt(person.size)
    assert abs(person.std() - 1) < 0.02


def test_q3_of_independent_items_is_a_correlation_of_noise(tables):
    found = of_each(q3, tables)
    first, second = np.triu_indices(N_ITEM, 1)
    pairs = np.asarray(found.correlation)[:, first, second]
    assert abs(pairs.mean()) < 4 / np.sqrt(pairs.size * N_SYSTEM)
    assert abs(pairs.std() * np.sqrt(N_SYSTEM) - 1) < 4 / np.sqrt(2 * pairs.size) + 0.01


def _first(tables):
    return jax.tree.map(lambda leaf: leaf[0], tables)


def test_a_pair_of_items_that_go_together_stands_out(tables):
    truth, responses = _first(tables)
    copied = responses.successes.at[:300, 4].set(responses.successes[:300, 3])
    found = q3(TwoPL(), BinomialResponses(copied, responses.trials), truth)
    corrected = np.asarray(found.corrected)
    assert np.nanargmax(corrected[3]) == 4
    assert corrected[3, 4] > 0.2
    clean = np.asarray(q3(TwoPL(), responses, truth).corrected)
    assert np.nanmax(np.abs(clean)) < 0.2


def test_an_item_of_another_slope_stands_out(tables):
    truth, responses = _first(tables)
    flat = truth.item.at[2, 1].set(np.log(2.5))
    wrong = Estimate(truth.system, flat, truth.shared)
    found, clean = (s_x2(TwoPL(), responses, at) for at in (wrong, truth))
    assert found.p[2] < 1e-3
    assert np.all(clean.p > 1e-3)
    squares = item_mean_squares(TwoPL(), responses, wrong)
    assert squares.infit[2] > 1.1


def test_a_system_that_answers_at_random_stands_out():
    rng = np.random.default_rng(0)
    difficulty = np.linspace(-3, 3, 60)
    ability = np.linspace(-1, 1, 10)
    p = 1 / (1 + np.exp(-2 * (ability[:, None] - difficulty)))
    x = (rng.random(p.shape) < p).astype(float)
    x[4] = rng.random(60) < 0.5
    at = Estimate(
        jnp.asarray(ability)[:, None],
        jnp.stack([jnp.asarray(difficulty), jnp.full(60, np.log(2.0))], axis=1),
        jnp.zeros(0),
    )
    responses = BinomialResponses(jnp.asarray(x), jnp.ones(x.shape))
    found = np.asarray(log_likelihood_z(TwoPL(), responses, at))
    assert np.argmin(found) == 4
    assert found[4] < -5
    assert np.min(np.delete(found, 4)) > -3


def test_summed_scores_are_those_of_every_pattern():
    success = np.random.default_rng(0).random((3, 5))
    patterns = (np.arange(32)[:, None] >> np.arange(5)) & 1
    chance = np.prod(
        np.where(patterns[None] == 1, success[:, None], 1 - success[:, None]), axis=2
    )
    expected = np.stack(
        [chance[:, patterns.sum(axis=1) == k].sum(axis=1) for k in range(6)], axis=1
    )
    found = summed_score_chances(jnp.asarray(success))
    np.testing.assert_allclose(found, expected, rtol=1e-12)
