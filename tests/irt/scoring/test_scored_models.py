import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import BinomialResponses
from irtjax.irt import Estimate, Flat, OnePL, posterior
from irtjax.irt.models import FourPL, GradedResponse, PartialCredit, Rasch, ThreePL
from irtjax.irt.scoring import MAP, ML, SCORES, WLE, Jeffreys
from irtjax.irt.scoring._each import each_system

from ..cases import point, table
from .reference import column, patterns, published, warm_by_hand

SCORERS = {"map": MAP(), "wle": WLE()}


def test_warm_by_his_own_equations():
    rng = np.random.default_rng(3)
    difficulty, slope = rng.normal(size=20), np.exp(0.3 * rng.normal(size=20))
    lower = rng.uniform(0.05, 0.3, 20)
    right = rng.integers(0, 2, (4, 20)).astype(float)
    right[0] = 1
    model = ThreePL()
    item = np.stack([difficulty, np.log(slope), np.log(lower / (1 - lower))], 1)
    items = Estimate(jnp.zeros((0, 1)), jnp.asarray(item), jnp.zeros(0))
    answers = BinomialResponses(jnp.asarray(right), jnp.ones(right.shape))
    expected = [warm_by_hand(row, difficulty, slope, lower) for row in right]
    np.testing.assert_allclose(
        WLE()(model, answers, items).ability, expected, atol=1e-9
    )
    # Jeffreys's prior is another estimate where items can be guessed.
    other = Jeffreys()(model, answers, items).ability
    assert np.max(np.abs(other - np.asarray(expected))) > 1e-3


def test_jeffreys_is_what_r_mirt_calls_wle_for_a_3pl(shared):
    record, kinds = published(shared, "LSAT7_3PL")
    slope = np.array([kind["a1"] for kind in kinds])
    item = np.stack(
        [
            -np.array([kind["d"] for kind in kinds]) / slope,
            np.log(slope),
            [kind["logit(g)"] for kind in kinds],
        ],
        axis=1,
    )
    items = Estimate(jnp.zeros((0, 1)), jnp.asarray(item), jnp.zeros(0))
    scores = Jeffreys()(ThreePL(), patterns(record), items)
    np.testing.assert_allclose(scores.ability, column(record, "WLE"), atol=1e-5)
    np.testing.assert_allclose(scores.se, column(record, "WLE_se"), rtol=1e-4)


@pytest.mark.parametrize(
    "model",
    [OnePL(), Rasch(), FourPL(), GradedResponse(3), PartialCredit(3)],
    ids=lambda model: type(model).__name__,
)
@pytest.mark.parametrize("name", ["map", "wle"])
def test_every_model_of_one_ability(model, name):
    """At the score the slope of what is maximised is zero, by plain autodiff."""
    answers, items = table(model), point(model)
    scores = SCORERS[name](model, answers, items)
    np.testing.assert_array_equal(scores.code, SCORES.ordinary)
    problem = posterior(model, answers)

    def slope(system):
        def height(x):
            prior = system.log_prior(x[None]) if name == "map" else 0.0
            return system.log_likelihood(x[None]) + prior

        def at(x):
            information, bend = system.information(x)
            bias = bend / (2 * information) if name == "wle" else 0.0
            return jax.grad(height)(x) + bias

        return jax.vmap(at)(scores.ability)

    slopes = jnp.diagonal(each_system(slope, problem, items))
    np.testing.assert_allclose(slopes, 0, atol=1e-8)


def test_information_of_graded_answers_by_differences():
    model = GradedResponse(4)
    answers = table(model, trials=3.0)
    problem = posterior(model, answers)
    at = 0.4

    def both(system):
        return system.information(jnp.asarray(at))

    information, bend = each_system(both, problem, point(model))
    h = 1e-4

    def chances(system):
        return jnp.exp(system.log_probs(jnp.asarray([at])))

    p, up, down = (
        each_system(
            lambda s, x=x: jnp.exp(s.log_probs(jnp.asarray([x]))), problem, point(model)
        )
        for x in (at, at + h, at - h)
    )
    first, second = (up - down) / (2 * h), (up - 2 * p + down) / h**2
    n = jnp.sum(answers.counts, axis=-1)[:, :, None]
    np.testing.assert_allclose(information, np.sum(n * first**2 / p, (1, 2)), rtol=1e-5)
    np.testing.assert_allclose(
        bend, np.sum(n * first * second / p, (1, 2)), rtol=1e-4, atol=1e-5
    )


def test_a_mixed_pattern_that_guessing_explains_has_no_most_likely_ability():
    model = ThreePL()
    # The only right answer is to the hardest item, below what chance would give.
    difficulty = np.linspace(-2, 2, 10)
    item = np.stack([difficulty, np.full(10, 0.5), np.full(10, 0.0)], 1)
    right = np.zeros((1, 10))
    right[0, -1] = 1
    answers = BinomialResponses(jnp.asarray(right), jnp.ones((1, 10)))
    items = Estimate(jnp.zeros((0, 1)), jnp.asarray(item), jnp.zeros(0))
    scores = ML()(model, answers, items)
    assert float(scores.ability[0]) == -np.inf
    assert int(scores.code[0]) == SCORES.unbounded
    # A flat prior changes nothing; a proper one gives a finite score.
    flat = MAP()(ThreePL(ability=Flat()), answers, items)
    assert float(flat.ability[0]) == -np.inf
    assert np.isfinite(MAP()(model, answers, items).ability[0])
