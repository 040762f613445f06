"""Item properties that are functions of the parameters, and their standard errors."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ._blocks import Factor
from ._model import AbstractResponseModel, Estimate
from ._parameter import constrain
from ._traits import AbstractDerived


def derived(
    model: AbstractResponseModel, estimate: Estimate
) -> dict[str, Float[Array, " item"]]:
    """Return what a model derives from its item parameters, one array over items each.

    The difficulty of a slope-intercept model is an example. Empty for a model that
    derives nothing.
    """
    if not isinstance(model, AbstractDerived):
        return {}
    shared = constrain(model.shared_parameters, estimate.shared)
    return jax.vmap(
        lambda row: model.derived(constrain(model.item_parameters, row), shared)
    )(estimate.item)


def derived_errors(
    model: AbstractResponseModel,
    estimate: Estimate,
    covariance: Float[Array, "item r r"],
) -> dict[str, Float[Array, " item"]]:
    r"""Return the standard errors of `derived` by the delta method.

    The variance of $g(u)$ is taken as $\nabla g^\top \Sigma \nabla g$ at the estimate.

    Args:
        model: the model that was fitted.
        estimate: the fit's value.
        covariance: of each item's own parameters and, after them, the shared ones, all
            unconstrained.

    References:
        Oehlert (1992), A note on the delta method, The American Statistician 46.
    """
    if not isinstance(model, AbstractDerived):
        return {}

    def values(row: Float[Array, " q"], shared: Float[Array, " s"]):
        return model.derived(
            constrain(model.item_parameters, row),
            constrain(model.shared_parameters, shared),
        )

    def errors(row: Float[Array, " q"], spread: Float[Array, "r r"]):
        slopes = jax.jacfwd(values, (0, 1))(row, estimate.shared)
        return {
            name: jnp.sqrt(jnp.concatenate(slope) @ spread @ jnp.concatenate(slope))
            for name, slope in slopes.items()
        }

    return jax.vmap(errors)(estimate.item, covariance)


def item_covariance(
    factor: Factor, outer: Float[Array, "outer outer"]
) -> Float[Array, "item r r"]:
    """Return each item's covariance with itself and the shared parameters.

    Args:
        factor: of a table's information.
        outer: what its `outer_covariance` returns.
    """
    rows, n_outer = factor.n_outer
    size = rows * n_outer
    if factor.items_outer:
        return _gathered(outer, 0, rows, n_outer)
    own = jnp.transpose(factor.inner_covariance(outer), (2, 0, 1))
    link = -jnp.einsum("os,oki->iks", outer[:, size:], factor.weights)
    common = jnp.broadcast_to(
        outer[size:, size:],
        (own.shape[0], outer.shape[0] - size, outer.shape[0] - size),
    )
    above = jnp.concatenate([own, link], axis=2)
    below = jnp.concatenate([jnp.transpose(link, (0, 2, 1)), common], axis=2)
    return jnp.concatenate([above, below], axis=1)


def item_covariance_of_dense(
    covariance: Float[Array, "all all"], estimate: Estimate
) -> Float[Array, "item r r"]:
    """Return the same as `item_covariance` out of a full covariance matrix."""
    n_item, q = estimate.item.shape
    return _gathered(covariance, estimate.system.size, q, n_item)


def _gathered(
    covariance: Float[Array, "all all"], begin: int, q: int, n_item: int
) -> Float[Array, "item r r"]:
    def one(item):
        own = begin + n_item * jnp.arange(q) + item
        shared = jnp.arange(begin + q * n_item, covariance.shape[0])
        at = jnp.concatenate([own, shared])
        return covariance[at[:, None], at[None, :]]

    return jax.vmap(one)(jnp.arange(n_item))
