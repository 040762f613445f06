import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.test_util import check_grads

from irtjax.data import BinomialResponses
from irtjax.irt import JointMAP, MultidimensionalTwoPL, TwoPL, posterior
from irtjax.irt._dense import cholesky, cholesky_solve, one_by_one
from irtjax.irt.marginal import MarginalMAP, MarginalMean


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def _matrices(rng, number, n=7):
    half = rng.normal(size=(number, n, n))
    return jnp.asarray(half @ np.swapaxes(half, 1, 2) + np.eye(n))


def test_a_batch_gives_what_each_matrix_gives(rng):
    matrices, right = _matrices(rng, 5), jnp.asarray(rng.normal(size=(5, 7, 2)))
    factors = jax.jit(jax.vmap(cholesky))(matrices)
    solved = jax.jit(jax.vmap(cholesky_solve))(factors, right)
    np.testing.assert_allclose(factors, np.linalg.cholesky(matrices), atol=1e-12)
    np.testing.assert_allclose(solved, np.linalg.solve(matrices, right), atol=1e-10)
    # What is shared by a batch, and a batch of batches.
    alike = jax.vmap(cholesky_solve, (None, 0))(factors[0], right)
    np.testing.assert_allclose(
        alike, np.linalg.solve(np.asarray(matrices[:1]), right), atol=1e-10
    )
    nested = jax.vmap(jax.vmap(cholesky))(matrices[None])
    np.testing.assert_array_equal(nested[0], factors)


def test_no_factor_is_not_a_number_and_harms_no_neighbour(rng):
    matrices = _matrices(rng, 3).at[1].multiply(-1)
    factors = jax.vmap(cholesky)(matrices)
    assert np.isnan(factors[1]).any()
    assert np.isfinite(factors[np.array([0, 2])]).all()


def test_derivatives_are_those_of_jax(rng):
    def height(matrix, right):
        matrix, right = jnp.asarray(matrix), jnp.asarray(right)
        factor = cholesky((matrix + matrix.T) / 2)
        solved = cholesky_solve(factor, right)
        return jnp.sum(right * solved) + 2 * jnp.sum(jnp.log(jnp.diagonal(factor)))

    matrices, right = _matrices(rng, 2, 4), jnp.asarray(rng.normal(size=(2, 4, 1)))
    check_grads(height, (matrices[0], right[0]), order=2)
    check_grads(
        lambda *each: jnp.sum(jax.vmap(height)(*map(jnp.asarray, each))),
        (matrices, right),
        order=1,
    )


def test_any_function_can_go_one_by_one(rng):
    tall = jnp.asarray(rng.normal(size=(3, 5, 2)))
    own = one_by_one(lambda matrix: jnp.linalg.qr(matrix))
    for got, expected in zip(jax.vmap(own)(tall), jnp.linalg.qr(tall), strict=True):
        np.testing.assert_allclose(got, expected, atol=1e-12)


@pytest.mark.parametrize("estimator", [JointMAP(), MarginalMAP(), MarginalMean()])
@pytest.mark.parametrize("model", [TwoPL(), MultidimensionalTwoPL(dimensions=2)])
def test_a_batch_of_fits_calls_no_batched_factorisation(estimator, model, rng):
    """Two programs that do can wait for each other for ever, see `_dense`."""
    if isinstance(estimator, MarginalMean) and not isinstance(model, TwoPL):
        pytest.skip("marginal means are of one ability")
    trials = np.full((3, 9, 8), 2.0)
    tables = jax.vmap(BinomialResponses)(
        jnp.asarray(rng.binomial(2, 0.5, trials.shape) * 1.0), jnp.asarray(trials)
    )
    problem = posterior(model, jax.tree.map(lambda leaf: leaf[0], tables))
    program = jax.jit(
        lambda tables: estimator.estimate_many(
            problem, tables, size=jnp.asarray(3, jnp.int32), block=2
        )
    )
    text = program.lower(tables).as_text()
    calls = re.findall(r"@lapack_\w+\(.*?\) .*?: \((tensor<[^>]*>)", text)
    assert calls
    assert all(re.fullmatch(r"tensor<\d+x\d+xf64>", shape) for shape in calls), calls
