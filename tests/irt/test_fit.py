import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import BinomialResponses, LongResponses, ScoreResponses
from irtjax.irt import RESULTS, Normal, OnePL, TwoPL, fit, named, posterior

from .cases import (
    KINDS,
    MODELS,
    N_ITEM,
    N_SYSTEM,
    PlainTwoPL,
    apart,
    binomial,
    flat,
    stack,
    table,
)


@pytest.mark.parametrize("name", KINDS)
def test_permuting_systems_and_items_permutes_the_result(name):
    model = MODELS[name]
    responses = table(model)
    systems, items = np.array([3, 0, 5, 1, 4, 2]), np.array([4, 2, 0, 1, 3])
    moved = jax.tree.map(lambda leaf: leaf[systems][:, items], responses)
    one, other = fit(model, responses).value, fit(model, moved).value
    np.testing.assert_allclose(other.system, one.system[systems], atol=1e-8)
    np.testing.assert_allclose(other.item, one.item[items], atol=1e-8)
    np.testing.assert_allclose(other.shared, one.shared, atol=1e-8)


@pytest.mark.parametrize("name", ["two_pl", "partial_credit"])
def test_a_system_or_item_without_data_changes_nothing(name):
    model = MODELS[name]
    responses = table(model)

    def grow(leaf):
        return jnp.pad(leaf, [(0, 1), (0, 1)] + [(0, 0)] * (leaf.ndim - 2))

    one, other = fit(model, responses), fit(model, jax.tree.map(grow, responses))
    assert other.code == RESULTS.successful
    np.testing.assert_allclose(other.value.system[:-1], one.value.system, atol=1e-9)
    np.testing.assert_allclose(other.value.item[:-1], one.value.item, atol=1e-9)
    modes = [[k.prior.mean for k in model.system_parameters]]
    np.testing.assert_allclose(other.value.system[-1:], modes, atol=1e-9)
    modes = [[k.prior.mean for k in model.item_parameters]]
    np.testing.assert_allclose(other.value.item[-1:], modes, atol=1e-9)


@pytest.mark.parametrize("name", ["two_pl"])
def test_jit_and_vmap_are_a_loop(name):
    model = MODELS[name]
    tables = [table(model, seed=seed) for seed in range(3)]
    loop = [fit(model, one) for one in tables]
    mapped = eqx.filter_jit(eqx.filter_vmap(lambda r: fit(model, r)))(stack(tables))
    for k, one in enumerate(loop):
        row = jax.tree.map(lambda leaf, k=k: leaf[k], mapped)
        assert row.code == one.code == RESULTS.successful
        assert apart(row.value, one.value) < 1e-9


@pytest.mark.parametrize("name", ["two_pl", "beta_score"])
def test_derivatives_by_the_data_are_differences(name):
    model = MODELS[name]
    responses = table(model)
    rng = np.random.default_rng(2)
    seen = responses.observed()
    part = (
        (lambda r: r.score)
        if isinstance(responses, ScoreResponses)
        else (lambda r: jax.tree.leaves(r)[0])
    )
    base = part(responses)
    nudge = jnp.asarray(rng.normal(size=base.shape))
    nudge = jnp.where(jnp.reshape(seen, seen.shape + (1,) * (base.ndim - 2)), nudge, 0)
    if isinstance(responses, ScoreResponses):  # logs of a score near 0 or 1 bend fast
        nudge = nudge * base * (1 - base)
    weights = jnp.asarray(rng.normal(size=flat(fit(model, responses).value).shape))

    def summary(size):
        changed = eqx.tree_at(part, responses, base + size * nudge)
        result = fit(model, changed)
        return jnp.stack([weights @ flat(result.value), result.stats.objective])

    zero, step = jnp.zeros(()), 1e-5 if base.max() <= 1 else 1e-4
    difference = (summary(zero + step) - summary(zero - step)) / (2 * step)
    _, forward = jax.jvp(summary, (zero,), (jnp.ones(()),))
    np.testing.assert_allclose(forward, difference, rtol=1e-5)


def test_derivative_by_a_prior_held_as_an_array():
    responses = table(TwoPL())

    def best(sd):
        model = TwoPL(ability=Normal(jnp.asarray(0.2), sd))
        return jnp.max(fit(model, responses).value.system)

    sd, step = jnp.asarray(0.8), 1e-4
    difference = (best(sd + step) - best(sd - step)) / (2 * step)
    np.testing.assert_allclose(jax.grad(best)(sd), difference, rtol=1e-6)


def test_grad_composes_with_vmap_and_jit():
    responses = table(TwoPL())

    def spread(share):
        scaled = BinomialResponses(responses.successes * share, responses.trials)
        return jnp.sum(fit(TwoPL(), scaled).value.system ** 2)

    shares = jnp.asarray([0.5, 0.9, 1.0])
    together = jax.jit(jax.vmap(jax.grad(spread)))(shares)
    step = 1e-5
    for share, slope in zip(shares, together, strict=True):
        difference = (spread(share + step) - spread(share - step)) / (2 * step)
        np.testing.assert_allclose(slope, difference, rtol=1e-6)


def test_a_model_known_by_log_prob_alone_fits_the_same():
    responses = table(TwoPL())
    one, other = fit(TwoPL(), responses), fit(PlainTwoPL(), responses)
    assert apart(one.value, other.value) < 1e-9
    np.testing.assert_allclose(one.stats.objective, other.stats.objective, rtol=1e-12)


@pytest.mark.parametrize("model", [TwoPL(), OnePL()], ids=["two_pl", "one_pl"])
@pytest.mark.parametrize("trials", [1.0, 500.0])
def test_all_right_and_all_wrong_stay_finite(model, trials):
    rng = np.random.default_rng(3)
    n = np.full((N_SYSTEM, N_ITEM), trials)
    y = rng.binomial(n.astype(int), 0.5).astype(float)
    y[0], y[1], y[:, 0], y[:, 1] = trials, 0, trials, 0
    result = fit(model, BinomialResponses(jnp.asarray(y), jnp.asarray(n)))
    assert result.code == RESULTS.successful
    assert jnp.all(jnp.isfinite(flat(result.value)))
    ability = result.value.system[:, 0]
    assert jnp.argmax(ability) == 0
    assert jnp.argmin(ability) == 1
    difficulty = result.value.item[:, 0]
    assert jnp.argmin(difficulty) == 0
    assert jnp.argmax(difficulty) == 1


@pytest.mark.parametrize("everywhere", [0.0, 1.0])
def test_a_table_of_one_answer_stays_finite(everywhere):
    n = jnp.full((N_SYSTEM, N_ITEM), 20.0)
    result = fit(TwoPL(), BinomialResponses(n * everywhere, n))
    assert result.code == RESULTS.successful
    assert jnp.all(jnp.isfinite(flat(result.value)))
    assert jnp.all(jnp.sign(result.value.system) == 2 * everywhere - 1)


@pytest.mark.parametrize("size", [(6, 4), (1, 7), (7, 1)], ids=str)
def test_small_tables_fit(size):
    responses = binomial(np.random.default_rng(4), *size, 5, share=1.0)
    result = fit(TwoPL(), responses)
    assert result.code == RESULTS.successful
    assert result.stats.gradient_norm < 1e-8


def test_an_empty_table_gives_the_priors_modes():
    nothing = jnp.zeros((N_SYSTEM, N_ITEM))
    model = TwoPL(ability=Normal(0.25), difficulty=Normal(-1.0, 3.0))
    result = fit(model, BinomialResponses(nothing, nothing))
    assert result.code == RESULTS.successful
    np.testing.assert_allclose(result.value.system, 0.25, atol=1e-12)
    np.testing.assert_allclose(result.value.item[:, 0], -1.0, atol=1e-12)
    np.testing.assert_allclose(result.value.item[:, 1], 0.0, atol=1e-12)


def test_a_long_table_is_the_full_one():
    full = table(TwoPL())
    rows, columns = np.nonzero(np.asarray(full.trials))
    twice = np.r_[rows, rows], np.r_[columns, columns]  # half the trials in each row
    long = LongResponses(
        jnp.asarray(twice[0]),
        jnp.asarray(twice[1]),
        full.successes[twice] / 2,
        full.trials[twice] / 2,
        N_SYSTEM,
        N_ITEM,
    )
    assert apart(fit(TwoPL(), long).value, fit(TwoPL(), full).value) < 1e-12


# Single precision: a step of sqrt(eps) leaves a parameter right to about its square,
# and rounding in a sum of 30 cells of 20 trials costs about 30 * 20 * eps = 7e-5.
SINGLE = 2e-3


@pytest.mark.parametrize("name", ["two_pl", "partial_credit"])
def test_single_precision_agrees_and_says_how_it_ended(name):
    model = MODELS[name]
    responses = table(model)
    single = jax.tree.map(lambda leaf: leaf.astype(jnp.float32), responses)
    result = fit(model, single)
    assert result.value.system.dtype == jnp.float32
    assert result.code == RESULTS.successful
    exact = fit(model, responses)
    for one, other in zip(
        jax.tree.leaves(result.value), jax.tree.leaves(exact.value), strict=True
    ):
        np.testing.assert_allclose(one, other, atol=SINGLE)


def test_single_precision_is_what_a_notebook_has():
    responses = table(TwoPL())
    exact = fit(TwoPL(), responses)
    with jax.enable_x64(False):
        single = jax.tree.map(lambda leaf: jnp.asarray(np.asarray(leaf)), responses)
        assert single.trials.dtype == jnp.float32
        result = fit(TwoPL(), single)
        assert result.code == RESULTS.successful
        ability = np.asarray(named(TwoPL(), result.value).system["ability"])
    np.testing.assert_allclose(ability, exact.value.system[:, 0], atol=SINGLE)


def test_what_does_not_fit_together_is_an_error():
    with pytest.raises(ValueError, match="TwoPL takes BinomialResponses, got Score"):
        fit(TwoPL(), table(MODELS["beta_score"]))
    responses = table(TwoPL())
    with pytest.raises(ValueError, match=r"`item_features` must have 5 rows"):
        posterior(TwoPL(), responses, None, jnp.zeros((3, 2)))
