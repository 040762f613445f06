import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import (
    BinomialResponses,
    CategoricalResponses,
    LongResponses,
    ScoreResponses,
)
from irtjax.irt import Estimate, TwoPL, named, simulate

from .cases import MODELS, N_ITEM, N_SYSTEM, PlainTwoPL, point, table

N_DRAW = 2000


def _draws(model, at, trials, n_category=2):
    """Many tables of one model, each from a key of its own."""

    def one(key):
        return simulate(model, at, trials, n_category=n_category, key=key)

    return jax.jit(jax.vmap(one))(jax.random.split(jax.random.key(0), N_DRAW))


def _success(at):
    found = named(TwoPL(), at)
    ability, item = found.system["ability"], found.item
    logit = item["discrimination"][None, :] * (
        ability[:, None] - item["difficulty"][None, :]
    )
    return np.asarray(1 / (1 + jnp.exp(-logit)))


@pytest.mark.parametrize("k", [1.0, 7.0, 500.0])
def test_counts_have_the_models_mean_and_variance(k):
    at, p = point(TwoPL()), _success(point(TwoPL()))
    drawn = _draws(TwoPL(), at, jnp.full((N_SYSTEM, N_ITEM), k)).successes
    assert np.all((drawn >= 0) & (drawn <= k) & (drawn == np.round(drawn)))
    spread = k * p * (1 - p)
    # 30 cells are looked at: 4.5 standard errors for each.
    error = np.sqrt(spread / N_DRAW)
    assert np.all(np.abs(drawn.mean(axis=0) - k * p) < 4.5 * error)
    fourth = spread * (1 + 3 * spread * (k - 2) / k)
    error = np.sqrt((fourth - spread**2) / N_DRAW) + spread / N_DRAW
    assert np.all(np.abs(drawn.var(axis=0) - spread) < 4.5 * error)


@pytest.mark.parametrize("name", ["two_pl", "partial_credit", "beta_score"])
def test_the_same_key_gives_the_same_bits_and_another_does_not(name):
    one, again, other = (table(MODELS[name], seed=s) for s in (0, 0, 1))
    for left, right in zip(jax.tree.leaves(one), jax.tree.leaves(again), strict=True):
        np.testing.assert_array_equal(left, right)
    assert np.any(jax.tree.leaves(one)[0] != jax.tree.leaves(other)[0])


@pytest.mark.parametrize("name", ["two_pl", "partial_credit", "beta_score"])
def test_hiding_cells_gives_nothing_there_and_changes_no_other(name):
    model = MODELS[name]
    at, full = point(model), jnp.full((N_SYSTEM, N_ITEM), 9.0)
    keep = jnp.asarray(np.random.default_rng(1).random(full.shape) < 0.6)
    options = {"n_category": 3, "key": jax.random.key(3)}
    whole = simulate(model, at, full, **options)
    part = simulate(model, at, jnp.where(keep, full, 0), **options)
    np.testing.assert_array_equal(part.observed(), keep)
    for one, other in zip(
        jax.tree.leaves(part), jax.tree.leaves(whole.hide(keep)), strict=True
    ):
        np.testing.assert_array_equal(one, other)


def test_a_certain_outcome_is_drawn_for_certain():
    at = Estimate(jnp.asarray([[60.0], [-60.0]]), jnp.zeros((3, 2)), jnp.zeros(0))
    drawn = simulate(TwoPL(), at, jnp.full((2, 3), 500.0), key=jax.random.key(0))
    np.testing.assert_array_equal(drawn.successes, [[500.0] * 3, [0.0] * 3])


def test_categories_sum_to_the_trials_and_have_the_models_shares():
    model, k = MODELS["partial_credit"], 12.0
    at = point(model)
    drawn = _draws(model, at, jnp.full((N_SYSTEM, N_ITEM), k), n_category=3).counts
    np.testing.assert_array_equal(drawn.sum(axis=-1), k)
    assert drawn.min() >= 0
    ability = np.asarray(at.system)[:, None, 0]
    steps = np.cumsum(ability[..., None] - np.asarray(at.item)[None], axis=-1)
    weight = np.exp(np.concatenate([np.zeros((*steps.shape[:2], 1)), steps], axis=-1))
    share = weight / weight.sum(axis=-1, keepdims=True)
    error = np.sqrt(k * share * (1 - share) / N_DRAW)
    assert np.all(np.abs(drawn.mean(axis=0) - k * share) < 4.5 * error)


def test_scores_follow_the_models_distribution():
    model = MODELS["beta_score"]
    at = point(model)
    drawn = _draws(model, at, jnp.ones((N_SYSTEM, N_ITEM))).score
    assert 0 <= drawn.min() < drawn.max() <= 1
    precision = np.exp(float(at.shared[0]))
    logit = at.system[:, :1] - at.item[:, 0][None, :]
    mean = np.asarray(jax.nn.sigmoid(logit))
    variance = mean * (1 - mean) / (1 + precision)
    error = 4.5 * np.sqrt(variance / N_DRAW)
    # The distribution function is tabulated at 512 points of [0, 1].
    assert np.all(np.abs(drawn.mean(axis=0) - mean) < error + 1 / 512)
    widest = 4.5 * np.sqrt(0.25 * variance / N_DRAW)
    assert np.all(np.abs(drawn.var(axis=0) - variance) < widest + 1 / 512)


def test_small_scores_are_drawn_below_the_first_point_of_the_table():
    """A flat density on a grid: a hundredth of a hundredth lies below 1e-4."""
    at = Estimate(jnp.zeros((1, 1)), jnp.zeros((1, 1)), jnp.log(jnp.asarray([2.0])))
    drawn = _draws(MODELS["beta_score"], at, jnp.ones((1, 1))).score
    assert drawn.min() < 1 / 512
    np.testing.assert_allclose(np.mean(drawn < 0.25), 0.25, atol=4 * 0.433 / 2000**0.5)


def test_the_kind_of_responses_is_the_models():
    kinds = {
        "two_pl": BinomialResponses,
        "partial_credit": CategoricalResponses,
        "beta_score": ScoreResponses,
    }
    for name, kind in kinds.items():
        assert isinstance(table(MODELS[name]), kind)


class ToyLong(PlainTwoPL):
    response = LongResponses


def test_a_kind_that_cannot_be_drawn_is_an_error():
    trials = jnp.ones((N_SYSTEM, N_ITEM))
    with pytest.raises(ValueError, match="LongResponses cannot be drawn"):
        simulate(ToyLong(), point(TwoPL()), trials, key=jax.random.key(0))
