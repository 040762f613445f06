import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import BinomialResponses
from irtjax.irt import (
    Estimate,
    FixedQuadrature,
    Flat,
    Laplace,
    MarginalClusteredSandwich,
    MarginalCrossproduct,
    MarginalExpected,
    MarginalFisher,
    MarginalMAP,
    MarginalSandwich,
    MarginalSimulated,
    SlopeIntercept,
    TwoPL,
    fit,
    fit_many,
    marginal_covariance,
    posterior,
    simulate,
)
from irtjax.irt.marginal import MarginalPosterior

from ..cases import KINDS, MODELS, N_SYSTEM, stack, table
from .published import classic, r_mirt

FINE = {1: FixedQuadrature(61, 6.0), 2: FixedQuadrature(41, 6.0)}


def rule(model):
    return FINE[len(model.system_parameters)]


def items_of(at):
    return jnp.concatenate([at.item.T.ravel(), at.shared])


def with_items(values, at):
    split = at.item.size
    item = values[:split].reshape(at.item.shape[::-1]).T
    return Estimate(at.system, item, values[split:])


@pytest.mark.parametrize(
    ("laplace", "name"),
    [(False, name) for name in (*KINDS, "two_dimensions")]
    + [(True, name) for name in ("two_pl", "lapse", "two_dimensions")],
)
def test_fisher_inverts_the_second_derivatives_of_the_integral(laplace, name):
    """By autodiff of the whole objective, with what the items' errors do to abilities."""
    model = MODELS[name]
    responses = table(model)
    quadrature = Laplace() if laplace else rule(model)
    at = fit(model, responses, estimator=MarginalMAP(quadrature)).value
    problem = MarginalPosterior(posterior(model, responses), quadrature)

    def means(values):
        return problem.settled(with_items(values, at)).system[:, 0]

    if laplace:  # the modes move: differences of a gradient that is tested elsewhere
        slope = jax.jit(jax.grad(lambda x: problem.value(with_items(x, at))))
        steps = 1e-5 * jnp.eye(items_of(at).size)
        hessian = jnp.stack(
            [(slope(items_of(at) + s) - slope(items_of(at) - s)) / 2e-5 for s in steps]
        )
    else:
        hessian = jax.jit(jax.hessian(lambda x: problem.value(with_items(x, at))))(
            items_of(at)
        )
    covariance = np.linalg.inv(hessian)
    link = jax.jit(jax.jacfwd(means))(items_of(at))
    full = marginal_covariance(model, responses, at, quadrature=quadrature)
    n, first = covariance.shape[0], len(model.system_parameters) * N_SYSTEM
    atol = 1e-6 * np.max(np.diagonal(covariance))
    np.testing.assert_allclose(full[first:, first:], covariance, atol=atol)
    np.testing.assert_allclose(full[:N_SYSTEM, first:], link @ covariance, atol=atol)

    errors = MarginalFisher(quadrature)(model, responses, at)
    ability = errors.ability_covariance
    np.testing.assert_allclose(ability, full[:N_SYSTEM, :N_SYSTEM], rtol=1e-10)
    shared_part = link @ covariance @ link.T
    off = ~np.eye(N_SYSTEM, dtype=bool)
    np.testing.assert_allclose(ability[off], shared_part[off], atol=atol)
    assert n == full.shape[0] - first
    assert np.all(np.diagonal(ability) > np.diagonal(shared_part))


def test_every_kind_of_error_is_r_mirts(shared):
    theirs = r_mirt(shared, "LSAT7_2PL_SE_types")["SE"]
    model, responses = (
        SlopeIntercept(intercept=Flat(), slope=Flat()),
        classic(shared, "LSAT7"),
    )
    at = fit(model, responses, estimator=MarginalMAP()).value
    kinds = {
        "Oakes": MarginalFisher(),
        "Louis": MarginalFisher(),
        "crossprod": MarginalCrossproduct(),
        "sandwich": MarginalSandwich(),
        "Fisher": MarginalExpected(),
    }
    for name, uncertainty in kinds.items():
        item = uncertainty(model, responses, at).item
        ours = np.stack([item["slope"], item["intercept"]])
        np.testing.assert_allclose(ours, theirs[name], rtol=1e-4, err_msg=name)
    # b = -d / a by the delta method; the published error of item 1.
    found = MarginalFisher()(model, responses, at).derived["difficulty"]
    assert abs(found[0] - 0.26397) < 1e-5


def test_simulated_information_is_the_sum_over_patterns(shared):
    model, responses = TwoPL(), classic(shared, "LSAT7")
    at = fit(model, responses, estimator=MarginalMAP()).value
    exact = MarginalExpected()(model, responses, at)
    n_draw = 100
    drawn = MarginalSimulated(jax.random.key(1), n_draw)(model, responses, at)
    for name in exact.item:
        # A variance of 1,000 x n_draw scores, whose tails are as heavy as a square's.
        tolerance = 4 / np.sqrt(1000 * n_draw)
        np.testing.assert_allclose(
            drawn.item[name], exact.item[name], rtol=3 * tolerance
        )


def test_clusters_of_one_are_the_sandwich():
    responses = table(TwoPL())
    at = fit(TwoPL(), responses, estimator=MarginalMAP()).value
    alone = jnp.asarray([7, 3, 9, 1, 4, 30])
    one = MarginalSandwich()(TwoPL(), responses, at)
    other = MarginalClusteredSandwich(alone)(TwoPL(), responses, at)
    for name in one.item:
        np.testing.assert_allclose(other.item[name], one.item[name], rtol=1e-10)


def test_copies_of_a_system_count_once_as_a_cluster():
    """Three copies of every system, clustered: the spread is three times that of one."""
    model = TwoPL(difficulty=Flat(), log_discrimination=Flat())
    rng = np.random.default_rng(3)
    logit = rng.normal(size=(60, 1)) - rng.normal(size=4)
    right = rng.random((60, 4)) < 1 / (1 + np.exp(-logit))
    once = BinomialResponses(jnp.asarray(right, float), jnp.ones((60, 4)))
    thrice = jax.tree.map(lambda leaf: jnp.tile(leaf, (3, 1)), once)
    at = fit(model, once, estimator=MarginalMAP()).value
    wide = Estimate(jnp.tile(at.system, (3, 1)), at.item, at.shared)
    cluster = jnp.tile(jnp.arange(60), 3)
    one = MarginalSandwich()(model, once, at)
    other = MarginalClusteredSandwich(cluster)(model, thrice, wide)
    for name in one.item:
        np.testing.assert_allclose(other.item[name], one.item[name], rtol=1e-6)


def test_what_expected_information_cannot_take_is_refused():
    responses = table(TwoPL())
    at = fit(TwoPL(), responses, estimator=MarginalMAP()).value
    with pytest.raises(eqx.EquinoxRuntimeError, match="MarginalSimulated"):
        MarginalExpected()(TwoPL(), responses, at)
    model = MODELS["beta_score"]
    scores = table(model)
    at = fit(model, scores, estimator=MarginalMAP()).value
    with pytest.raises(ValueError, match="MarginalSimulated"):
        MarginalExpected()(model, scores, at)
    long = BinomialResponses(jnp.zeros((2, 20)), jnp.ones((2, 20)))
    start = Estimate(jnp.zeros((2, 1)), jnp.zeros((20, 2)), jnp.zeros(0))
    with pytest.raises(ValueError, match="patterns"):
        MarginalExpected()(TwoPL(), long, start)
    with pytest.raises(ValueError, match="one entry"):
        MarginalClusteredSandwich(jnp.arange(3))(TwoPL(), long, start)


@pytest.mark.slow
@pytest.mark.parametrize("trials", [1.0, 10.0])
def test_intervals_of_abilities_hold_what_they_promise(trials):
    """Truths drawn from the priors, 20 x 20, half of the cells missing."""
    n_table, model = 300, TwoPL()
    rng = np.random.default_rng(8)
    truths = [
        Estimate(
            jnp.asarray(rng.normal(0, 1, (20, 1))),
            jnp.asarray(rng.normal(0, [2, 0.5], (20, 2))),
            jnp.zeros(0),
        )
        for _ in range(n_table)
    ]
    seen = jnp.asarray(rng.random((n_table, 20, 20)) < 0.5, float) * trials
    keys = jax.random.split(jax.random.key(4), n_table)
    tables = eqx.filter_jit(
        eqx.filter_vmap(lambda at, n, key: simulate(model, at, n, key=key))
    )(stack(truths), seen, keys)
    fits = fit_many(model, tables, estimator=MarginalMAP())
    assert np.all(fits.code == 0)
    errors = eqx.filter_jit(
        eqx.filter_vmap(lambda r, at: MarginalFisher()(model, r, at))
    )(tables, fits.value)
    gap = np.asarray(fits.value.system - stack(truths).system)[..., 0]
    inside = np.abs(gap / errors.system["ability"]) < 1.959964
    by_table = inside.mean(axis=1)
    error = by_table.std(ddof=1) / np.sqrt(n_table)
    assert abs(by_table.mean() - 0.95) < 0.015 + 4 * error
