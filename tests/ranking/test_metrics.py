from fractions import Fraction
from itertools import pairwise

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.stats

from irtjax.ranking import (
    SimpleAverage,
    average_ranks,
    default_resolution,
    kendall_tau_b,
    spearman,
    top1_miss,
)

from .tables import binomial

RANKS = jax.jit(average_ranks)


def tied_pairs(rng, n_table=300):
    """Pairs of vectors with few distinct values, so many ties; a few sizes."""
    for size in (2, 5, 12):
        for kinds in rng.integers(1, 6, n_table // 3):
            yield rng.integers(0, kinds, (2, size)) / 7.0


def test_average_ranks_equal_scipy_on_tied_values():
    for x, _ in tied_pairs(np.random.default_rng(0)):
        np.testing.assert_array_equal(RANKS(jnp.array(x)), scipy.stats.rankdata(x))


@pytest.mark.filterwarnings("ignore:An input array is constant")
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(spearman, scipy.stats.spearmanr), (kendall_tau_b, scipy.stats.kendalltau)],
)
def test_correlations_equal_scipy_on_tied_values(ours, theirs):
    ours = jax.jit(ours)
    for x, y in tied_pairs(np.random.default_rng(1)):
        np.testing.assert_allclose(
            ours(jnp.array(x), jnp.array(y)), theirs(x, y)[0], atol=1e-14
        )


@pytest.mark.parametrize("metric", [spearman, kendall_tau_b])
def test_constant_input_has_no_correlation(metric):
    assert jnp.isnan(metric(jnp.ones(4), jnp.arange(4.0)))
    assert jnp.isnan(metric(jnp.arange(4.0), jnp.ones(4)))
    assert jnp.isnan(metric(jnp.ones(1), jnp.ones(1)))


@pytest.mark.parametrize("metric", [spearman, kendall_tau_b, top1_miss])
def test_systems_without_a_value_take_no_part(metric):
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(2, 9))
    whole = metric(jnp.array(x[:6]), jnp.array(y[:6]))
    x[7], y[6], y[8] = np.nan, np.nan, np.nan
    assert metric(jnp.array(x), jnp.array(y)) == pytest.approx(float(whole), abs=1e-15)
    assert jnp.isnan(metric(jnp.full(3, jnp.nan), jnp.arange(3.0)))


@pytest.mark.parametrize("metric", [spearman, kendall_tau_b, top1_miss])
def test_vmap_equals_a_loop(metric):
    x, y = jnp.array(np.random.default_rng(3).integers(0, 4, (2, 30, 8)) / 3.0)
    batched = jax.vmap(metric)(x, y)
    metric = jax.jit(metric)
    alone = jnp.stack([metric(a, b) for a, b in zip(x, y, strict=True)])
    np.testing.assert_array_equal(batched, alone)


def test_ranks_of_missing_and_infinite_values():
    values = jnp.array([jnp.inf, 1.0, jnp.nan, -jnp.inf, jnp.inf, 1.0])
    np.testing.assert_array_equal(
        average_ranks(values), [4.5, 2.5, np.nan, 1.0, 4.5, 2.5]
    )


def test_no_systems_have_no_ranks():
    assert average_ranks(jnp.zeros(0)).shape == (0,)


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.float64])
def test_ties_do_not_depend_on_the_order_of_additions(dtype):
    shares = np.array([0.83, 0.41, 0.97, 0.12, 0.55, 0.61, 0.07], dtype)
    rng = np.random.default_rng(4)
    means = jnp.stack(
        [jnp.asarray(np.mean(rng.permutation(shares), dtype=dtype)) for _ in range(40)]
    )
    assert means.dtype == dtype
    assert len(set(means.tolist())) > 1, "the input must show the fault"
    np.testing.assert_array_equal(average_ranks(means), np.full(40, 20.5))


def test_a_value_joins_its_neighbour_on_any_grid():
    # Rounding to a grid splits these two whatever the grid's edge lies between them.
    edge = 0.5e-12
    values = jnp.array([edge - 1e-16, edge + 1e-16, 1.0])
    np.testing.assert_array_equal(average_ranks(values), [1.5, 1.5, 3.0])


def test_resolution_is_a_choice():
    values = jnp.array([0.0, 1e-6, 1.0])
    np.testing.assert_array_equal(average_ranks(values), [1, 2, 3])
    np.testing.assert_array_equal(average_ranks(values, resolution=1e-5), [1.5, 1.5, 3])
    neighbours = jnp.array([1.0, np.nextafter(1.0, 2.0)])
    np.testing.assert_array_equal(average_ranks(neighbours), [1.5, 1.5])
    np.testing.assert_array_equal(average_ranks(neighbours, resolution=0), [1, 2])
    assert default_resolution(jnp.dtype("float32")) < 1e-5


def test_averages_rank_as_their_exact_fractions():
    """Ranks of averages of counts equal those of rational arithmetic, ties included."""
    rng = np.random.default_rng(5)
    n_tied = 0
    for _ in range(300):
        trials = rng.choice([0, 2, 3, 10], (8, 6), p=[0.4, 0.2, 0.2, 0.2])
        trials[:, 0] = 10
        successes = rng.binomial(trials, 0.5)
        exact = [
            sum(Fraction(int(y), int(n)) for y, n in zip(ys, ns, strict=True) if n)
            / np.count_nonzero(ns)
            for ys, ns in zip(successes, trials, strict=True)
        ]
        place = [sorted(set(exact)).index(value) for value in exact]
        score = SimpleAverage().score(binomial(successes, trials))
        np.testing.assert_array_equal(RANKS(score), scipy.stats.rankdata(place))
        n_tied += any(a == b for a, b in pairwise(sorted(exact)))
    assert n_tied > 20


def test_top1_miss_is_the_chance_of_a_wrong_pick():
    truth = jnp.array([1.0, 2.0, 3.0, 3.0])
    assert top1_miss(jnp.array([0.0, 0.0, 1.0, 0.0]), truth) == 0
    assert top1_miss(jnp.array([0.0, 1.0, 0.0, 0.0]), truth) == 1
    assert top1_miss(jnp.array([1.0, 1.0, 1.0, 0.0]), truth) == pytest.approx(2 / 3)
    assert top1_miss(jnp.zeros(4), truth) == 0.5
