import itertools

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special
import scipy.stats

from irtjax.irt import TwoPL
from irtjax.irt._cells import cell_jet, cell_scores, jet

from .cases import PlainTwoPL


def test_jet_is_value_gradient_and_hessian():
    def function(x, y, z):
        return jnp.sin(x) * jnp.exp(y) + x * y**2 * z

    at = [jnp.asarray(0.3), jnp.asarray(-0.7), jnp.asarray(1.9)]
    found = jet(function, at)
    gradient = jax.grad(function, (0, 1, 2))(*at)
    hessian = jax.hessian(function, (0, 1, 2))(*at)
    np.testing.assert_allclose(found.value, function(*at), rtol=1e-15)
    np.testing.assert_allclose(found.first, gradient, rtol=1e-13)
    for k in range(3):
        np.testing.assert_allclose(found.second[k], hessian[k][k:], rtol=1e-13)


_compiled = eqx.filter_jit(cell_jet)


def _cell(model, ability, difficulty, log_slope, weight, observed_share):
    nothing = jnp.zeros(0)
    return _compiled(
        model,
        jnp.asarray(observed_share),
        jnp.asarray([ability]),
        jnp.asarray([difficulty, log_slope]),
        nothing,
        nothing,
        nothing,
        jnp.arange(2.0),
        jnp.asarray(weight),
    )


@pytest.mark.parametrize("observed_share", [0.0, 1.0])
def test_logit_models_take_a_short_way_to_the_same_place(observed_share):
    arguments = (0.4, -0.8, 0.3, [3.0, 8.0], observed_share)
    short, long = _cell(TwoPL(), *arguments), _cell(PlainTwoPL(), *arguments)
    for one, other in zip(jax.tree.leaves(short), jax.tree.leaves(long), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("ability", [-2000.0, -40.0, 40.0, 2000.0])
@pytest.mark.parametrize("weight", [[0.0, 5.0], [5.0, 0.0]])
def test_extreme_logits_stay_finite(ability, weight):
    found = _cell(TwoPL(), ability, 0.0, 0.0, weight, 1.0)
    for leaf in jax.tree.leaves(found):
        assert jnp.isfinite(leaf)
    wrong = weight[0 if ability > 0 else 1] > 0
    expected = -5 * abs(ability) if wrong else 0.0
    np.testing.assert_allclose(found.value, expected, rtol=1e-12, atol=1e-12)


def test_a_cell_without_observations_adds_exactly_zero():
    for leaf in jax.tree.leaves(_cell(TwoPL(), 900.0, -9.0, 2.0, [0.0, 0.0], 1.0)):
        assert leaf == 0


def _scores(weight, at):
    nothing = jnp.zeros(0)
    return cell_scores(
        TwoPL(), at[:1], at[1:], nothing, nothing, nothing, jnp.arange(2.0), weight
    )


def test_scores_are_the_outer_product_of_a_cells_gradient():
    weight, nothing = jnp.asarray([3.0, 8.0]), jnp.zeros(0)
    at = jnp.asarray([0.4, -0.8, 0.3])

    def log_prob(at, outcome):
        item = {"difficulty": at[1], "discrimination": jnp.exp(at[2])}
        ability = {"ability": at[0]}
        return TwoPL().log_prob(outcome, ability, item, {}, nothing, nothing)

    slopes = weight @ jax.vmap(jax.grad(log_prob), (None, 0))(at, jnp.arange(2.0))
    expected, found = jnp.outer(slopes, slopes), _scores(weight, at)
    for k in range(3):
        np.testing.assert_allclose(found.second[k], -expected[k, k:], rtol=1e-12)


def test_the_mean_of_score_products_is_the_expected_information():
    """Exactly, by summing over every number of successes of a cell."""
    at, trials = jnp.asarray([0.4, -0.8, 0.3]), 7
    chance = scipy.special.expit(np.exp(0.3) * (0.4 + 0.8))
    mean = [0.0] * 6
    for y in range(trials + 1):
        products = _scores(jnp.asarray([trials - y, float(y)]), at).second
        weight = scipy.stats.binom.pmf(y, trials, chance)
        mean = [
            m + weight * p
            for m, p in zip(mean, itertools.chain(*products), strict=True)
        ]
    information = _cell(TwoPL(), 0.4, -0.8, 0.3, [trials / 2, trials / 2], 0.0)
    np.testing.assert_allclose(
        mean, list(itertools.chain(*information.second)), rtol=1e-10
    )
