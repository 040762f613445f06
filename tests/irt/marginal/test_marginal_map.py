import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import BinomialResponses
from irtjax.irt import (
    RESULTS,
    Flat,
    MarginalMAP,
    Normal,
    OnePL,
    TwoPL,
    fit,
    fit_many,
    posterior,
)
from irtjax.irt.marginal import (
    AdaptiveQuadrature,
    FixedQuadrature,
    MarginalPosterior,
)

from ..cases import KINDS, MODELS, apart, binomial, flat, stack, table
from .published import classic, r_mirt

FLAT = TwoPL(difficulty=Flat(), log_discrimination=Flat())
FLAT_ONE = OnePL(difficulty=Flat(), log_discrimination=Flat())


@pytest.mark.parametrize("name", ["LSAT6", "LSAT7", "SAT12"])
@pytest.mark.parametrize("model", [FLAT, FLAT_ONE], ids=["2PL", "Rasch"])
def test_flat_priors_are_r_mirts_maximum_likelihood(shared, name, model):
    kind = "2PL" if model is FLAT else "Rasch"
    reference = r_mirt(shared, f"{name}_{kind}")
    responses = classic(shared, name)
    found = fit(model, responses, estimator=MarginalMAP())
    assert found.code == RESULTS.successful
    assert abs(float(found.stats.objective) + reference["logLik"]) < 1e-4
    items = list(reference["slope_intercept"].values())
    spread = 1.0 if kind == "2PL" else np.sqrt(reference["group"][0][1])
    slope = spread * np.array([item["est"]["a1"] for item in items])
    intercept = np.array([item["est"]["d"] for item in items])
    log_slope = found.value.item[:, 1] if kind == "2PL" else found.value.shared
    np.testing.assert_allclose(np.exp(log_slope) + 0 * slope, slope, atol=2e-4)
    ours = -np.exp(log_slope) * found.value.item[:, 0]
    np.testing.assert_allclose(ours, intercept, atol=2e-4)


@pytest.mark.parametrize("name", [*KINDS, "two_dimensions"])
def test_the_gradient_is_that_of_the_integral(name):
    """By autodiff of an integral over nodes that are close and equally spaced."""
    model = MODELS[name]
    responses = table(model, trials=5.0)
    found = fit(model, responses, estimator=MarginalMAP())
    assert found.code == RESULTS.successful
    fixed = FixedQuadrature(121 if len(model.system_parameters) == 1 else 61, 7.0)

    reference = MarginalPosterior(posterior(model, responses), fixed)
    value, slope = jax.jit(jax.value_and_grad(reference.value))(found.value)
    np.testing.assert_allclose(found.stats.objective, value, atol=1e-6)
    assert jnp.max(jnp.abs(slope.item)) < 1e-4
    assert jnp.max(jnp.abs(slope.shared), initial=0) < 1e-4


@pytest.mark.parametrize("name", ["two_pl", "partial_credit"])
def test_many_tables_are_fitted_as_one_by_one(name):
    model = MODELS[name]
    tables = [table(model, seed=seed) for seed in range(3)]
    many = fit_many(model, stack(tables), estimator=MarginalMAP())
    for k, one in enumerate(tables):
        alone = fit(model, one, estimator=MarginalMAP())
        row = jax.tree.map(lambda leaf, k=k: leaf[k], many)
        assert row.code == alone.code == RESULTS.successful
        assert apart(row.value, alone.value) < 1e-8


def test_derivative_by_a_prior():
    responses = table(TwoPL())

    def best(sd):
        model = TwoPL(difficulty=Normal(0.0, sd))
        found = fit(model, responses, estimator=MarginalMAP())
        return jnp.sum(found.value.system**3) + found.value.item[0, 1]

    sd, step = jnp.asarray(1.5), 1e-4
    difference = (best(sd + step) - best(sd - step)) / (2 * step)
    np.testing.assert_allclose(jax.grad(best)(sd), difference, rtol=1e-6)


@pytest.mark.parametrize("name", ["two_pl", "partial_credit"])
def test_permuting_systems_and_items_permutes_the_result(name):
    model = MODELS[name]
    responses = table(model)
    systems, items = np.array([3, 0, 5, 1, 4, 2]), np.array([4, 2, 0, 1, 3])
    moved = jax.tree.map(lambda leaf: leaf[systems][:, items], responses)
    one, other = (
        fit(model, r, estimator=MarginalMAP()).value for r in (responses, moved)
    )
    np.testing.assert_allclose(other.system, one.system[systems], atol=1e-8)
    np.testing.assert_allclose(other.item, one.item[items], atol=1e-8)


def test_a_system_or_item_without_data_changes_nothing():
    responses = table(TwoPL())
    grown = jax.tree.map(lambda leaf: jnp.pad(leaf, [(0, 1), (0, 1)]), responses)
    one, other = (fit(TwoPL(), r, estimator=MarginalMAP()) for r in (responses, grown))
    assert other.code == RESULTS.successful
    np.testing.assert_allclose(other.value.system[:-1], one.value.system, atol=1e-8)
    np.testing.assert_allclose(other.value.item[:-1], one.value.item, atol=1e-8)
    np.testing.assert_allclose(other.value.system[-1], 0, atol=1e-9)
    np.testing.assert_allclose(other.value.item[-1], 0, atol=1e-9)


def test_perfect_and_zero_scores_and_constant_items_stay_finite():
    right = np.array(table(TwoPL(), 12, 8, trials=1.0, share=1.0).successes)
    right[0], right[1], right[2:, 3], right[2:, 4] = 1, 0, 1, 0
    responses = BinomialResponses(jnp.asarray(right), jnp.ones((12, 8)))
    found = fit(TwoPL(), responses, estimator=MarginalMAP())
    assert found.code == RESULTS.successful
    ability = found.value.system[:, 0]
    assert jnp.argmax(ability) == 0
    assert jnp.argmin(ability) == 1
    assert jnp.all(jnp.abs(flat(found.value)) < 6)


def test_a_large_table_is_solved_without_forming_its_matrix():
    """Conjugate gradients and elimination end at the same point."""
    responses = binomial(np.random.default_rng(2), 300, 150, 1)
    problem = posterior(TwoPL(), responses)
    found = fit(TwoPL(), responses, estimator=MarginalMAP())
    assert found.code == RESULTS.successful
    assert found.stats.iterations < 12
    slope = jax.jit(jax.grad(MarginalPosterior(problem, AdaptiveQuadrature()).value))
    assert jnp.max(jnp.abs(slope(found.value).item)) < 1e-5


def test_single_precision():
    responses = jax.tree.map(lambda leaf: leaf.astype(jnp.float32), table(TwoPL()))
    single = fit(TwoPL(), responses, estimator=MarginalMAP())
    double = fit(TwoPL(), table(TwoPL()), estimator=MarginalMAP())
    assert single.value.item.dtype == jnp.float32
    assert single.code == RESULTS.successful
    np.testing.assert_allclose(single.value.item, double.value.item, atol=2e-3)
    np.testing.assert_allclose(single.value.system, double.value.system, atol=2e-3)


def test_a_model_without_abilities_is_refused():
    model = eqx.tree_at(lambda m: m.system_parameters, TwoPL(), ())
    with pytest.raises(ValueError, match="JointMAP"):
        MarginalMAP().objective(posterior(model, table(TwoPL())))
