"""Priors learned from tables whose spreads and regressions are known."""

import functools

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from jaxtyping import Array

from irtjax.data import BinomialResponses
from irtjax.irt import RESULTS, Fisher, Normal, OnePL, TwoPL, fit
from irtjax.irt.hyper import (
    FirstOrder,
    JointLaplace,
    Linear,
    NestedLaplace,
    Predicted,
    QuasiNewton,
    empirical_bayes,
)

from .. import cases


def spreads(hyper):
    """A 2PL by the logarithms of its three spreads and the difficulties' mean."""
    return TwoPL(
        Normal(0.0, jnp.exp(hyper["ability"])),
        Normal(hyper["mean"], jnp.exp(hyper["difficulty"])),
        Normal(0.0, jnp.exp(hyper["slope"])),
    )


START = {
    "ability": jnp.zeros(()),
    "mean": jnp.zeros(()),
    "difficulty": jnp.zeros(()),
    "slope": -jnp.ones(()),
}


def _draw(n_system, n_item, trials, seed, *, features=None, share=0.6):
    rng = np.random.default_rng(seed)
    ability = 1.5 * rng.standard_normal(n_system)
    difficulty = 0.5 + rng.standard_normal(n_item)
    if features is not None:
        along = features @ np.array([0.8, -0.6])
        rest = rng.standard_normal(n_item)
        difficulty = np.sqrt(share) * along + np.sqrt(1 - share) * rest
    slope = np.exp(0.4 * rng.standard_normal(n_item))
    p = 1 / (1 + np.exp(-slope * (ability[:, None] - difficulty)))
    successes = rng.binomial(trials, p).astype(float)
    table = BinomialResponses(jnp.asarray(successes), jnp.full(p.shape, float(trials)))
    return table, ability, difficulty, slope


EVIDENCES = {"joint": JointLaplace(), "nested": NestedLaplace()}
EVERY = pytest.mark.parametrize("name", EVIDENCES)
DRAWN = [_draw(16, 16, 10, seed) for seed in range(6)]
TABLES = [table for table, *_ in DRAWN]


class Pull(eqx.Module):
    """A hyperprior that holds the abilities' spread at e^2, or not where it is weak."""

    precision: Array

    def __call__(self, hyper):
        return -0.5 * self.precision * (hyper["ability"] - 2.0) ** 2


def _learn(responses, *, precision=0.0, **options):
    options = {"evidence": JointLaplace(), "learner": QuasiNewton(1e-7, 1e-7)} | options
    pull = Pull(jnp.asarray(precision))
    return empirical_bayes(spreads, START, responses, log_hyperprior=pull, **options)


@functools.cache
def _together(name):
    """What is learned of each of the tables, in one call."""
    evidence = EVIDENCES[name]
    learned = eqx.filter_vmap(lambda r: _learn(r, evidence=evidence))
    return learned(cases.stack(TABLES))


@EVERY
def test_planted_spreads_are_learned(name):
    """Against the spreads of what was drawn, over six tables of 16 x 16."""
    found = _together(name)
    assert np.mean(np.asarray(found.code) == RESULTS.successful) >= 0.8
    least = {"joint": 0.6, "nested": 0.8}[name]
    for parameter, k in (("ability", 1), ("difficulty", 2), ("slope", 3)):
        slope = parameter == "slope"
        true = [np.std(np.log(d[k]) if slope else d[k]) for d in DRAWN]
        ratio = np.exp(np.asarray(found.hyper[parameter])) / true
        assert least < np.median(ratio) < 1.25, parameter


@EVERY
def test_result_is_consistent(name):
    found = _together(name)
    traces = np.asarray(found.trace)
    for trace, steps, evidence in zip(
        traces, np.asarray(found.steps), np.asarray(found.log_evidence), strict=True
    ):
        assert np.all(np.isfinite(trace[:steps]))
        assert np.all(np.isnan(trace[steps:]))
        np.testing.assert_allclose(trace[steps - 1], -evidence, rtol=1e-6)
        assert trace[steps - 1] < trace[0]
    # The model holds what was learned.
    sd = found.model.system_parameters[0].prior.sd
    np.testing.assert_allclose(sd, jnp.exp(found.hyper["ability"]))


def test_batch_equals_loop():
    apart = [_learn(table).log_evidence for table in TABLES]
    np.testing.assert_allclose(_together("joint").log_evidence, apart, atol=1e-4)


def test_learners_agree():
    adam = FirstOrder(optax.adam(0.05), n_step=400)
    first = _learn(TABLES[1], learner=adam)
    newton = _learn(TABLES[1])
    np.testing.assert_allclose(newton.log_evidence, first.log_evidence, atol=1e-3)
    assert first.code == RESULTS.successful
    assert first.steps == 400


def test_a_hyperprior_pulls():
    held = _learn(TABLES[2], precision=1e6)
    np.testing.assert_allclose(held.hyper["ability"], 2.0, atol=1e-2)


def test_a_broken_table_comes_back_with_a_code():
    table = TABLES[0]
    broken = eqx.tree_at(lambda r: r.trials, table, table.trials.at[0, 0].set(jnp.inf))
    found = _learn(broken)
    assert found.code != RESULTS.successful
    assert all(jnp.isfinite(leaf) for leaf in jax.tree.leaves(found.hyper))


def explained(hyper):
    return OnePL(
        ability=Normal(0.0, 0.01 + jnp.exp(hyper["log_ability_sd"])),
        difficulty=Predicted(hyper["mean"], 0.01 + jnp.exp(hyper["log_sd"])),
    )


REGRESSION = {
    "mean": Linear(jnp.zeros(2)),
    "log_sd": jnp.zeros(()),
    "log_ability_sd": jnp.zeros(()),
}


@pytest.mark.parametrize(("share", "least", "most"), [(0.6, 0.45, 0.8), (0, -0.3, 0.1)])
def test_features_predict_items_that_nobody_answered(share, least, most):
    rng = np.random.default_rng(3)
    features = rng.standard_normal((120, 2))
    table, _, difficulty, _ = _draw(20, 120, 5, 4, features=features, share=share)
    seen = table.take(jnp.arange(20), jnp.arange(70))
    found = empirical_bayes(
        explained,
        REGRESSION,
        seen,
        evidence=JointLaplace(),
        item_features=jnp.asarray(features[:70]),
    )
    assert found.code == RESULTS.successful
    predicted = jax.vmap(found.hyper["mean"])(jnp.asarray(features[70:]))
    truth = difficulty[70:]
    r2 = 1 - np.sum((truth - predicted) ** 2) / np.sum((truth - truth.mean()) ** 2)
    assert least < r2 < most


def test_latent_regression_explains_abilities():
    rng = np.random.default_rng(5)
    size = rng.standard_normal((60, 1))
    ability = 1.2 * size[:, 0] + 0.5 * rng.standard_normal(60)
    p = 1 / (1 + np.exp(-(ability[:, None] - rng.standard_normal(15))))
    trials = jnp.full((60, 15), 4.0)
    table = BinomialResponses(jnp.asarray(rng.binomial(4, p).astype(float)), trials)

    def model_of(hyper):
        prior = Predicted(hyper["mean"], 0.01 + jnp.exp(hyper["log_sd"]))
        return OnePL(ability=prior, log_discrimination=Normal(0.0, 0.01))

    start = {"mean": Linear(jnp.zeros(1)), "log_sd": jnp.zeros(())}
    found = empirical_bayes(
        model_of,
        start,
        table,
        evidence=JointLaplace(),
        system_features=jnp.asarray(size),
    )
    assert found.code == RESULTS.successful
    assert abs(float(found.hyper["mean"].weight[0]) - 1.2) < 0.3
    assert abs(float(jnp.exp(found.hyper["log_sd"])) - 0.5) < 0.25


def test_an_item_without_answers_gets_its_prediction():
    features = jnp.array([[0.0], [1.0], [-1.0]])
    model = OnePL(difficulty=Predicted(Linear(jnp.array([0.7]), 0.2), 0.4))
    trials = jnp.full((4, 3), 5.0).at[:, 2].set(0)
    table = BinomialResponses(jnp.minimum(trials, 1), trials)
    found = fit(model, table, item_features=features)
    np.testing.assert_allclose(found.value.item[2, 0], -0.5, atol=1e-9)
    errors = Fisher()(model, table, found.value, item_features=features)
    np.testing.assert_allclose(errors.item["difficulty"][2], 0.4, atol=1e-9)


def test_predicted_is_a_normal_density():
    prior = Predicted(Linear(jnp.array([2.0, -1.0]), 0.5), 0.3)
    row = jnp.array([0.4, 0.1])
    np.testing.assert_allclose(
        prior.log_prob(jnp.array(1.0), {}, row),
        Normal(1.2, 0.3).log_prob(jnp.array(1.0), {}, row),
    )
    keys = jax.random.split(jax.random.key(0), 4000)
    draws = jax.vmap(lambda key: prior.sample({}, row, key=key))(keys)
    assert abs(draws.mean() - 1.2) < 4 * 0.3 / np.sqrt(4000)
    assert abs(draws.std() - 0.3) < 4 * 0.3 / np.sqrt(8000)


def test_a_network_learns_what_no_line_can():
    """The difficulty is a feature's size; half of the items are held out."""
    rng = np.random.default_rng(8)
    feature = rng.uniform(-2, 2, (120, 1))
    difficulty = 1.5 * (np.abs(feature[:, 0]) - 1) + 0.3 * rng.standard_normal(120)
    p = 1 / (1 + np.exp(-(rng.standard_normal(15)[:, None] - difficulty)))
    trials = jnp.full((15, 120), 5.0)
    table = BinomialResponses(jnp.asarray(rng.binomial(5, p).astype(float)), trials)
    seen = table.take(jnp.arange(15), jnp.arange(60))
    x = jnp.asarray(feature)
    network = eqx.nn.MLP(1, "scalar", 8, 1, jax.nn.tanh, key=jax.random.key(0))

    def ridge(hyper):
        leaves = jax.tree.leaves(eqx.filter(hyper["mean"], eqx.is_inexact_array))
        return -0.5 * sum(jnp.sum(leaf**2) for leaf in leaves) / 2.0**2

    found = empirical_bayes(
        explained,
        REGRESSION | {"mean": network},
        seen,
        evidence=JointLaplace(),
        learner=FirstOrder(optax.adam(3e-2), n_step=200),
        log_hyperprior=ridge,
        item_features=x[:60],
    )
    left = difficulty[60:] - jax.vmap(found.hyper["mean"])(x[60:])
    assert 1 - np.mean(left**2) / np.var(difficulty[60:]) > 0.6
    assert np.corrcoef(feature[60:, 0], difficulty[60:])[0, 1] ** 2 < 0.2
