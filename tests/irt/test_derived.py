import jax
import jax.numpy as jnp
import numpy as np

from irtjax.irt import (
    AbstractCategoricalModel,
    AbstractDerived,
    AbstractSampled,
    AbstractStart,
    BetaScore,
    Fisher,
    GradedResponse,
    MultidimensionalTwoPL,
    SlopeIntercept,
    TwoPL,
    derived,
    derived_errors,
    fit,
    joint_covariance,
    named,
)

from .cases import table


def test_a_model_says_what_else_it_offers():
    assert isinstance(SlopeIntercept(), AbstractDerived)
    assert isinstance(MultidimensionalTwoPL(2), AbstractStart)
    assert isinstance(BetaScore(), AbstractSampled)
    assert isinstance(GradedResponse(3), AbstractCategoricalModel)
    traits = (AbstractDerived, AbstractStart, AbstractSampled, AbstractCategoricalModel)
    assert not isinstance(TwoPL(), traits)


def test_a_difficulty_follows_from_slope_and_intercept_with_its_error():
    model, responses = SlopeIntercept(), table(TwoPL())
    at = fit(model, responses).value
    own = named(model, at).item
    expected = -own["intercept"] / own["slope"]
    np.testing.assert_allclose(derived(model, at)["difficulty"], expected)

    # The delta method by hand, from the joint covariance of all parameters.
    covariance = joint_covariance(model, responses, at)
    n_system, n_item = responses.shape
    kinds = [kind.name for kind in model.item_parameters]
    rows = {
        name: n_system + k * n_item + np.arange(n_item) for k, name in enumerate(kinds)
    }

    def difficulty(item):
        return derived(model, type(at)(at.system, item, at.shared))["difficulty"]

    slopes = jax.jacfwd(difficulty)(at.item)
    by_hand = []
    for i in range(n_item):
        at_rows = jnp.asarray([rows[name][i] for name in kinds])
        block = covariance[at_rows][:, at_rows]
        by_hand.append(jnp.sqrt(slopes[i, i] @ block @ slopes[i, i]))
    errors = Fisher()(model, responses, at)
    np.testing.assert_allclose(errors.derived["difficulty"], by_hand, rtol=1e-8)


def test_nothing_derived_has_no_error():
    at = fit(TwoPL(), table(TwoPL())).value
    assert derived(TwoPL(), at) == {}
    assert derived_errors(TwoPL(), at, jnp.zeros((5, 2, 2))) == {}
