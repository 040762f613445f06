"""Evidences against slow references: dense matrices, brute force, differences."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import BinomialResponses
from irtjax.irt import RESULTS, MultidimensionalTwoPL, Normal, OnePL, TwoPL, posterior
from irtjax.irt._estimator import start_of
from irtjax.irt.hyper import JointLaplace, NestedLaplace

from .. import cases

EVIDENCES = {"joint": JointLaplace(), "nested": NestedLaplace()}


def model_of(hyper):
    """Means and spreads of a 2PL, as four free numbers."""
    return TwoPL(
        Normal(0.0, jnp.exp(hyper[0])),
        Normal(hyper[1], jnp.exp(hyper[2])),
        Normal(0.0, jnp.exp(hyper[3])),
    )


@jax.jit
def _values(hyper, responses):
    problem = posterior(model_of(hyper), responses)
    found = [e(problem, start_of(problem)) for e in EVIDENCES.values()]
    return jnp.stack([e.log_evidence for e in found]), [e.fit.code for e in found]


HYPER = jnp.array([0.1, -0.2, 0.3, -0.7])


def _table(n_system=8, n_item=6, trials=5, seed=0):
    return cases.binomial(np.random.default_rng(seed), n_system, n_item, trials)


@pytest.mark.parametrize("kind", ["lapse", "partial_credit"])
def test_joint_laplace_is_that_of_the_dense_matrix(kind):
    model = cases.MODELS[kind]
    responses = cases.table(model)
    problem = posterior(model, responses)
    found = jax.jit(lambda: JointLaplace()(problem, start_of(problem)))()
    assert found.fit.code == RESULTS.successful
    at = found.fit.value
    hessian = np.asarray(cases.dense_hessian(model, responses, at))
    expected = -problem.value(at) - 0.5 * np.linalg.slogdet(hessian)[1]
    expected += 0.5 * len(hessian) * np.log(2 * np.pi)
    np.testing.assert_allclose(found.log_evidence, expected, rtol=1e-9)


@jax.jit
def _brute_force(responses):
    """The integral on a fine grid over ability and slope, and within it difficulty."""
    grid = jnp.linspace(-8, 8, 101)
    step = grid[1] - grid[0]

    def density(sd, at):
        nothing = jnp.zeros(0)
        return jax.vmap(lambda x: Normal(0.0, sd).log_prob(x, {}, nothing))(at)

    prior, log_slope = density(1.0, grid), density(0.5, grid / 4)
    difficulty = density(2.0, 2 * grid)
    k, n = responses.successes[0], responses.trials[0]

    def at(ability, log_a, prior_here):
        total = prior_here
        for item in range(k.shape[0]):
            logit = jnp.exp(log_a) * (ability - 2 * grid)
            cells = k[item] * jax.nn.log_sigmoid(logit)
            cells += (n[item] - k[item]) * jax.nn.log_sigmoid(-logit)
            total += jax.nn.logsumexp(cells + difficulty) + jnp.log(2 * step)
        return total

    inner = jax.vmap(jax.vmap(at, (0, None, 0)), (None, 0, None))
    values = inner(grid, grid / 4, prior) + log_slope[:, None]
    return jax.nn.logsumexp(values) + jnp.log(step) + jnp.log(step / 4)


def test_nested_laplace_is_near_the_integral():
    """One system and three items, some solved always: as far from normal as it gets."""
    responses = BinomialResponses(jnp.array([[3.0, 1.0, 0.0]]), jnp.full((1, 3), 3.0))
    exact = _brute_force(responses)

    @jax.jit
    def found():
        problem = posterior(OnePL(), responses)
        start = start_of(problem)
        return [e(problem, start).log_evidence for e in EVIDENCES.values()]

    joint, nested = found()
    assert abs(nested - exact) < 0.05
    assert abs(nested - exact) < abs(joint - exact)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "shape"), [("joint", (8, 6)), ("nested", (8, 6)), ("nested", (16, 4))]
)
def test_gradients_match_differences(name, shape):
    """`NestedLaplace` integrates the items of 8 x 6, and the systems of 16 x 4."""
    responses, step = _table(*shape), 1e-3

    @jax.jit
    @jax.value_and_grad
    def evidence(hyper):
        problem = posterior(model_of(hyper), responses)
        return EVIDENCES[name](problem, start_of(problem)).log_evidence

    slopes = evidence(HYPER)[1]
    for k in range(4):
        move = jnp.zeros(4).at[k].set(step)
        up, down = (evidence(HYPER + sign * move)[0] for sign in (1, -1))
        np.testing.assert_allclose(
            slopes[k], (up - down) / (2 * step), rtol=0.02, atol=0.02
        )


def test_order_and_empty_rows_change_nothing():
    responses = _table()
    value, codes = _values(HYPER, responses)
    assert all(code == RESULTS.successful for code in codes)
    system, item = jnp.arange(8)[::-1], jnp.roll(jnp.arange(6), 2)
    turned, _ = _values(HYPER, responses.take(system, item))
    np.testing.assert_allclose(turned, value, atol=1e-5)
    np.testing.assert_allclose(turned[0], value[0], atol=1e-9)
    wider = BinomialResponses(
        jnp.pad(responses.successes, ((0, 0), (0, 1))),
        jnp.pad(responses.trials, ((0, 0), (0, 1))),
    )
    # An item without answers integrates to its prior's mass, which is 1.
    np.testing.assert_allclose(_values(HYPER, wider)[0], value, atol=1e-5)


def test_batches_equal_loops():
    tables = [_table(seed=k) for k in range(3)]
    together = jax.vmap(lambda r: _values(HYPER, r)[0])(cases.stack(tables))
    apart = jnp.stack([_values(HYPER, r)[0] for r in tables])
    np.testing.assert_allclose(together, apart, atol=1e-6)


def test_single_precision():
    wide = _table()
    narrow = jax.tree.map(lambda x: x.astype(jnp.float32), wide)
    found, _ = _values(HYPER.astype(jnp.float32), narrow)
    assert found.dtype == jnp.float32
    np.testing.assert_allclose(found, _values(HYPER, wide)[0], rtol=1e-4)


def test_what_cannot_be_integrated_is_refused():
    with pytest.raises(ValueError, match="use `JointLaplace`"):
        NestedLaplace(1)
    model = MultidimensionalTwoPL(2)
    problem = posterior(model, _table())
    with pytest.raises(ValueError, match="3; use `JointLaplace`"):
        NestedLaplace()(problem, start_of(problem))
