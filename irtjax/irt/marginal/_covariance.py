"""From the covariance of items to the errors of everything."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from .._blocks import Vector
from .._derived import item_covariance_of_dense
from .._errors import Uncertainty, by_name
from .._model import AbstractResponseModel, Estimate
from ._louis import Louis


def errors_of(
    model: AbstractResponseModel,
    estimate: Estimate,
    found: Louis,
    covariance: Float[Array, "n n"],
) -> Uncertainty:
    r"""Return the errors of items, of shared parameters and of abilities.

    An ability varies about its posterior mean $m_j(\eta)$ by the posterior's own
    variance, and the mean itself moves with the calibration $\eta$:
    $\mathrm{Cov}(\theta) = \mathrm{diag}(V_j) + M\, \mathrm{Cov}(\eta)\, M^\top$ with
    $M = \partial m / \partial \eta$. The second part is common to all systems.

    Args:
        model: the model that was fitted.
        estimate: the fit's value.
        found: the marginal likelihood to second order.
        covariance: of items' and shared parameters, in `found`'s order.

    References:
        Tsutakawa & Johnson (1990), The effect of uncertainty of item parameter
        estimation on ability estimates, Psychometrika 55.
    """
    n_item, q = estimate.item.shape
    passed = jnp.einsum("jpn,nm,jpm->pj", found.link, covariance, found.link)
    own = jnp.einsum("jpp->pj", found.covariance)
    variance = jnp.diagonal(covariance)
    split = q * n_item
    first = found.link[:, 0]
    ability = jnp.diag(found.covariance[:, 0, 0]) + first @ covariance @ first.T
    items = Estimate(estimate.system[:0], estimate.item, estimate.shared)
    return by_name(
        model,
        estimate,
        Vector(
            own + passed,
            jnp.reshape(variance[:split], (q, n_item)),
            variance[split:],
        ),
        ability,
        item_covariance_of_dense(covariance, items),
    )


def full_covariance(
    found: Louis, covariance: Float[Array, "n n"]
) -> Float[Array, "all all"]:
    """Return the covariance of systems, items and shared parameters together.

    Args:
        found: the marginal likelihood to second order.
        covariance: of items' and shared parameters.
    """
    n_system, p, _ = found.link.shape
    link = jnp.reshape(jnp.moveaxis(found.link, 1, 0), (p * n_system, -1))
    eye = jnp.eye(n_system, dtype=covariance.dtype)
    own = jnp.moveaxis(found.covariance, 0, 2)[:, :, :, None] * eye[None, None]
    own = jnp.reshape(jnp.transpose(own, (0, 2, 1, 3)), (p * n_system, p * n_system))
    across = link @ covariance
    return jnp.block([[own + across @ link.T, across], [across.T, covariance]])
