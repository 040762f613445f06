import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import BinomialResponses
from irtjax.irt import (
    AbstractLogitModel,
    AbstractResponseModel,
    NamedParameters,
    OnePL,
    TwoPL,
    fit,
    named,
    unnamed,
)

from .cases import ABILITY, DIFFICULTY, MODELS, PlainTwoPL, point


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS.keys())
def test_unnamed_undoes_named(model):
    at = point(model)
    back = unnamed(model, named(model, at))
    for one, other in zip(jax.tree.leaves(at), jax.tree.leaves(back), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10)


def test_a_shape_says_how_many_items_without_parameters_there_are():
    class ToyNoItem(PlainTwoPL):
        item_parameters: tuple = ()

    at = unnamed(
        ToyNoItem(), NamedParameters({"ability": jnp.zeros(3)}, {}, {}), shape=(3, 7)
    )
    assert at.system.shape == (3, 1)
    assert at.item.shape == (7, 0)


def test_named_is_on_the_parameters_own_scale():
    at = point(TwoPL())
    found = named(TwoPL(), at)
    np.testing.assert_array_equal(found.system["ability"], at.system[:, 0])
    np.testing.assert_array_equal(found.item["difficulty"], at.item[:, 0])
    np.testing.assert_allclose(found.item["discrimination"], np.exp(at.item[:, 1]))
    assert found.shared == {}


def test_a_missing_name_is_an_error():
    ability = {"ability": jnp.zeros(2)}
    with pytest.raises(KeyError, match="discrimination"):
        unnamed(TwoPL(), NamedParameters(ability, {"difficulty": jnp.zeros(3)}, {}))


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS.keys())
def test_probabilities_of_all_outcomes_sum_to_one(model):
    values, nothing = named(model, point(model)), jnp.zeros(0)
    system = {name: value[0] for name, value in values.system.items()}
    item = {name: value[1] for name, value in values.item.items()}

    def probability(outcome):
        log_prob = model.log_prob(
            outcome, system, item, values.shared, nothing, nothing
        )
        return jnp.exp(log_prob)

    kinds = {
        "BinomialResponses": jnp.arange(2.0),
        "CategoricalResponses": jnp.arange(3.0),
    }
    outcomes = kinds.get(model.response.__name__)
    if outcomes is not None:
        total = jnp.sum(jax.vmap(probability)(outcomes))
        np.testing.assert_allclose(total, 1, rtol=1e-12)
    else:
        middle = (jnp.arange(200_000.0) + 0.5) / 200_000
        total = jnp.mean(jax.vmap(probability)(middle))
        np.testing.assert_allclose(total, 1, rtol=1e-2)


def test_success_is_the_logistic_function():
    nothing = jnp.zeros(0)
    system = {"ability": jnp.asarray(0.7)}
    item = {"difficulty": jnp.asarray(-0.2), "discrimination": jnp.asarray(1.3)}
    p = 1 / (1 + np.exp(-1.3 * 0.9))
    for outcome, expected in ((1.0, p), (0.0, 1 - p)):
        found = TwoPL().log_prob(
            jnp.asarray(outcome), system, item, {}, nothing, nothing
        )
        np.testing.assert_allclose(jnp.exp(found), expected, rtol=1e-14)
    shared = {"discrimination": item.pop("discrimination")}
    found = OnePL().log_prob(jnp.asarray(1.0), system, item, shared, nothing, nothing)
    np.testing.assert_allclose(jnp.exp(found), p, rtol=1e-14)


class ToyRegression(AbstractLogitModel):
    """Difficulty is a known feature of the item plus what the feature leaves."""

    response = BinomialResponses
    system_parameters: tuple = (ABILITY,)
    item_parameters: tuple = (DIFFICULTY,)
    shared_parameters: tuple = ()

    def logit(self, system, item, shared, system_features, item_features):
        return system["ability"] - item["difficulty"] - item_features[0]


def test_features_reach_the_model():
    rng = np.random.default_rng(0)
    known = jnp.asarray([[-1.0], [0.0], [1.0]])
    trials = jnp.full((4, 3), 50.0)
    responses = BinomialResponses(
        jnp.asarray(rng.binomial(50, 0.5, (4, 3)), float), trials
    )
    model = ToyRegression()
    without = fit(model, responses, item_features=0 * known).value
    with_feature = fit(model, responses, item_features=known).value
    # What the data say of the sum is nearly the same: the prior is wide.
    sums = with_feature.item + known
    np.testing.assert_allclose(sums, without.item, atol=0.1)
    assert issubclass(AbstractLogitModel, AbstractResponseModel)
