"""What holds for every model of the package, whatever it says of responses."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import BinomialResponses, CategoricalResponses, ScoreResponses
from irtjax.irt import (
    RESULTS,
    Fisher,
    derived,
    fit,
    fit_many,
    joint_covariance,
    named,
    posterior,
    simulate,
    unnamed,
)
from irtjax.irt._blocks import dense

from ..cases import flat, stack, unflat
from .cases import (
    CASES,
    N_ITEM,
    N_SYSTEM,
    WITH_JOINT_MODE,
    outcomes,
    point,
    table,
)

EVERY = pytest.mark.parametrize("name", CASES)
FITTED = pytest.mark.parametrize("name", WITH_JOINT_MODE)


def _cell_log_prob(name, at, outcome):
    """The log-probability of one outcome in every cell."""
    model, item_features = CASES[name]
    values = named(model, at)
    n_system, n_item = at.system.shape[0], at.item.shape[0]
    if item_features is None:
        item_features = jnp.zeros((n_item, 0), at.item.dtype)

    def one(system, item, features, item_features):
        return model.log_prob(
            outcome, system, item, values.shared, features, item_features
        )

    over_items = jax.vmap(one, (None, 0, None, 0))
    return jax.vmap(over_items, (0, None, 0, None))(
        values.system,
        values.item,
        jnp.zeros((n_system, 0), at.system.dtype),
        item_features.astype(at.item.dtype),
    )


@eqx.filter_jit
def _log_probs(name, at, many):
    return jax.vmap(lambda outcome: _cell_log_prob(name, at, outcome))(many)


@EVERY
def test_probabilities_sum_to_one(name):
    model, _ = CASES[name]
    at, (atoms, has_density) = point(model, seed=3, scale=0.3), outcomes(model)
    total = np.exp(_log_probs(name, at, atoms)).sum(axis=0)
    if has_density:
        total = total + _integral(name, at, lambda score: jnp.ones_like(score))
    np.testing.assert_allclose(total, 1, atol=1e-9)


def _integral(name, at, weight):
    """Of a density times a weight over the scores between 0 and 1."""
    # In the score's logit the density is smooth and its tails fall off.
    logit = jnp.linspace(-30, 30, 12001)
    score = jax.nn.sigmoid(logit)
    density = np.exp(_log_probs(name, at, score))
    jacobian = weight(score) * score * jax.nn.sigmoid(-logit)
    return np.trapezoid(density * np.asarray(jacobian)[:, None, None], logit, axis=0)


def _problem(name, responses):
    model, features = CASES[name]
    if features is not None:
        features = features.astype(responses.terms().weight.dtype)
    return posterior(model, responses, item_features=features)


@eqx.filter_jit
def _evaluate(name, responses, at, share):
    return _problem(name, responses).evaluate(at, share)


@eqx.filter_jit
def _value(name, responses, at):
    return _problem(name, responses).value(at)


@EVERY
def test_derivatives_are_those_of_autodiff_and_of_differences(name):
    model, _ = CASES[name]
    responses, at = table(name), point(model, seed=5)
    found = _evaluate(name, responses, at, jnp.ones(()))
    gradient = jnp.concatenate([jnp.ravel(part) for part in found.gradient])
    np.testing.assert_allclose(found.value, _value(name, responses, at), rtol=1e-12)

    def objective(x):
        return _value(name, responses, unflat(x, at))

    x, eye = flat(at), np.eye(flat(at).size)
    np.testing.assert_allclose(gradient, jax.grad(objective)(x), atol=1e-8)
    hessian = jax.jit(jax.hessian(objective))(x)
    np.testing.assert_allclose(dense(found.information), hessian, rtol=1e-7, atol=1e-7)
    step = 1e-6
    differences = [
        (objective(x + step * e) - objective(x - step * e)) / (2 * step) for e in eye
    ]
    np.testing.assert_allclose(gradient, differences, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.float64], ids=["f32", "f64"])
@pytest.mark.parametrize("far", [-30.0, 30.0])
@EVERY
def test_extremes_stay_finite(name, far, dtype):
    """Every unconstrained parameter pushed out, abilities the same way and the other."""
    model, _ = CASES[name]
    responses = jax.tree.map(lambda leaf: leaf.astype(dtype), table(name))
    start = point(model, scale=0.0)
    for sign in (1.0, -1.0):
        at = jax.tree.map(lambda leaf: leaf + far, start)
        at = eqx.tree_at(lambda e: e.system, at, start.system + sign * far)
        at = jax.tree.map(lambda leaf: leaf.astype(dtype), at)
        for leaf in jax.tree.leaves(
            _log_probs(name, at, outcomes(model)[0].astype(dtype))
        ):
            assert jnp.all(jnp.isfinite(leaf))
        found = _evaluate(name, responses, at, jnp.ones((), dtype))
        for leaf in jax.tree.leaves((found.value, found.gradient)):
            assert leaf.dtype == dtype
            assert jnp.all(jnp.isfinite(leaf))


@EVERY
def test_expected_information_is_not_negative(name):
    model, _ = CASES[name]
    found = _evaluate(name, table(name), point(model, seed=6, scale=1.5), jnp.zeros(()))
    lowest = np.linalg.eigvalsh(dense(found.information))[0]
    assert lowest > (-1e-9 if name != "rasch" else -np.inf)


@EVERY
def test_unnamed_undoes_named(name):
    model, _ = CASES[name]
    at = point(model)
    back = unnamed(model, named(model, at))
    np.testing.assert_allclose(flat(back), flat(at), rtol=1e-9)


def _fit(name, responses, item_features=None):
    model, features = CASES[name]
    features = features if item_features is None else item_features
    return fit(model, responses, item_features=features)


@FITTED
def test_a_fit_is_where_the_gradient_is_zero(name):
    result = _fit(name, table(name))
    assert result.code == RESULTS.successful
    slope = jax.grad(lambda at: _value(name, table(name), at))(result.value)
    np.testing.assert_allclose(flat(slope), 0, atol=1e-6)


@FITTED
def test_permuting_systems_and_items_permutes_the_fit(name):
    responses = table(name)
    systems, items = jnp.asarray([3, 0, 5, 1, 4, 2]), jnp.asarray([4, 2, 0, 1, 3])
    features = CASES[name].item_features
    moved = None if features is None else features[items]
    one = _fit(name, responses).value
    other = _fit(name, responses.take(systems, items), moved).value
    np.testing.assert_allclose(other.system, one.system[systems], atol=1e-8)
    np.testing.assert_allclose(other.item, one.item[items], atol=1e-8)
    np.testing.assert_allclose(other.shared, one.shared, atol=1e-8)


@FITTED
def test_a_batch_is_a_loop(name):
    tables = [table(name, seed=seed) for seed in range(3)]
    model, features = CASES[name]
    together = fit_many(model, stack(tables), item_features=features)
    for k, responses in enumerate(tables):
        alone = _fit(name, responses)
        assert together.code[k] == alone.code == RESULTS.successful
        value = jax.tree.map(lambda leaf, k=k: leaf[k], together.value)
        np.testing.assert_allclose(flat(value), flat(alone.value), atol=1e-8)


@EVERY
def test_what_stands_in_a_cell_that_is_not_observed_changes_nothing(name):
    model, _ = CASES[name]
    responses, at = table(name), point(model, seed=5)
    hidden = ~responses.observed()
    assert jnp.any(hidden)
    if isinstance(responses, CategoricalResponses):
        pytest.skip("a cell without counts holds nothing else")
    if isinstance(responses, BinomialResponses):
        spoilt = BinomialResponses(
            jnp.where(hidden, jnp.nan, responses.successes), responses.trials
        )
    else:
        spoilt = ScoreResponses(
            jnp.where(hidden, jnp.nan, responses.score), responses.weight
        )
    clean = _evaluate(name, responses, at, jnp.ones(()))
    other = _evaluate(name, spoilt, at, jnp.ones(()))
    for left, right in zip(jax.tree.leaves(clean), jax.tree.leaves(other), strict=True):
        np.testing.assert_array_equal(left, right)


@FITTED
def test_fisher_inverts_the_dense_hessian(name):
    model, features = CASES[name]
    responses = table(name)
    at = _fit(name, responses).value
    hessian = jax.jit(jax.hessian(lambda x: _value(name, responses, unflat(x, at))))
    inverse = np.linalg.inv(hessian(flat(at)))
    covariance = joint_covariance(model, responses, at, item_features=features)
    scale = np.sqrt(np.outer(np.diagonal(inverse), np.diagonal(inverse)))
    np.testing.assert_allclose(covariance / scale, inverse / scale, atol=1e-6)

    found = Fisher()(model, responses, at, item_features=features)

    def own(x):
        values = named(model, unflat(x, at))
        return values.system | values.item | values.shared

    def of_items(x):
        return derived(model, unflat(x, at))

    for errors, function in (
        (found.system | found.item | found.shared, own),
        (found.derived, of_items),
    ):
        slopes = jax.jacfwd(function)(flat(at))
        assert set(errors) == set(slopes)
        for key, slope in slopes.items():
            variance = np.einsum("...k,kl,...l->...", slope, inverse, slope)
            np.testing.assert_allclose(errors[key], np.sqrt(variance), rtol=1e-6)


@EVERY
def test_a_cell_of_many_answers_is_the_sum_of_them(name):
    """Complaint 13: k of n trials, n unequal, as answers of the same system."""
    model, _ = CASES[name]
    if model.response is ScoreResponses:
        pytest.skip("a cell has one score")
    at = point(model, seed=5)
    responses = table(name, trials=3.0)
    nothing = jax.tree.map(jnp.zeros_like, responses)
    priors = _value(name, nothing, at)
    weight = np.asarray(responses.terms().weight)
    total = 0.0
    # The m-th answer of every cell that has as many, category by category.
    for m in range(3):
        taken = np.cumsum(weight, axis=-1)
        one = ((taken > m) & (taken - weight <= m)).astype(float)
        if isinstance(responses, BinomialResponses):
            layer = BinomialResponses(
                jnp.asarray(one[..., 1]), jnp.asarray(one.sum(axis=-1))
            )
        else:
            layer = CategoricalResponses(jnp.asarray(one))
        total += _value(name, layer, at) - priors
    np.testing.assert_allclose(total, _value(name, responses, at) - priors, rtol=1e-10)


N_DRAW = 1000


@EVERY
def test_draws_have_the_models_mean(name):
    model, features = CASES[name]
    at, full = point(model, seed=3, scale=0.3), jnp.ones((N_SYSTEM, N_ITEM))

    @jax.jit
    def draws(keys):
        return jax.vmap(
            lambda key: simulate(
                model, at, full, item_features=features, key=key
            ).mean_score()
        )(keys)

    drawn = draws(jax.random.split(jax.random.key(0), N_DRAW))
    many, has_density = outcomes(model)
    score = np.asarray(many) / max(len(many) - 1, 1)
    chance = np.exp(_log_probs(name, at, many))
    mean = np.einsum("o,oji->ji", score, chance)
    if has_density:
        mean = mean + _integral(name, at, lambda score: score)
    # No spread of numbers in [0, 1] is above a half; 330 cells are looked at in all.
    assert np.all(np.abs(drawn.mean(axis=0) - mean) < 4.5 * 0.5 / np.sqrt(N_DRAW))
