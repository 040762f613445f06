"""Graded response and partial credit."""

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import expit

from irtjax.data import CategoricalResponses
from irtjax.irt import (
    RESULTS,
    GradedResponse,
    NamedParameters,
    PartialCredit,
    TwoPL,
    derived,
    fit,
    named,
    unnamed,
)

from ..cases import apart, table
from .cases import point

NOTHING = jnp.zeros(0)


def _shares(model, system, item):
    return [
        float(
            jnp.exp(model.log_prob(jnp.asarray(k), system, item, {}, NOTHING, NOTHING))
        )
        for k in np.arange(float(model.n_category))
    ]


def _one(model, seed):
    values = named(model, point(model, seed=seed))
    return (
        {name: value[0] for name, value in values.system.items()},
        {name: value[0] for name, value in values.item.items()},
        {
            name: float(value[0])
            for name, value in derived(model, point(model, seed=seed)).items()
        },
    )


@pytest.mark.parametrize("n_category", [2, 3, 5])
def test_graded_categories_are_differences_of_curves(n_category):
    model = GradedResponse(n_category)
    system, item, found = _one(model, seed=n_category)
    thresholds = [found[f"threshold_{k}"] for k in range(1, n_category)]
    assert np.all(np.diff(thresholds) > 0)
    np.testing.assert_allclose(np.mean(thresholds), item["difficulty"], rtol=1e-12)
    slope, ability = float(item["discrimination"]), float(system["ability"])
    reached = [1.0, *(expit(slope * (ability - b)) for b in thresholds), 0.0]
    np.testing.assert_allclose(_shares(model, system, item), -np.diff(reached))
    intercepts = [found[f"intercept_{k}"] for k in range(1, n_category)]
    np.testing.assert_allclose(intercepts, -slope * np.asarray(thresholds))


@pytest.mark.parametrize("n_category", [2, 3, 5])
def test_partial_credit_gives_neighbours_logistic_odds(n_category):
    model = PartialCredit(n_category)
    system, item, found = _one(model, seed=n_category)
    steps = np.asarray([float(item[f"step_{k}"]) for k in range(1, n_category)])
    shares = _shares(model, system, item)
    odds = float(item["discrimination"]) * (float(system["ability"]) - steps)
    np.testing.assert_allclose(np.diff(np.log(shares)), odds)
    np.testing.assert_allclose(found["difficulty"], steps.mean())


@pytest.mark.parametrize("model", [GradedResponse(2), PartialCredit(2)], ids=str)
def test_with_two_categories_both_are_the_two_pl(model):
    binomial = table(TwoPL())
    counts = jnp.stack(
        [binomial.trials - binomial.successes, binomial.successes], axis=-1
    )
    one, other = fit(TwoPL(), binomial), fit(model, CategoricalResponses(counts))
    if isinstance(model, PartialCredit):
        values = named(model, other.value)
        item = values.item | {"difficulty": values.item["step_1"]}
        value = unnamed(TwoPL(), NamedParameters(values.system, item, {}))
    else:
        value = other.value
    assert apart(one.value, value) < 1e-8
    np.testing.assert_allclose(other.stats.objective, one.stats.objective, rtol=1e-10)


@pytest.mark.parametrize("kind", [GradedResponse, PartialCredit])
def test_a_category_that_nobody_gave_leaves_the_fit_finite(kind):
    rng = np.random.default_rng(0)
    drawn = rng.choice([0, 1, 3], size=(12, 4))
    counts = jnp.asarray(np.eye(4)[drawn])
    result = fit(kind(4), CategoricalResponses(counts))
    assert result.code == RESULTS.successful
    for value in derived(kind(4), result.value).values():
        assert jnp.all(jnp.isfinite(value))


@pytest.mark.parametrize("kind", [GradedResponse, PartialCredit])
def test_the_number_of_categories_is_checked(kind):
    with pytest.raises(ValueError, match="at least 2 categories, got 1"):
        kind(1)
    three = CategoricalResponses(jnp.ones((2, 2, 3)))
    with pytest.raises(ValueError, match="made for 4 categories, the responses have 3"):
        fit(kind(4), three)
