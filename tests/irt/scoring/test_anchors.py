import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.optimize import minimize

from irtjax.irt import (
    RESULTS,
    AbstractPrior,
    Fisher,
    Normal,
    OnePL,
    Parameter,
    TwoPL,
    fit,
    posterior,
)
from irtjax.irt.marginal import MarginalMAP
from irtjax.irt.scoring import (
    Anchors,
    Calibration,
    HeldLogit,
    HeldPlain,
    anchors_from,
    fit_anchored,
    hold,
    item_covariance,
)

from ..cases import MODELS, N_ITEM, N_SYSTEM, flat, point, table, unflat

KINDS = ("two_pl", "lapse", "partial_credit")
FIRST = jnp.arange(N_ITEM)[:, None] < 2


def anchored(model, at, items=FIRST, shared=True):
    """The first two items and all shared parameters held at a point."""
    held = jnp.broadcast_to(items, at.item.shape)
    return Anchors(at.item, held, at.shared, jnp.full(at.shared.shape, shared))


@pytest.mark.parametrize("name", KINDS)
def test_what_is_held_stands_still_and_the_rest_is_at_its_mode(name):
    """Against a plain minimisation over the parameters that are free."""
    model = MODELS[name]
    answers, at = table(model), point(model)
    result = fit_anchored(model, answers, anchored(model, at))
    assert int(result.code) == RESULTS.successful
    np.testing.assert_array_equal(result.value.item[:2], at.item[:2])
    np.testing.assert_array_equal(result.value.shared, at.shared)

    problem = posterior(model, answers)
    held = jnp.zeros_like(at.item, bool).at[:2].set(True)
    free = ~np.concatenate(
        [
            np.zeros(at.system.size, bool),
            np.asarray(held.T).ravel(),
            np.ones(at.shared.size, bool),
        ]
    )
    whole = np.asarray(flat(at))

    @jax.jit
    def objective(values):
        return problem.value(unflat(jnp.asarray(whole).at[free].set(values), at))

    found = minimize(
        objective,
        np.asarray(flat(result.value))[free] + 0.1,
        jac=jax.jit(jax.grad(objective)),
        method="BFGS",
        options={"gtol": 1e-9},
    )
    np.testing.assert_allclose(found.x, flat(result.value)[free], atol=1e-6)


def test_anchors_at_the_fit_change_nothing():
    model = TwoPL()
    answers = table(model)
    free = fit(model, answers).value
    again = fit_anchored(model, answers, anchored(model, free)).value
    np.testing.assert_allclose(flat(again), flat(free), atol=1e-12)


def test_anchors_without_a_prior_of_their_own():
    """Held, an item needs none; and where only some of its parameters are held."""
    model = OnePL()
    answers = table(model)
    at = point(model)
    only_shared = anchored(model, at, items=jnp.zeros((N_ITEM, 1), bool))
    result = fit_anchored(model, answers, only_shared)
    np.testing.assert_array_equal(result.value.shared, at.shared)
    assert not np.any(np.asarray(result.value.item == at.item))


def test_held_parameters_have_no_error_and_others_are_surer():
    model = TwoPL()
    answers, at = table(model), fit(TwoPL(), table(TwoPL())).value
    held = hold(model, anchored(model, at))
    plain = Fisher()(model, answers, at)
    errors = held.settle_errors(
        Fisher()(held.model, answers, at, item_features=held.item_features)
    )
    for name in ("difficulty", "discrimination"):
        np.testing.assert_array_equal(errors.item[name][:2], 0)
        assert np.all(np.asarray(errors.item[name][2:] < plain.item[name][2:]))
    assert np.all(np.asarray(errors.system["ability"] < plain.system["ability"]))
    spread = held.settle_covariance(
        item_covariance(held.model, answers, at, item_features=held.item_features)
    )
    known = [0, 1, N_ITEM, N_ITEM + 1]
    np.testing.assert_array_equal(spread[jnp.array(known)], 0)
    np.testing.assert_allclose(
        np.sqrt(np.diagonal(spread))[2:N_ITEM], errors.item["difficulty"][2:]
    )


class FreeNormal(AbstractPrior):
    """A normal prior whose mean is a shared parameter."""

    def log_prob(self, value, shared, features):
        return -0.5 * (value - shared["ability_mean"]) ** 2

    def sample(self, shared, features, *, key):
        return shared["ability_mean"] + jax.random.normal(key, (), float)


@pytest.mark.slow
def test_a_stronger_group_is_placed_on_the_anchors_scale():
    """The anchors alone say that these systems are one logit better than usual."""
    n_system, n_item = 300, 12
    truth = point(TwoPL(), n_system, n_item, scale=0.6)
    moved = truth.system / jnp.std(truth.system) + 1.0 - jnp.mean(truth.system)
    chance = jax.nn.sigmoid(
        jnp.exp(truth.item[:, 1])[None] * (moved - truth.item[:, 0][None])
    )
    right = jax.random.bernoulli(jax.random.key(1), chance).astype(float)
    from irtjax.data import BinomialResponses

    answers = BinomialResponses(right, jnp.ones_like(right))
    plain = TwoPL(ability=FreeNormal())
    model = _with_mean(plain)
    ids = tuple(range(n_item))
    bank = Calibration(
        TwoPL(),
        truth.item,
        truth.shared,
        jnp.zeros((2 * n_item, 2 * n_item)),
        jnp.zeros((n_item, 0)),
        ids,
    )
    known = anchors_from(bank, ids, only=ids[:6])
    known = Anchors(known.item, known.item_held, jnp.zeros(1), jnp.zeros(1, bool))
    result = fit_anchored(model, answers, known, estimator=MarginalMAP())
    assert int(result.code) == RESULTS.successful
    np.testing.assert_array_equal(result.value.item[:6], truth.item[:6])
    # The standard error of a mean of 300 abilities, each known to about .7 logits.
    np.testing.assert_allclose(
        result.value.shared[0], jnp.mean(moved), atol=4 * 0.7 / np.sqrt(n_system)
    )


def _with_mean(model):
    import equinox as eqx

    mean = (Parameter("ability_mean", Normal(0.0, 10.0)),)
    return eqx.tree_at(lambda m: m.shared_parameters, model, mean)


def test_what_does_not_fit_is_said():
    at = point(TwoPL())
    ids = tuple("abcde")
    bank = Calibration(
        TwoPL(),
        at.item,
        at.shared,
        jnp.eye(2 * N_ITEM),
        jnp.zeros((N_ITEM, 0)),
        ids,
    )
    assert anchors_from(bank, ("x", "c")).item_held.tolist() == [
        [False] * 2,
        [True] * 2,
    ]
    with pytest.raises(ValueError, match="No item of the table is in the bank"):
        anchors_from(bank, ("x", "y"))
    with pytest.raises(ValueError, match="The anchor 'x' is not in the bank"):
        anchors_from(bank, ("x", "a"), only=["x"])
    with pytest.raises(ValueError, match="no shared parameter 'slope'"):
        anchors_from(bank, ids, shared=["slope"])
    with pytest.raises(ValueError, match="OnePL has 1 item and 1 shared parameters"):
        hold(OnePL(), anchors_from(bank, ids))
    assert table(TwoPL()).shape == (N_SYSTEM, N_ITEM)


def test_a_held_model_is_of_its_own_kind():
    at = point(TwoPL())
    assert isinstance(hold(TwoPL(), anchored(TwoPL(), at)).model, HeldLogit)
    lapse = MODELS["beta_score"]
    plain = hold(lapse, anchored(lapse, point(lapse))).model
    assert isinstance(plain, HeldPlain)
    assert plain.response is lapse.response
