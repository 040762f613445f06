"""Polynomials of a system's parameters that are orthonormal under its posterior."""

import itertools

import jax.numpy as jnp
from jaxtyping import Array, Float

AtNode = Float[Array, "system node"]


def polynomials(
    position: Float[Array, "system node p"], chance: AtNode, degree: int
) -> list[AtNode]:
    """Return those of degree 1 to `degree` at the nodes, the lowest first.

    None holds a constant. One that the nodes cannot tell from those before it is 0.

    Args:
        position: of the nodes.
        chance: of the nodes under each system's posterior.
        degree: the highest.
    """
    mean = jnp.einsum("jk,jkp->jp", chance, position)
    centred = position - mean[:, None, :]
    variance = jnp.einsum("jk,jkp->jp", chance, centred**2)
    info = jnp.finfo(position.dtype)
    standard = centred / jnp.sqrt(jnp.maximum(variance, info.tiny))[:, None, :]
    found: list[AtNode] = []

    def product(one: AtNode, other: AtNode) -> Float[Array, "system 1"]:
        return jnp.sum(chance * one * other, axis=1, keepdims=True)

    for total in range(1, degree + 1):
        which = itertools.combinations_with_replacement(range(position.shape[2]), total)
        for factors in which:
            shape = standard[:, :, factors[0]]
            for k in factors[1:]:
                shape = shape * standard[:, :, k]
            before = product(shape, shape)
            shape = shape - jnp.sum(chance * shape, axis=1, keepdims=True)
            for other in found:
                shape = shape - product(shape, other) * other
            square = product(shape, shape)
            distinct = square > 1e3 * info.eps * before
            root = jnp.sqrt(jnp.where(distinct, square, 1))
            found.append(jnp.where(distinct, shape / root, 0))
    return found
