"""Laws of every statistic of a table and its fit."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import BinomialResponses, ScoreResponses
from irtjax.irt import Estimate, TwoPL
from irtjax.irt.diagnostics import (
    item_curves,
    item_mean_squares,
    log_likelihood_z,
    m2,
    observed_points,
    q3,
    s_x2,
    system_mean_squares,
    system_spread,
)

from ..cases import MODELS, N_ITEM, N_SYSTEM, point, table

GRID = jnp.linspace(-2, 2, 5)
# Defined whatever was observed; the others want complete tables.
ANY_CELLS = {
    "item_mean_squares": item_mean_squares,
    "system_mean_squares": system_mean_squares,
    "q3": q3,
    "log_likelihood_z": log_likelihood_z,
    "system_spread": system_spread,
}
COMPLETE = {"s_x2": s_x2, "m2": m2}
COUNTED = ("two_pl", "lapse", "partial_credit")


def _complete(n_system=40, n_item=6):
    """Right and wrong answers, none missing."""
    return table(TwoPL(), n_system, n_item, trials=1.0, share=1.1)


def _leaves(found):
    return [np.asarray(leaf, float) for leaf in jax.tree.leaves(found)]


@pytest.mark.parametrize("name", ANY_CELLS)
@pytest.mark.parametrize("model_name", COUNTED)
def test_any_counted_responses_give_finite_numbers(name, model_name):
    model = MODELS[model_name]
    found = ANY_CELLS[name](model, table(model), point(model))
    assert all(np.isfinite(leaf).any() for leaf in _leaves(found))


@pytest.mark.parametrize("name", ANY_CELLS)
def test_what_stands_in_a_cell_that_was_not_observed_changes_nothing(name):
    responses = table(TwoPL())
    filled = BinomialResponses(
        jnp.where(responses.trials > 0, responses.successes, 7.0), responses.trials
    )
    statistic, at = ANY_CELLS[name], point(TwoPL())
    for one, other in zip(
        _leaves(statistic(TwoPL(), responses, at)),
        _leaves(statistic(TwoPL(), filled, at)),
        strict=True,
    ):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", [*ANY_CELLS, *COMPLETE])
def test_a_system_without_data_changes_nothing_for_the_others(name):
    """Complaint 15."""
    statistic = (ANY_CELLS | COMPLETE)[name]
    responses = _complete()
    at = point(TwoPL(), 40, 6)
    more = jax.tree.map(lambda x: jnp.pad(x, ((0, 1), (0, 0))), responses)
    wider = Estimate(jnp.pad(at.system, ((0, 1), (0, 0))), at.item, at.shared)
    for one, other in zip(
        _leaves(statistic(TwoPL(), responses, at)),
        _leaves(statistic(TwoPL(), more, wider)),
        strict=True,
    ):
        if other.shape == (41,):
            assert np.isnan(other[-1])
            other = other[:-1]
        np.testing.assert_allclose(one, other, rtol=1e-12)


@pytest.mark.parametrize("name", [*ANY_CELLS, *COMPLETE])
def test_permuting_systems_and_items_permutes_the_statistic(name):
    statistic = (ANY_CELLS | COMPLETE)[name]
    responses, at = _complete(), point(TwoPL(), 40, 6)
    rng = np.random.default_rng(3)
    rows, columns = rng.permutation(40), rng.permutation(6)
    turned = responses.take(jnp.asarray(rows), jnp.asarray(columns))
    where = Estimate(at.system[rows], at.item[columns], at.shared)
    for one, other in zip(
        _leaves(statistic(TwoPL(), responses, at)),
        _leaves(statistic(TwoPL(), turned, where)),
        strict=True,
    ):
        if one.shape == (6, 6):
            one = one[columns][:, columns]
        elif one.ndim:
            one = one[columns] if one.shape == (6,) else one[rows]
        np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("name", [*ANY_CELLS, *COMPLETE])
def test_a_batch_equals_a_loop(name):
    statistic = (ANY_CELLS | COMPLETE)[name]
    tables = [_complete(), table(TwoPL(), 40, 6, trials=1.0, share=1.1, seed=5)]
    at = point(TwoPL(), 40, 6)
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *tables)
    batch = jax.vmap(lambda r: statistic(TwoPL(), r, at))(stacked)
    for k, each in enumerate(tables):
        for one, other in zip(
            _leaves(statistic(TwoPL(), each, at)),
            [leaf[k] for leaf in _leaves(batch)],
            strict=True,
        ):
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", [*ANY_CELLS, *COMPLETE])
def test_single_precision_agrees(name):
    statistic = (ANY_CELLS | COMPLETE)[name]
    responses, at = _complete(), point(TwoPL(), 40, 6)
    single = jax.tree.map(lambda x: x.astype(jnp.float32), (responses, at))
    for one, other in zip(
        _leaves(statistic(TwoPL(), responses, at)),
        _leaves(statistic(TwoPL(), *single)),
        strict=True,
    ):
        np.testing.assert_allclose(one, other, rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize("name", COMPLETE)
@pytest.mark.parametrize("fault", ["missing", "trials"])
def test_a_table_with_holes_or_repeats_is_refused(name, fault):
    responses = _complete()
    value = 0.0 if fault == "missing" else 2.0
    wrong = BinomialResponses(
        jnp.minimum(responses.successes, value), responses.trials.at[2, 1].set(value)
    )
    with pytest.raises(RuntimeError, match="complete tables with one trial a cell"):
        jax.block_until_ready(COMPLETE[name](TwoPL(), wrong, point(TwoPL(), 40, 6)))


@pytest.mark.parametrize("name", COMPLETE)
def test_several_abilities_a_system_are_refused(name):
    model = MODELS["two_dimensions"]
    with pytest.raises(ValueError, match="2 system parameters"):
        COMPLETE[name](model, _complete(N_SYSTEM, N_ITEM), point(model))


@pytest.mark.parametrize("name", ANY_CELLS)
def test_scores_on_a_continuum_are_refused(name):
    model = MODELS["beta_score"]
    responses = table(model)
    assert isinstance(responses, ScoreResponses)
    with pytest.raises(ValueError, match="ScoreResponses"):
        ANY_CELLS[name](model, responses, point(model))


def test_m2_with_too_few_items_says_so():
    with pytest.raises(ValueError, match="2 items have 3 margins, the model 4"):
        m2(TwoPL(), _complete(20, 2), point(TwoPL(), 20, 2))


@pytest.mark.parametrize("model_name", ["two_pl", "partial_credit"])
def test_an_items_curve_is_its_model(model_name):
    model = MODELS[model_name]
    responses, at = table(model), point(model)
    found = item_curves(model, responses, at, GRID)
    outcomes = np.arange(2 if model_name == "two_pl" else 3)
    names = [kind.name for kind in model.item_parameters]
    transforms = [kind.transform.forward for kind in model.item_parameters]
    nothing = jnp.zeros(0)
    for i in range(N_ITEM):
        item = {n: t(v) for n, t, v in zip(names, transforms, at.item[i], strict=True)}

        def log_prob(theta, outcome, item=item):
            return model.log_prob(
                jnp.asarray(float(outcome)),
                {"ability": theta},
                item,
                {},
                nothing,
                nothing,
            )

        for k, theta in enumerate(GRID):
            chance = np.exp([log_prob(theta, o) for o in outcomes])
            slope = np.array([jax.grad(log_prob)(theta, o) for o in outcomes])
            mean = chance @ outcomes / outcomes[-1]
            np.testing.assert_allclose(found.expected[i, k], mean, rtol=1e-10)
            np.testing.assert_allclose(
                found.information[i, k], chance @ slope**2, rtol=1e-9
            )
    assert np.all((found.lower < found.expected) & (found.expected < found.upper))


def test_observed_points_are_the_means_of_their_bins():
    responses, at = _complete(41, 3), point(TwoPL(), 41, 3)
    found = observed_points(TwoPL(), responses, at, bins=4)
    order = np.argsort(at.system[:, 0])
    np.testing.assert_array_equal(found.count.sum(axis=1), 41)
    # Bins hold 10 or 11 systems each, in order of ability.
    assert {int(n) for n in found.count.ravel()} <= {10, 11}
    sizes = found.count[0].astype(int)
    parts = np.split(order, np.cumsum(sizes)[:-1])
    for k, part in enumerate(parts):
        np.testing.assert_allclose(
            found.share[:, k], np.asarray(responses.successes)[part].mean(axis=0)
        )
        np.testing.assert_allclose(found.ability[:, k], at.system[part, 0].mean())
    inside = (found.lower <= found.share) & (found.share <= found.upper)
    assert np.all(inside)
