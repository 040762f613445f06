import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import BinomialResponses
from irtjax.irt import Fisher, Flat, TwoPL, fit, posterior, quantile_intervals
from irtjax.irt.posteriors import (
    NUTS,
    SAMPLING,
    Draws,
    PosteriorSpread,
    sample_posterior,
)
from irtjax.irt.posteriors._mixing import mixing_of

from ..cases import KINDS, MODELS, flat, table

KEY = jax.random.key(3)
SHORT = NUTS(draws=500, warmup=150)


@pytest.fixture(scope="module")
def two_pl():
    responses = table(TwoPL())
    return responses, sample_posterior(TwoPL(), responses, sampler=SHORT, key=KEY)


def _errors(values):
    """The standard error of each column's mean over chains and draws."""
    like = jax.tree.map(lambda _: values, {"one": 0})
    ess = mixing_of(like).ess_bulk["one"]
    return values.std((0, 1)) / np.sqrt(ess)


@pytest.mark.parametrize("name", KINDS)
def test_draws_obey_steins_identity(name):
    """Under a density p, the slope of log p is 0 and its product with u - E u is -1."""
    model = MODELS[name]
    responses = table(model)
    found = sample_posterior(model, responses, sampler=SHORT, key=KEY)
    assert not np.any(found.trace.diverging)
    problem = posterior(model, responses)
    by_draw = jax.jit(jax.vmap(jax.vmap(jax.grad(problem.value))))
    slope = np.asarray(jax.vmap(jax.vmap(flat))(by_draw(found.value)))
    u = np.asarray(jax.vmap(jax.vmap(flat))(found.value))
    product = slope * (u - u.mean((0, 1)))
    assert np.all(np.abs(slope.mean((0, 1))) < 5 * _errors(slope))
    assert np.all(np.abs(product.mean((0, 1)) - 1) < 5 * _errors(product))


def test_one_cell_agrees_with_a_grid():
    responses = BinomialResponses(jnp.full((1, 1), 9.0), jnp.full((1, 1), 10.0))
    found = sample_posterior(
        TwoPL(), responses, sampler=NUTS(draws=1500, warmup=200), key=KEY
    )
    axes = [np.linspace(-5, 5, 81) * sd for sd in (1.0, 2.0, 0.5)]
    ability, difficulty, log_slope = np.meshgrid(*axes, indexing="ij")
    logit = np.exp(log_slope) * (ability - difficulty)
    density = np.exp(
        -9 * np.logaddexp(0, -logit)
        - np.logaddexp(0, logit)
        - 0.5 * (ability**2 + (difficulty / 2) ** 2 + (log_slope / 0.5) ** 2)
    )
    density /= density.sum()
    u = np.asarray(jax.vmap(jax.vmap(flat))(found.value))
    for k, grid in enumerate((ability, difficulty, log_slope)):
        for power in (1, 2):
            values = u[..., k : k + 1] ** power
            expected = np.sum(density * grid**power)
            assert abs(values.mean() - expected) < 5 * _errors(values)[0]


def test_a_good_run_says_so(two_pl):
    _, found = two_pl
    assert SAMPLING(int(found.code)) in (SAMPLING.successful, SAMPLING.chains_disagree)
    assert found.value.system.shape == (4, 500, 6, 1)
    assert found.trace.accept.shape == found.trace.leapfrogs.shape == (4, 500)
    assert np.all((found.trace.leapfrogs >= 1) & (found.trace.leapfrogs <= 15))
    # The step size was set for this; it is met on average.
    assert found.trace.accept.mean() == pytest.approx(SHORT.target_accept, abs=0.04)


def test_the_same_key_gives_the_same_bits_and_another_does_not(two_pl):
    responses, found = two_pl
    again = sample_posterior(TwoPL(), responses, sampler=SHORT, key=KEY)
    jax.tree.map(np.testing.assert_array_equal, found.value, again.value)
    other = sample_posterior(TwoPL(), responses, sampler=SHORT, key=jax.random.key(4))
    assert not np.any(other.value.system == found.value.system)
    # Chains differ too: none starts where another does.
    assert len(np.unique(found.value.system[:, 0, 0, 0])) == SHORT.chains


def test_as_an_uncertainty_it_gives_the_spread_of_its_draws(two_pl):
    responses, found = two_pl
    at = fit(TwoPL(), responses).value
    spread = PosteriorSpread(SHORT, KEY)(TwoPL(), responses, at)
    ability = found.value.system[..., 0].reshape(-1, 6)
    np.testing.assert_allclose(spread.system["ability"], ability.std(0, ddof=1))
    np.testing.assert_allclose(spread.ability_covariance, np.cov(ability.T), rtol=1e-9)
    slope = np.exp(found.value.item[..., 1]).reshape(-1, 5)
    np.testing.assert_allclose(spread.item["discrimination"], slope.std(0, ddof=1))
    # A joint mode's information is near it, and rather too sure.
    fisher = Fisher()(TwoPL(), responses, at).system["ability"]
    ratio = np.asarray(spread.system["ability"] / fisher)
    assert np.all((ratio > 0.9) & (ratio < 1.5))


def test_intervals_are_quantiles_on_the_own_scale(two_pl):
    _, found = two_pl
    ends = quantile_intervals(TwoPL(), found.value, level=0.8)
    slope = np.exp(found.value.item[..., 1]).reshape(-1, 5)
    # Quantiles between two draws are not interpolated on the same scale.
    np.testing.assert_allclose(
        ends.lower.item["discrimination"], np.quantile(slope, 0.1, axis=0), rtol=1e-3
    )
    np.testing.assert_allclose(
        ends.upper.item["discrimination"], np.quantile(slope, 0.9, axis=0), rtol=1e-3
    )


def test_what_is_wrong_is_named(two_pl):
    _, found = two_pl

    def code(value=found.value, **changed):
        trace = eqx.tree_at(
            lambda t: [getattr(t, name) for name in changed],
            found.trace,
            list(changed.values()),
        )
        return SAMPLING(int(SHORT.judge(Draws(value, trace)).code))

    def cut(draws, shift=0.0):
        return jax.tree.map(
            lambda leaf: (
                leaf[:, :draws]
                + shift * np.arange(4.0).reshape(4, *[1] * (leaf.ndim - 1))
            ),
            found.value,
        )

    bad = np.zeros_like(found.trace.diverging)
    bad[2, 7] = True
    assert code(diverging=bad) == SAMPLING.diverged
    assert code(cut(500, shift=0.5), diverging=~bad & False) == SAMPLING.chains_disagree
    assert code(cut(30), diverging=~bad & False) != SAMPLING.successful
    gone = jax.tree.map(lambda leaf: leaf * np.nan, found.value)
    assert code(gone, diverging=bad) == SAMPLING.not_finite


def test_an_improper_posterior_is_named():
    empty = BinomialResponses(jnp.zeros((6, 5)), jnp.zeros((6, 5)))
    found = sample_posterior(
        TwoPL(difficulty=Flat()), empty, sampler=NUTS(draws=10, warmup=5), key=KEY
    )
    assert found.code == SAMPLING.not_finite


def test_in_single_precision_draws_are_single():
    responses = jax.tree.map(lambda x: x.astype(jnp.float32), table(TwoPL()))
    found = sample_posterior(
        TwoPL(), responses, sampler=NUTS(draws=100, warmup=50), key=KEY
    )
    assert found.value.system.dtype == np.float32
    assert not np.any(found.trace.diverging)


@pytest.mark.parametrize("setting", [{"draws": 0}, {"target_accept": 1.0}], ids=str)
def test_impossible_settings_are_refused(setting):
    with pytest.raises(ValueError, match=next(iter(setting))):
        NUTS(**setting)
