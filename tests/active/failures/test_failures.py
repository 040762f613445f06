"""Searches find failures as their mode asks, and never look before they ask."""

import functools

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.active import LowRankBelief, ScoreFeature, SourceErrors, Target
from irtjax.active.failures import (
    FAILURE_METHODS,
    AbstractFailureMethod,
    FollowingSuperlevel,
    Found,
    PriorOrder,
    RandomOrder,
    Start,
    Superlevel,
    Surprising,
    WorthOfFailure,
    failure_counts,
    failure_worth,
    find_failures,
)
from irtjax.data import read_table

BUDGET = 40


@functools.cache
def world(items=300, systems=9):
    """Errors of systems that share two kinds of weakness; the last is the target."""
    rng = np.random.default_rng(3)
    skill = rng.normal(size=(systems, 3))
    ask = rng.normal(size=(items, 3))
    ask[:, 2] = rng.normal(size=items) - 0.8
    skill[:, 2] = 1
    errors = (rng.random((items, systems)) < 1 / (1 + np.exp(-2 * ask @ skill.T))) * 1.0
    sources = SourceErrors(
        jnp.asarray(errors[:, :-1]), jnp.ones((items, systems - 1), bool)
    )
    return sources, Target(jnp.asarray(errors[:, -1]), jnp.ones(items, bool))


@functools.cache
def found(name, seed=0) -> Found:
    sources, target = world()
    run = eqx.filter_jit(find_failures)
    return run(FAILURE_METHODS[name], sources, target, BUDGET, key=jax.random.key(seed))


def counts(name):
    sources, _ = world()
    return failure_counts(*found(name), sources.mean())


@pytest.mark.parametrize("name", FAILURE_METHODS)
def test_no_item_is_asked_twice_and_outcomes_are_the_targets(name):
    _, target = world()
    search = found(name)
    assert len(set(search.item.tolist())) == BUDGET
    np.testing.assert_array_equal(search.outcome, target.error[search.item])


@pytest.mark.parametrize("name", FAILURE_METHODS)
def test_nothing_that_was_not_asked_is_looked_at(name):
    sources, target = world()
    search = found(name)
    half = search.item[: BUDGET // 2]
    other = 1 - target.error
    other = other.at[half].set(target.error[half])
    again = find_failures(
        FAILURE_METHODS[name],
        sources,
        Target(other, target.observed),
        BUDGET,
        key=jax.random.key(0),
    )
    np.testing.assert_array_equal(
        again.item[: len(half) + 1], search.item[: len(half) + 1]
    )


@pytest.mark.parametrize("name", FAILURE_METHODS)
def test_items_without_an_outcome_are_never_asked(name):
    sources, target = world()
    observed = jnp.arange(sources.shape[0]) % 2 == 0
    search = find_failures(
        FAILURE_METHODS[name],
        sources,
        Target(target.error, observed),
        BUDGET,
        key=jax.random.key(1),
    )
    assert jnp.all(observed[search.item])


def test_each_mode_is_best_at_what_it_says():
    modes = {name: counts(name) for name in ("failures", "surprise", "novelty")}
    by_failures = sorted(modes, key=lambda name: -modes[name].failures)
    by_novelty = sorted(modes, key=lambda name: -modes[name].novel)
    assert by_failures[0] == "failures"
    assert by_novelty[0] == "novelty"
    by_surprise = sorted(modes, key=lambda name: -modes[name].surprise)
    assert by_surprise[-1] == "failures"
    assert counts("novelty").novel >= 2 * counts("random").novel
    assert counts("failures").failures > 1.3 * counts("random").failures


def test_the_trade_is_the_worth_of_a_failure_that_is_not_new():
    error = jnp.array([0.1, 0.5, 0.6, 1.0])
    np.testing.assert_allclose(failure_worth(error, 0.25), [1, 1, 0.75, 0.75])
    acquisition = WorthOfFailure(failure_worth(error, 1.0))
    belief = ScoreFeature()(
        SourceErrors(jnp.stack([error, error, error], 1), jnp.ones((4, 3), bool))
    )
    score = acquisition(belief, jnp.array([False, True, False, False]))
    assert score[1] == -jnp.inf
    # Of no worth, yet asked before nothing: the likelier failure first.
    assert score[0] > score[3] > score[2] > 0


def test_the_level_follows_the_data():
    mean = jnp.array([0.9, 0.8, 0.3, 0.2, 0.1])
    belief = LowRankBelief(
        mean, jnp.zeros((5, 1)), jnp.ones(1), jnp.full(5, 1e-6), jnp.asarray(0.1)
    )
    nothing = jnp.zeros(5, bool)
    inside = FollowingSuperlevel(2)(belief, nothing) >= 0
    np.testing.assert_array_equal(inside, [True, True, False, False, False])
    # One pick left: the set is the largest of those still open.
    inside = FollowingSuperlevel(2)(belief, jnp.arange(5) == 1) >= 0
    np.testing.assert_array_equal(inside, [True, False, False, False, False])


def test_a_method_of_ones_own_joins_in():
    class Backwards(AbstractFailureMethod):
        def start(self, sources, budget, *, key):
            belief, _acquisition = PriorOrder().start(sources, budget, key=key)
            return Start(belief, WorthOfFailure(1 - sources.mean()))

    sources, target = world()
    search = find_failures(Backwards(), sources, target, 5, key=jax.random.key(0))
    # The likelihood times the share that is right is largest where sources disagree.
    np.testing.assert_allclose(sources.mean()[search.item], 0.5, atol=0.2)


def test_searches_vmap_over_seeds_and_random_ones_differ():
    sources, target = world()

    def one(key):
        return find_failures(RandomOrder(), sources, target, 5, key=key).item

    keys = jax.random.split(jax.random.key(0), 3)
    many = jax.vmap(one)(keys)
    np.testing.assert_array_equal(many, jnp.stack([one(key) for key in keys]))
    assert len({tuple(row) for row in many.tolist()}) == 3


def test_methods_are_what_they_are_called():
    assert isinstance(FAILURE_METHODS["superlevel_published"], Superlevel)
    assert FAILURE_METHODS["superlevel_published"].level == 0.5
    assert FAILURE_METHODS["superlevel"].level is None
    assert isinstance(FAILURE_METHODS["surprise"], Surprising)
    assert [FAILURE_METHODS[name].trade for name in ("failures", "novelty")] == [0, 1]


def test_bar_4_holds_on_real_systems_at_reduced_size(shared):
    """Three targets of gqa; the bar has all fourteen."""
    table = read_table(
        shared / "data" / "matrices" / "gqa_labels.csv",
        systems_in="columns",
        score_is="failure",
    )
    error = 1 - table.responses.mean_score().T
    totals = {}
    for name in ("failures", "novelty", "superlevel_published"):
        run = eqx.filter_jit(functools.partial(find_failures, FAILURE_METHODS[name]))
        rows = []
        for k in (0, 5, 10):
            others = jnp.delete(error, k, axis=1)
            sources = SourceErrors(others, jnp.ones(others.shape, bool))
            target = Target(error[:, k], jnp.ones(len(error), bool))
            search = run(sources, target, 100, key=jax.random.key(0))
            rows.append(failure_counts(*search, sources.mean()))
        totals[name] = jax.tree.map(lambda *x: float(sum(x) / len(x)), *rows)
    assert totals["failures"].failures >= 95
    assert totals["novelty"].novel > 1.5 * totals["superlevel_published"].novel
