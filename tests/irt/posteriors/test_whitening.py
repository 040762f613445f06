import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.irt import TwoPL, fit, posterior
from irtjax.irt._blocks import Vector
from irtjax.irt.posteriors._potential import potential_by_z
from irtjax.irt.posteriors._whitening import whitening_at

from ..cases import KINDS, MODELS, binomial, dense_hessian, flat, point, table


def _root(whitening):
    zero = jnp.zeros(whitening.size)
    return np.asarray(jax.jacobian(lambda z: flat(whitening.forward(z)))(zero))


@pytest.mark.parametrize("name", [*KINDS, "two_dimensions"])
def test_its_root_squares_to_the_inverse_information(name):
    model = MODELS[name]
    responses = table(model)
    at = fit(model, responses).value
    root = _root(whitening_at(posterior(model, responses), at))
    inverse = np.linalg.inv(dense_hessian(model, responses, at))
    scale = np.sqrt(np.outer(np.diagonal(inverse), np.diagonal(inverse)))
    np.testing.assert_allclose(root @ root.T / scale, inverse / scale, atol=1e-6)


@pytest.mark.parametrize("size", [(9, 3), (3, 9)], ids=str)
def test_pull_is_the_transpose_whichever_side_is_eliminated(size):
    responses = binomial(np.random.default_rng(1), *size, 20)
    at = fit(TwoPL(), responses).value
    whitening = whitening_at(posterior(TwoPL(), responses), at)
    gradient = point(TwoPL(), *size, seed=3)
    pulled = whitening.pull(Vector(gradient.system.T, gradient.item.T, gradient.shared))
    np.testing.assert_allclose(pulled, _root(whitening).T @ flat(gradient), rtol=1e-9)
    inverse = np.linalg.inv(dense_hessian(TwoPL(), responses, at))
    root = _root(whitening)
    np.testing.assert_allclose(root @ root.T, inverse, rtol=1e-6, atol=1e-9)


def test_where_the_observed_information_has_no_root_the_expected_one_does():
    responses, far = table(TwoPL()), point(TwoPL(), seed=8, scale=4.0)
    assert np.linalg.eigvalsh(dense_hessian(TwoPL(), responses, far))[0] < 0
    whitening = whitening_at(posterior(TwoPL(), responses), far)
    assert np.all(np.isfinite(_root(whitening)))


@pytest.mark.parametrize("name", KINDS)
def test_the_potential_and_its_gradient_are_the_posteriors(name):
    model = MODELS[name]
    problem = posterior(model, table(model))
    whitening = whitening_at(problem, fit(model, problem.responses).value)
    z = jnp.asarray(np.random.default_rng(2).normal(size=whitening.size))
    potential = potential_by_z(problem, whitening)

    def plain(z):
        return problem.value(whitening.forward(z))

    np.testing.assert_allclose(potential(z), plain(z), rtol=1e-12)
    np.testing.assert_allclose(
        jax.jit(jax.grad(potential))(z), jax.jit(jax.grad(plain))(z), atol=1e-9
    )
