"""The exact information of a marginal likelihood, as a dense matrix."""

from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Float

from .._model import Estimate
from .._posterior import Posterior
from ._at_nodes import AtNodes, over_systems
from ._integrals import complete_information, project
from ._nodes import Nodes


class Louis(NamedTuple):
    """A marginal log-likelihood to second order by items' and shared parameters.

    They stand in the order of `joint_covariance`: every item's first parameter, every
    item's second, ..., then the shared ones.

    Attributes:
        information: minus the second derivatives, without the items' priors.
        score: each system's own first derivatives.
        mean: posterior means of the systems' parameters.
        covariance: their posterior covariances.
        link: the derivatives of the means.
    """

    information: Float[Array, "n n"]
    score: Float[Array, "system n"]
    mean: Float[Array, "system p"]
    covariance: Float[Array, "system p p"]
    link: Float[Array, "system p n"]


def louis(problem: Posterior, at: Estimate, nodes: Nodes) -> Louis:
    """Return the exact information at given nodes, by Louis' identity.

    Memory grows with the square of the number of items' parameters, and time with that
    times systems times nodes.

    References:
        Louis (1982), Finding the observed information matrix when using the EM
        algorithm, J. Royal Statistical Society B 44, eq. 3.1.
    """
    q = at.item.shape[1]

    def reduce(found: AtNodes):
        mean = jnp.einsum("jk,jkp->jp", found.chance, found.position)
        centred = found.position - mean[:, None, :]
        own = found.chance[:, None, :] * jnp.moveaxis(centred, 2, 1)
        rows = jnp.concatenate([found.chance[:, None, :], own], axis=1)
        along = _flat(*project(found, rows))
        # Each node by itself: the score there, times the root of the node's chance.
        # A root's derivative at 0, where nothing is, would not be a number.
        there = found.chance > 0
        root = jnp.where(there, jnp.sqrt(jnp.where(there, found.chance, 1)), 0)
        identity = jnp.eye(root.shape[1], dtype=root.dtype)
        scores = _flat(*project(found, root[:, None, :] * identity[None, :, :]))
        deviation = scores - root[:, :, None] * along[:, :1]
        flat = jnp.reshape(deviation, (-1, deviation.shape[2]))
        information = complete_information(found, q)
        kept = (along, mean, jnp.einsum("jpk,jkr->jpr", own, centred))
        return (flat.T @ flat, information), kept

    one = jnp.ones((), at.item.dtype)
    (lost, information), kept = over_systems(reduce, problem, at, nodes, one)
    along, mean, covariance = kept
    return Louis(
        assembled(*information) - lost, along[:, 0], mean, covariance, along[:, 1:]
    )


def assembled(
    item: Float[Array, "q q item"],
    between: Float[Array, "q item s"],
    shared: Float[Array, "s s"],
) -> Float[Array, "n n"]:
    """Return the matrix over items' and shared parameters, by its blocks."""
    q, _, n_item = item.shape
    eye = jnp.eye(n_item, dtype=item.dtype)
    wide = jnp.transpose(item, (0, 2, 1))[:, :, :, None] * eye[None, :, None, :]
    wide = jnp.reshape(wide, (q * n_item, q * n_item))
    if shared.shape[0] == 0:
        return wide
    link = jnp.reshape(between, (q * n_item, -1))
    return jnp.block([[wide, link], [link.T, shared]])


def _flat(
    item: Float[Array, "system f q item"], shared: Float[Array, "system f s"]
) -> Float[Array, "system f n"]:
    flat = jnp.reshape(item, (*item.shape[:2], -1))
    return jnp.concatenate([flat, shared], axis=2)
