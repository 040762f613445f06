"""The models of groups and of testlets: what they say, and the laws of a likelihood."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.irt import named, posterior, simulate
from irtjax.irt._blocks import dense
from irtjax.irt.models import DifTwoPL, NonuniformDifTwoPL, TestletTwoPL

from .. import cases

GROUP = jnp.array([0.0, 1.0, 0.0, 1.0, 1.0, 0.0])[:, None]
MEMBERSHIP = jnp.array([[1.0, 0], [1, 0], [0, 1], [0, 1], [0, 0]])
MODELS = {
    "dif": (DifTwoPL(), {"system_features": GROUP}),
    "nonuniform_dif": (NonuniformDifTwoPL(), {"system_features": GROUP}),
    "testlet": (TestletTwoPL(2, 0.7), {"item_features": MEMBERSHIP}),
}
EVERY = pytest.mark.parametrize("name", MODELS)


def _problem(name):
    model, features = MODELS[name]
    at = cases.point(model)
    seen = np.random.default_rng(0).random((6, 5)) < 0.8
    trials = jnp.asarray(np.where(seen, 8.0, 0.0))
    table = simulate(model, at, trials, key=jax.random.key(0), **features)
    return posterior(model, table, **features), at


@EVERY
def test_derivatives_are_those_of_autodiff(name):
    problem, at = _problem(name)
    found = jax.jit(lambda: problem.evaluate(at, jnp.ones(())))()
    x = cases.flat(at)

    def objective(x):
        return problem.value(cases.unflat(x, at))

    gradient = jnp.concatenate([jnp.ravel(part) for part in found.gradient])
    np.testing.assert_allclose(gradient, jax.jit(jax.grad(objective))(x), atol=1e-9)
    hessian = jax.jit(jax.hessian(objective))(x)
    np.testing.assert_allclose(dense(found.information), hessian, atol=1e-8)


@EVERY
def test_extremes_stay_finite(name):
    problem, at = _problem(name)
    far = jax.tree.map(lambda x: 10 * jnp.sign(x), at)
    value, slopes = jax.jit(jax.value_and_grad(problem.value))(far)
    assert jnp.isfinite(value)
    assert all(jnp.all(jnp.isfinite(leaf)) for leaf in jax.tree.leaves(slopes))


@EVERY
def test_features_are_asked_for(name):
    problem, at = _problem(name)
    with pytest.raises(ValueError, match="needs"):
        posterior(problem.model, problem.responses).value(at)


def _logits(name, at):
    problem, _ = _problem(name)
    model, values = problem.model, named(problem.model, at)

    def one(system, item, features, item_features):
        return model.logit(system, item, values.shared, features, item_features)

    over_items = jax.vmap(one, (None, 0, None, 0))
    return jax.vmap(over_items, (0, None, 0, None))(
        values.system, values.item, problem.system_features, problem.item_features
    ), values


def test_a_shift_makes_an_item_harder_for_the_focal_group_alone():
    for name in ("dif", "nonuniform_dif"):
        logits, v = _logits(name, _problem(name)[1])
        slope, shift = v.item["discrimination"], v.item["shift"]
        gap = v.system["ability"][:, None] - v.item["difficulty"][None, :]
        focal = GROUP == 1
        ratio = v.item.get("slope_shift", jnp.ones(5))
        expected = jnp.where(
            focal,
            (slope * ratio)[None, :] * (gap + v.shared["impact"] - shift[None, :]),
            slope[None, :] * gap,
        )
        np.testing.assert_allclose(logits, expected, rtol=1e-12)


def test_impact_and_shifts_have_one_level_in_common():
    _, at = _problem("dif")
    moved = at.item.at[:, 2].add(0.4), at.shared + 0.4
    same = type(at)(at.system, *moved)
    np.testing.assert_allclose(
        _logits("dif", same)[0], _logits("dif", at)[0], rtol=1e-10
    )


def test_a_testlet_moves_its_own_items():
    at = _problem("testlet")[1]
    logits, values = _logits("testlet", at)
    moved, _ = _logits(
        "testlet", type(at)(at.system.at[:, 1].add(1), at.item, at.shared)
    )
    change = np.asarray(moved - logits)
    slope = np.asarray(values.item["discrimination"])
    np.testing.assert_allclose(change[:, :2], np.tile(slope[:2], (6, 1)), rtol=1e-9)
    np.testing.assert_allclose(change[:, 2:], 0, atol=1e-12)
