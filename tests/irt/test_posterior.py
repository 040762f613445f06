import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import BinomialResponses, CategoricalResponses, ScoreResponses
from irtjax.irt import (
    RESULTS,
    AbstractLogitModel,
    Evaluation,
    Exp,
    Normal,
    Parameter,
    Posterior,
    TwoPL,
    fit,
    named,
    posterior,
)
from irtjax.irt._blocks import dense

from .cases import (
    ABILITY,
    DIFFICULTY,
    MODELS,
    PlainTwoPL,
    dense_hessian,
    flat,
    point,
    table,
    unflat,
)

EVERY = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS.keys())
OBSERVED, EXPECTED = jnp.ones(()), jnp.zeros(())


@eqx.filter_jit
def _evaluate(model, responses, at, share):
    return posterior(model, responses).evaluate(at, share)


def _expected_table(model, at, trials):
    """The counts that a model expects: the mean of all tables that it would draw."""
    values, nothing = named(model, at), jnp.zeros(0)

    def probability(outcome):
        def cell(system, item):
            log_prob = model.log_prob(
                outcome, system, item, values.shared, nothing, nothing
            )
            return jnp.exp(log_prob)

        return jax.vmap(jax.vmap(cell, (None, 0)), (0, None))(
            values.system, values.item
        )

    if model.response is BinomialResponses:
        return BinomialResponses(trials * probability(jnp.asarray(1.0)), trials)
    counts = [trials * probability(jnp.asarray(float(c))) for c in range(3)]
    return CategoricalResponses(jnp.stack(counts, axis=-1))


@EVERY
def test_evaluate_is_value_gradient_and_hessian(model):
    responses, at = table(model), point(model, seed=5)
    found = _evaluate(model, responses, at, OBSERVED)
    problem = posterior(model, responses)
    assert isinstance(problem, Posterior)
    assert isinstance(found, Evaluation)
    value = problem.value
    np.testing.assert_allclose(found.value, value(at), rtol=1e-12)
    slope = flat(jax.jit(lambda x: jax.grad(value)(x))(at))
    gradient = jnp.concatenate([jnp.ravel(part) for part in found.gradient])
    np.testing.assert_allclose(gradient, slope, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(
        dense(found.information),
        dense_hessian(model, responses, at),
        rtol=1e-8,
        atol=1e-9,
    )


@EVERY
def test_expected_information_is_the_mean_of_the_observed(model):
    """Information is linear in the counts, so the mean is taken exactly."""
    at = point(model, seed=5)
    if model.response is ScoreResponses:
        pytest.skip("a score's information is that of the scores as they are")
    trials = jnp.full((at.system.shape[0], at.item.shape[0]), 7.0).at[2, 1].set(0)
    mean = _expected_table(model, at, trials)
    observed = dense(_evaluate(model, mean, at, OBSERVED).information)
    expected = dense(_evaluate(model, mean, at, EXPECTED).information)
    np.testing.assert_allclose(expected, observed, rtol=1e-9, atol=1e-10)


@EVERY
def test_expected_information_is_positive_definite_far_from_the_mode(model):
    responses, at = table(model), point(model, seed=6, scale=2.0)
    information = dense(_evaluate(model, responses, at, EXPECTED).information)
    assert np.linalg.eigvalsh(information)[0] > 0


def test_a_score_is_measured_by_the_scores_as_they_are():
    model = MODELS["beta_score"]
    problem, at = posterior(model, table(model)), point(model, seed=5)
    np.testing.assert_allclose(
        dense(problem.expected_information(at)),
        dense(problem.score_products(at)),
        rtol=1e-12,
    )


def test_a_logit_is_only_a_shorter_way_to_the_same_derivatives():
    responses, at = table(TwoPL()), point(TwoPL(), seed=5)
    short = _evaluate(TwoPL(), responses, at, OBSERVED)
    long = _evaluate(PlainTwoPL(), responses, at, OBSERVED)
    for one, other in zip(jax.tree.leaves(short), jax.tree.leaves(long), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-11)


@pytest.mark.parametrize("garbage", [3.0, -1.0, float("nan"), float("inf")])
@pytest.mark.parametrize("name", ["two_pl", "plain_two_pl", "beta_score"])
def test_values_in_cells_that_are_not_observed_change_nothing(name, garbage):
    model = MODELS[name]
    responses, at = table(model), point(model, seed=5)
    hidden = ~responses.observed()
    assert jnp.any(hidden)
    if isinstance(responses, BinomialResponses):
        spoilt = BinomialResponses(
            jnp.where(hidden, garbage, responses.successes), responses.trials
        )
    else:
        spoilt = ScoreResponses(
            jnp.where(hidden, garbage, responses.score), responses.weight
        )
    clean = _evaluate(model, responses, at, OBSERVED)
    for one, other in zip(
        jax.tree.leaves(clean),
        jax.tree.leaves(_evaluate(model, spoilt, at, OBSERVED)),
        strict=True,
    ):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(
        posterior(model, responses).value(at), posterior(model, spoilt).value(at)
    )


def test_trials_count_what_bears_on_each_parameter():
    model = MODELS["lapse"]
    trials = jnp.asarray([[1.0, 2.0, 0.0], [4.0, 8.0, 0.0]])
    found = posterior(model, BinomialResponses(trials / 2, trials)).trials()
    np.testing.assert_array_equal(found.system, [[3, 12]])
    np.testing.assert_array_equal(found.item, [[5, 10, 0]] * 2)
    np.testing.assert_array_equal(found.shared, [15])


SHIFT = Parameter("shift", Normal())
LACKING = {
    "no_item": ((ABILITY,), (), (SHIFT,)),
    "no_system": ((), (DIFFICULTY,), (SHIFT,)),
    "only_system": ((ABILITY,), (), ()),
    "only_shared": ((), (), (SHIFT, Parameter("spread", Normal(), Exp()))),
}


class ToySum(AbstractLogitModel):
    """Whatever there is, added up."""

    response = BinomialResponses
    system_parameters: tuple
    item_parameters: tuple
    shared_parameters: tuple

    def logit(self, system, item, shared, system_features, item_features):
        return sum([*system.values(), *item.values(), *shared.values()])


@pytest.mark.parametrize("kinds", LACKING.values(), ids=LACKING.keys())
def test_a_model_may_lack_any_kind_of_parameter(kinds):
    model, at = ToySum(*kinds), point(ToySum(*kinds), seed=5)
    responses = table(TwoPL())
    found = _evaluate(model, responses, at, OBSERVED)
    np.testing.assert_allclose(
        dense(found.information), dense_hessian(model, responses, at), atol=1e-9
    )
    result = fit(model, responses)
    assert result.code == RESULTS.successful
    slope = jax.grad(posterior(model, responses).value)(result.value)
    np.testing.assert_allclose(flat(slope), 0, atol=1e-6)


def test_flat_and_unflat_are_inverse():
    at = point(MODELS["two_dimensions"])
    back = unflat(flat(at), at)
    for one, other in zip(jax.tree.leaves(at), jax.tree.leaves(back), strict=True):
        np.testing.assert_array_equal(one, other)
