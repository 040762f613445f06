import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.irt._blocks import Blocks, Vector, dense, factorise

SIZES = {"more systems": (5, 3), "more items": (3, 5)}
KINDS = [(1, 1, 1), (1, 2, 0), (1, 3, 2), (2, 1, 0), (2, 3, 1)]


@jax.jit
def _eliminate(blocks, right):
    factor = factorise(blocks)
    outer = factor.outer_covariance()
    return factor.solve(right), outer, factor.inner_covariance(outer)


def _blocks(p, q, s, n_system, n_item):
    """A random matrix of the right pattern, positive definite by dominance."""
    rng = np.random.default_rng(p + 10 * q + 100 * s + 1000 * n_system)

    def small(k, rows):
        half = rng.normal(size=(k, k, rows))
        return half + np.transpose(half, (1, 0, 2))

    shared = rng.normal(size=(s, s))
    blocks = Blocks(
        jnp.asarray(small(p, n_system)),
        jnp.asarray(small(q, n_item)),
        jnp.asarray(shared + shared.T),
        jnp.asarray(rng.normal(size=(p, n_system, q, n_item))),
        jnp.asarray(rng.normal(size=(p, n_system, s))),
        jnp.asarray(rng.normal(size=(q, n_item, s))),
    )
    n = 5.0 * max(p * n_system, q * n_item)
    heavy = Vector(jnp.full((p, n_system), n), jnp.full((q, n_item), n), jnp.full(s, n))
    return blocks.add_diagonal(heavy)


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES.keys())
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_elimination_is_the_dense_inverse(kind, size):
    (p, q, s), (n_system, n_item) = kind, size
    blocks = _blocks(p, q, s, n_system, n_item)
    matrix = dense(blocks)
    np.testing.assert_array_equal(matrix, matrix.T)
    inverse = np.linalg.inv(matrix)
    items_outer = q * n_item < p * n_system
    assert jax.eval_shape(factorise, blocks).items_outer == items_outer

    rng = np.random.default_rng(1)
    right = Vector(
        *(jnp.asarray(rng.normal(size=part.shape)) for part in blocks.diagonal())
    )
    solved, outer_covariance, inner_covariance = _eliminate(blocks, right)
    together = np.concatenate([np.ravel(part) for part in right])
    np.testing.assert_allclose(
        np.concatenate([np.ravel(part) for part in solved]),
        inverse @ together,
        rtol=1e-11,
        atol=1e-13,
    )

    cut = p * n_system
    ends = slice(cut, cut + q * n_item), slice(0, cut)
    outer, inner = ends if items_outer else ends[::-1]
    kept = np.r_[outer, cut + q * n_item : matrix.shape[0]]
    np.testing.assert_allclose(
        outer_covariance, inverse[np.ix_(kept, kept)], rtol=1e-10, atol=1e-14
    )
    within = inverse[inner, inner]
    k = p if items_outer else q
    rows = within.shape[0] // k
    wanted = np.einsum("arbr->abr", within.reshape(k, rows, k, rows))
    np.testing.assert_allclose(inner_covariance, wanted, rtol=1e-10, atol=1e-14)


def test_diagonal_and_transposed_are_those_of_the_dense_matrix():
    blocks = _blocks(2, 3, 1, 3, 4)
    flat = np.concatenate([np.ravel(part) for part in blocks.diagonal()])
    np.testing.assert_array_equal(flat, np.diagonal(dense(blocks)))
    order = np.r_[6:18, 0:6, 18]
    np.testing.assert_array_equal(
        dense(blocks.transposed()), dense(blocks)[np.ix_(order, order)]
    )


@pytest.mark.parametrize("kind", [(1, 1, 1), (1, 2, 1), (1, 3, 2)], ids=str)
@pytest.mark.parametrize("part", ["system", "item", "shared"])
def test_not_positive_definite_is_not_a_number(kind, part):
    blocks = _blocks(*kind, 5, 3)
    below = Vector(*(jnp.zeros_like(d) for d in blocks.diagonal()))
    at = (0,) * getattr(below, part).ndim
    below = below._replace(**{part: getattr(below, part).at[at].set(-500.0)})
    blocks = blocks.add_diagonal(below)
    assert np.linalg.eigvalsh(dense(blocks))[0] < 0
    solved, outer_covariance, inner_covariance = _eliminate(blocks, blocks.diagonal())
    for numbers in (*solved, outer_covariance, inner_covariance):
        assert jnp.all(jnp.isnan(numbers))
    assert jnp.isnan(solved.largest())


def test_largest_is_over_all_parts():
    part = Vector(jnp.asarray([[1.0, -7.0]]), jnp.asarray([[2.0]]), jnp.zeros(0))
    assert part.largest() == 7
