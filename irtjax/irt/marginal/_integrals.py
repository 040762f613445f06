r"""What a marginal likelihood and its derivatives need of each system's posterior.

With $S_j$ the score of system $j$'s complete data by the items' and shared parameters,
the marginal score is its posterior mean $E_j[S_j]$ (Fisher's identity) and the marginal
information is $E_j[-\partial S_j] - \mathrm{Cov}_j(S_j)$ (Louis). The covariance is kept
as a sum of squares: the coefficients of $S_j$ on orthonormal polynomials of the system's
parameters. Those of degree 1 and 2 leave out next to nothing.

References:
    Louis (1982), Finding the observed information matrix when using the EM algorithm,
    J. Royal Statistical Society B 44, eq. 3.1.
"""

from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Float

from .._model import Estimate
from .._posterior import Posterior
from ._at_nodes import AtNodes, over_systems
from ._nodes import Nodes
from ._polynomials import polynomials

Scalar = Float[Array, ""]


class OfSystems(NamedTuple):
    """What is kept of each system.

    Attributes:
        log_likelihood: with the system's parameters integrated out, in nats.
        mean: posterior means of the system's parameters.
        spread: their coefficients on orthonormal polynomials, so that their covariance
            is the spread times its transpose.
        item_link: the coefficients of the score by each item's parameters.
        shared_link: of the score by the shared parameters.
    """

    log_likelihood: Float[Array, " system"]
    mean: Float[Array, "system p"]
    spread: Float[Array, "system p f"]
    item_link: Float[Array, "system f q item"]
    shared_link: Float[Array, "system f s"]


class OfItems(NamedTuple):
    """Sums over systems.

    Attributes:
        item: the score by the items' parameters.
        shared: the score by the shared ones.
        item_information: the complete data's information, posterior mean; the next two
            likewise.
        item_shared_information: between items and shared parameters.
        shared_information: of the shared ones.
    """

    item: Float[Array, "q item"]
    shared: Float[Array, " s"]
    item_information: Float[Array, "q q item"]
    item_shared_information: Float[Array, "q item s"]
    shared_information: Float[Array, "s s"]


class Integrals(NamedTuple):
    """The log-likelihood without the items' priors, to second order.

    Attributes:
        items: sums over the systems.
        systems: what is kept of each system.
    """

    items: OfItems
    systems: OfSystems


def integrate(
    problem: Posterior,
    at: Estimate,
    nodes: Nodes,
    observed_share: Scalar,
    degree: int,
) -> Integrals:
    """Return the posterior expectations at given nodes.

    Args:
        problem: the model and the table.
        at: the items and shared parameters.
        nodes: every system's.
        observed_share: 1 for the observed complete information, 0 for the expected one.
        degree: of the polynomials; those up to it are kept.
    """

    def reduce(found: AtNodes) -> tuple[OfItems, OfSystems]:
        shapes = polynomials(found.position, found.chance, degree)
        weighted = [found.chance, *(found.chance * shape for shape in shapes)]
        item, shared = project(found, jnp.stack(weighted, axis=1))
        own = OfSystems(
            found.log_likelihood,
            jnp.einsum("jk,jkp->jp", found.chance, found.position),
            _spread(weighted[1:], found.position),
            item[:, 1:],
            shared[:, 1:],
        )
        information = complete_information(found, item.shape[2])
        return OfItems(
            jnp.sum(item[:, 0], axis=0), jnp.sum(shared[:, 0], axis=0), *information
        ), own

    return Integrals(*over_systems(reduce, problem, at, nodes, observed_share))


def node_log_likelihood(
    problem: Posterior, at: Estimate, nodes: Nodes
) -> Float[Array, " system"]:
    """Return each system's log-likelihood at given nodes."""

    def reduce(found: AtNodes) -> tuple[None, Float[Array, " system"]]:
        return None, found.log_likelihood

    one = jnp.ones((), at.item.dtype)
    return over_systems(reduce, problem, at, nodes, one)[1]


def project(
    found: AtNodes, weighted: Float[Array, "system f node"]
) -> tuple[Float[Array, "system f q item"], Float[Array, "system f s"]]:
    """Return weighted sums over nodes of the scores by item and shared parameters."""
    p, s = found.position.shape[2], found.prior.shared_slope.shape[3]
    q = len(found.cells.first) - p - s
    n_item = found.cells.value.shape[2]
    sums = [
        jnp.einsum("jfk,jki->jfi", weighted, slope)
        for slope in found.cells.first[p : p + q]
    ]
    nothing = jnp.zeros((*weighted.shape[:2], 0, n_item), weighted.dtype)
    item = jnp.stack(sums, axis=2) if q else nothing
    if s == 0:
        return item, jnp.zeros((*weighted.shape[:2], 0), item.dtype)
    scores = jnp.sum(found.prior.shared_slope, axis=0) + jnp.stack(
        [jnp.sum(slope, axis=2) for slope in found.cells.first[p + q :]], axis=2
    )
    return item, jnp.einsum("jfk,jks->jfs", weighted, scores)


def complete_information(
    found: AtNodes, q: int
) -> tuple[Float[Array, "q q item"], Float[Array, "q item s"], Float[Array, "s s"]]:
    """Return the complete data's information, averaged over posteriors and summed.

    Args:
        found: a few systems at their nodes.
        q: parameters an item.

    Returns:
        Of items, between items and shared parameters, and of the shared ones.
    """
    p, s = found.position.shape[2], found.prior.shared_slope.shape[3]
    n_item = found.cells.value.shape[2]

    def average(k: int, m: int) -> Float[Array, " item"]:
        k, m = min(k, m), max(k, m)
        values = found.cells.second[k][m - k]
        return -jnp.einsum("jk,jki->i", found.chance, values)

    items, commons = range(p, p + q), range(p + q, p + q + s)
    dtype = found.chance.dtype
    rows = [jnp.stack([average(k, m) for m in items]) for k in items]
    item = jnp.stack(rows) if q else jnp.zeros((0, 0, n_item), dtype)
    if s == 0:
        return item, jnp.zeros((q, n_item, 0), dtype), jnp.zeros((0, 0), dtype)
    between = [jnp.stack([average(k, m) for m in commons], axis=1) for k in items]
    bend = jnp.einsum("jk,pjkab->ab", found.chance, found.prior.shared_bend)
    shared = [jnp.stack([jnp.sum(average(k, m)) for m in commons]) for k in commons]
    link = jnp.stack(between) if q else jnp.zeros((0, n_item, s), dtype)
    return item, link, jnp.stack(shared) - bend


def _spread(
    weighted: list[Float[Array, "system node"]],
    position: Float[Array, "system node p"],
) -> Float[Array, "system p f"]:
    along = [jnp.einsum("jk,jkp->jp", row, position) for row in weighted]
    return jnp.stack(along, axis=2)
