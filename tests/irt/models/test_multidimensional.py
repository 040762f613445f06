import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import BinomialResponses
from irtjax.irt import (
    RESULTS,
    Estimate,
    MultidimensionalTwoPL,
    Normal,
    SlopeIntercept,
    canonical,
    derived,
    fit,
    posterior,
    rotated,
    simulate,
    varimax,
)

from ..cases import apart, table
from .cases import PATTERN, point

MODEL = MultidimensionalTwoPL(3)


def _rotation(n=3, seed=0):
    matrix = np.random.default_rng(seed).normal(size=(n, n))
    return jnp.asarray(np.linalg.qr(matrix)[0])


def _criterion(loadings):
    return np.sum(np.var(np.asarray(loadings) ** 2, axis=0))


def _simple_structure(n_system=60, n_item=12, trials=100.0):
    """Half of the items load on each of two dimensions; counts with little noise."""
    rng = np.random.default_rng(1)
    slopes = np.zeros((n_item, 2))
    slopes[: n_item // 2, 0] = slopes[n_item // 2 :, 1] = 1.5
    slopes[: n_item // 2, 0] *= 1.2
    truth = Estimate(
        jnp.asarray(rng.normal(size=(n_system, 2))),
        jnp.asarray(np.column_stack([rng.normal(size=n_item), slopes])),
        jnp.zeros(0),
    )
    full = jnp.full((n_system, n_item), trials)
    return truth, simulate(MultidimensionalTwoPL(2), truth, full, key=jax.random.key(3))


def test_turning_changes_neither_the_posterior_nor_what_is_derived():
    responses, at = table(SlopeIntercept()), point(MODEL)
    problem = posterior(MODEL, responses)
    turned = rotated(MODEL, at, _rotation())
    np.testing.assert_allclose(problem.value(turned), problem.value(at), rtol=1e-12)
    one, other = derived(MODEL, at), derived(MODEL, turned)
    for name in one:
        np.testing.assert_allclose(other[name], one[name], rtol=1e-10)


def test_the_canonical_orientation_is_one_and_stays():
    at = point(MODEL)
    found = canonical(MODEL, at)
    np.testing.assert_allclose(
        apart(canonical(MODEL, rotated(MODEL, at, _rotation())), found), 0, atol=1e-8
    )
    assert apart(canonical(MODEL, found), found) < 1e-8
    slopes = np.asarray(found.item[:, 1:])
    assert np.all(slopes.sum(axis=0) > 0)
    assert np.all(np.diff((slopes**2).sum(axis=0)) <= 0)


def test_varimax_finds_the_best_angle():
    loadings = jnp.asarray(np.random.default_rng(4).normal(size=(9, 2)))
    rotation = varimax(loadings)
    np.testing.assert_allclose(rotation @ rotation.T, np.eye(2), atol=1e-12)
    angles = np.linspace(0, np.pi, 2001)
    best = max(
        _criterion(
            loadings @ np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]])
        )
        for t in angles
    )
    assert _criterion(loadings @ rotation) >= best - 1e-12


def test_one_dimension_is_the_slope_intercept_model():
    responses, prior = table(SlopeIntercept()), Normal(0.0, 1.0)
    one = fit(SlopeIntercept(slope=prior), responses)
    other = fit(MultidimensionalTwoPL(1, slope=prior), responses)
    assert one.code == other.code == RESULTS.successful
    assert apart(one.value, other.value) < 1e-7


def test_a_planted_structure_is_found_without_being_told():
    truth, responses = _simple_structure()
    model = MultidimensionalTwoPL(2)
    result = fit(model, responses)
    # A rotation is left open, which is no reason not to converge.
    assert result.code == RESULTS.successful
    found = canonical(model, result.value)
    for m in range(2):
        rho = np.corrcoef(found.system[:, m], truth.system[:, m])[0, 1]
        assert rho > 0.95
    slopes, half = np.abs(np.asarray(found.item[:, 1:])), found.item.shape[0] // 2
    assert slopes[:half, 0].min() > 3 * slopes[:half, 1].max()
    assert slopes[half:, 1].min() > 3 * slopes[half:, 0].max()


def test_a_pattern_holds_slopes_at_their_prior():
    truth, responses = _simple_structure(30)
    pattern = (truth.item[:, 1:] != 0).astype(float)
    model = MultidimensionalTwoPL(2)
    result = fit(model, responses, item_features=pattern)
    assert result.code == RESULTS.successful
    outside = np.asarray(result.value.item[:, 1:])[np.asarray(pattern) == 0]
    np.testing.assert_allclose(outside, 0, atol=1e-8)


def test_the_start_moves_with_the_table():
    responses = table(SlopeIntercept())
    systems, items = jnp.asarray([3, 0, 5, 1, 4, 2]), jnp.asarray([4, 2, 0, 1, 3])
    one, other = MODEL.start(responses), MODEL.start(responses.take(systems, items))
    np.testing.assert_allclose(other.system, one.system[systems], atol=1e-10)
    np.testing.assert_allclose(other.item, one.item[items], atol=1e-10)


def test_the_start_of_a_table_without_data_is_finite():
    nothing = BinomialResponses(jnp.zeros((2, 2)), jnp.zeros((2, 2)))
    for leaf in jax.tree.leaves(MODEL.start(nothing)):
        assert jnp.all(jnp.isfinite(leaf))


def test_what_does_not_fit_is_an_error():
    with pytest.raises(ValueError, match="at least 1 dimension, got 0"):
        MultidimensionalTwoPL(0)
    with pytest.raises(ValueError, match="rotation of 3 dimensions"):
        rotated(MODEL, point(MODEL), jnp.eye(2))
    with pytest.raises(ValueError, match="3 dimensions an item loads on"):
        fit(MODEL, table(SlopeIntercept()), item_features=PATTERN)
