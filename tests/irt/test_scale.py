"""The scale makes sense: what users of such tools complain of, put right."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import BinomialResponses
from irtjax.irt import RESULTS, Fisher, OnePL, TwoPL, fit, named

MODEL = TwoPL()


def _binary(right):
    right = jnp.asarray(right, float)
    return BinomialResponses(right, jnp.ones_like(right))


@pytest.fixture(scope="module")
def base():
    """200 persons and 12 items of a 2PL; person 0 all right, person 1 all wrong."""
    rng = np.random.default_rng(0)
    ability, difficulty = rng.normal(size=200), rng.normal(size=12)
    slope = np.exp(0.3 * rng.normal(size=12))
    p = 1 / (1 + np.exp(-slope * (ability[:, None] - difficulty)))
    right = (rng.random(p.shape) < p).astype(float)
    right[0], right[1] = 1, 0
    return right


@pytest.mark.parametrize("seed", range(5))
def test_a_perfect_scorer_is_the_best_and_a_zero_scorer_the_worst(seed):
    """Complaint 1."""
    right = np.random.default_rng(seed).integers(0, 2, (50, 12)).astype(float)
    right[0], right[49] = 1, 0
    result = fit(MODEL, _binary(right))
    ability = result.value.system[:, 0]
    assert result.code == RESULTS.successful
    assert jnp.argmax(ability) == 0
    assert jnp.argmin(ability) == 49
    errors = Fisher()(MODEL, _binary(right), result.value).system["ability"]
    assert jnp.all(jnp.isfinite(errors) & (errors > 0) & (errors < 1))


@pytest.mark.parametrize(("answer", "side"), [(1.0, -1), (0.0, 1)], ids=str)
def test_an_item_that_all_pass_is_easy_and_disturbs_no_other(base, answer, side):
    """Complaint 2. Finite, on the right side, unsure; the others stay."""
    constant = base.copy()
    constant[:, 3] = answer
    constant[1 if answer else 0, 3] = answer
    without = np.where(np.arange(12) == 3, 0.0, 1.0) * np.ones_like(base)
    hidden = BinomialResponses(jnp.asarray(base * without), jnp.asarray(without))
    result, reference = fit(MODEL, _binary(constant)), fit(MODEL, hidden)
    assert result.code == RESULTS.successful
    difficulty = result.value.item[:, 0]
    assert jnp.all(jnp.isfinite(difficulty))
    assert side * difficulty[3] > 1
    assert jnp.argmax(side * difficulty) == 3
    others = np.arange(12) != 3
    shift = np.abs(difficulty - reference.value.item[:, 0])[others]
    errors = Fisher()(MODEL, _binary(constant), result.value).item["difficulty"]
    assert np.all(shift < errors[others])
    assert jnp.argmax(errors) == 3


@pytest.mark.parametrize("seed", range(3))
def test_the_scale_is_never_upside_down(seed):
    """Complaint 4: 40 % missing, 200 systems, 12 items."""
    rng = np.random.default_rng(seed)
    ability, difficulty = rng.normal(size=200), rng.normal(size=12)
    p = 1 / (1 + np.exp(-(ability[:, None] - difficulty)))
    seen = rng.random(p.shape) > 0.4
    right = jnp.asarray(seen * (rng.random(p.shape) < p), float)
    result = fit(MODEL, BinomialResponses(right, jnp.asarray(seen, float)))
    raw = np.asarray(right.sum(axis=1)) / np.maximum(seen.sum(axis=1), 1)
    assert np.corrcoef(result.value.system[:, 0], raw)[0, 1] > 0.5
    assert jnp.all(named(MODEL, result.value).item["discrimination"] > 0)


@pytest.mark.parametrize("copies", [2, 3])
def test_counts_are_the_trials_of_one_person(base, copies):
    """Complaint 13: k of n is n answers of the same person, in each unequal cell."""
    rng = np.random.default_rng(copies)
    n = rng.choice([1, 2, 3, 10], (6, 5))
    y = rng.binomial(n, 0.6)
    answers = np.zeros((6, 5, 10))
    used = np.arange(10) < n[..., None]
    answers[np.arange(10) < y[..., None]] = 1
    # One log-probability a trial, summed by hand, has its mode at the same place.
    result = fit(MODEL, BinomialResponses(jnp.asarray(y, float), jnp.asarray(n, float)))

    def objective(u):
        a, b, slope = u[:6], u[6:11], jnp.exp(u[11:])
        logit = slope[None, :] * (a[:, None] - b[None, :])
        sign = jnp.asarray(2 * answers - 1)
        each = jax.nn.log_sigmoid(sign * logit[..., None]) * jnp.asarray(used, float)
        normal = jax.scipy.stats.norm.logpdf
        prior = (
            jnp.sum(normal(a))
            + jnp.sum(normal(b, scale=2.0))
            + jnp.sum(normal(u[11:], scale=0.5))
        )
        return -prior - jnp.sum(each)

    mode = jnp.concatenate([result.value.system[:, 0], result.value.item.T.ravel()])
    np.testing.assert_allclose(objective(mode), result.stats.objective, rtol=1e-12)
    np.testing.assert_allclose(jax.grad(objective)(mode), 0, atol=1e-9)


def test_somebody_without_data_is_at_the_priors_mean(base):
    """Complaint 15. The others keep their numbers."""
    seen = np.ones_like(base)
    seen[5] = 0
    hidden = BinomialResponses(jnp.asarray(base * seen), jnp.asarray(seen))
    result = fit(MODEL, hidden)
    errors = Fisher()(MODEL, hidden, result.value)
    assert result.value.system[5, 0] == 0
    np.testing.assert_allclose(errors.system["ability"][5], 1, rtol=1e-14)


def test_the_same_data_give_the_same_bits(base):
    """Complaints 20 and 21: nothing is random in a fit, and it ends at its mode."""
    one, other = fit(MODEL, _binary(base)), fit(MODEL, _binary(base.copy()))
    for left, right in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True):
        np.testing.assert_array_equal(left, right)
    order = np.random.default_rng(0).permutation(200)
    moved = fit(MODEL, _binary(base[order]))
    np.testing.assert_allclose(moved.value.item, one.value.item, atol=1e-8)


@pytest.mark.parametrize("model", [TwoPL(), OnePL()], ids=["two_pl", "one_pl"])
def test_equal_rows_get_equal_abilities(model, base):
    """Complaint 30."""
    equal = base.copy()
    equal[7] = equal[19]
    ability = fit(model, _binary(equal)).value.system[:, 0]
    np.testing.assert_allclose(ability[7], ability[19], atol=1e-10)
