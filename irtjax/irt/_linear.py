r"""The log-likelihood of log-odds that are linear in the abilities, to second order.

With log-odds $k_i \cdot (1, \theta_j)$, all that an item's parameters need of a table
are sums over systems of its residuals, $\sum_j r_{ji} (1, \theta_j)$, and of its
weights, $\sum_j w_{ji} (1, \theta_j) (1, \theta_j)^\top$. A pass over the table makes two
numbers a cell; the rest is products of matrices and derivatives of single items, where
`_cells` takes every derivative in every cell. Both ways give the same numbers.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses

from ._blocks import Blocks, Vector
from ._cells import binomial_slopes, jet
from ._model import AbstractLinearModel, Estimate, Features
from ._parameter import constrain
from ._sums import Sums

Scalar = Float[Array, ""]


class Line(NamedTuple):
    """One item's coefficients, and their derivatives by its own and shared parameters.

    Attributes:
        value: the intercept, then one slope an ability.
        first: by each parameter of the item, then by each shared one.
        second: by each two of them.
    """

    value: Float[Array, " k"]
    first: Float[Array, "u k"]
    second: Float[Array, "u u k"]


def linear_sums(
    model: AbstractLinearModel,
    responses: AbstractResponses,
    at: Estimate,
    item_features: Float[Array, "item g"],
    observed_share: Scalar,
) -> Sums:
    """Return the log-likelihood of a table to second order.

    Args:
        model: its log-odds are linear in the abilities.
        responses: the table.
        at: where.
        item_features: passed to the model.
        observed_share: 1 for the observed second derivatives, 0 for their expectation.
    """
    (n_system, p), (n_item, q) = at.system.shape, at.item.shape
    lines = jax.vmap(lambda item, row: _line(model, item, at.shared, row))(
        at.item, item_features
    )
    slope, first = lines.value[:, 1:], lines.first
    n_shared = at.shared.shape[0]
    ability = jnp.concatenate([jnp.ones((n_system, 1), at.system.dtype), at.system], 1)
    totals = responses.totals()
    value, residual, weight = binomial_slopes(
        _logits(at.system, lines.value), totals.outcome, totals.count
    )
    turning = observed_share * residual

    # Items and what they share: sums over systems.
    pull = residual.T @ ability
    squares = jnp.reshape(
        ability[:, :, None] * ability[:, None, :], (n_system, (1 + p) ** 2)
    )
    hold = jnp.reshape(weight.T @ squares, (n_item, 1 + p, 1 + p))
    item_slope = jnp.einsum("iuk,ik->ui", first, pull)
    item_bend = jnp.einsum("iuvk,ik->uvi", lines.second, observed_share * pull)
    item_bend -= jnp.einsum("iuk,ikl,ivl->uvi", first, hold, first)

    # Systems: sums over items.
    squares = jnp.reshape(slope[:, :, None] * slope[:, None, :], (n_item, p * p))
    system_bend = -jnp.reshape(weight @ squares, (n_system, p, p))
    tilts = jnp.reshape(
        slope[:, :, None, None] * first[:, None, q:], (n_item, p * n_shared * (1 + p))
    )
    tilted = jnp.reshape(weight @ tilts, (n_system, p, n_shared, 1 + p))
    system_shared = jnp.einsum("ji,iuk->kju", turning, first[:, q:, 1:])
    system_shared -= jnp.einsum("jkul,jl->kju", tilted, ability)

    # Each system with each item, the one part that is as large as the table.
    cross = [
        turning * first[None, :, u, 1 + k]
        - weight * slope[None, :, k] * _logits(at.system, first[:, u])
        for k in range(p)
        for u in range(q)
    ]
    shape = (p, q, n_system, n_item)
    pairs = jnp.reshape(
        jnp.stack(cross) if cross else jnp.zeros(shape, value.dtype), shape
    )
    return Sums(
        jnp.sum(value),
        Vector((residual @ slope).T, item_slope[:q], jnp.sum(item_slope[q:], axis=1)),
        Blocks(
            jnp.transpose(system_bend, (1, 2, 0)),
            item_bend[:q, :q],
            jnp.sum(item_bend[q:, q:], axis=2),
            jnp.transpose(pairs, (0, 2, 1, 3)),
            system_shared,
            jnp.transpose(item_bend[:q, q:], (0, 2, 1)),
        ),
    )


def _logits(
    ability: Float[Array, "system p"], coefficients: Float[Array, "item k"]
) -> Float[Array, "system item"]:
    """Return intercepts plus slopes times abilities, term by term to be fused."""
    shape = ability.shape[0], coefficients.shape[0]
    logits = jnp.broadcast_to(coefficients[None, :, 0], shape)
    for k in range(ability.shape[1]):
        logits = logits + ability[:, k, None] * coefficients[None, :, 1 + k]
    return logits


def _line(
    model: AbstractLinearModel,
    item: Float[Array, " q"],
    shared: Float[Array, " s"],
    item_features: Features,
) -> Line:
    q, p = item.shape[0], len(model.system_parameters)
    n = q + shared.shape[0]

    def coefficients(*flat: Scalar) -> Float[Array, " k"]:
        return model.coefficients(
            constrain(model.item_parameters, flat[:q]),
            constrain(model.shared_parameters, flat[q:]),
            item_features,
        )

    at = jet(coefficients, [*item, *shared])
    second = [at.second[min(u, v)][abs(u - v)] for u in range(n) for v in range(n)]
    return Line(
        at.value,
        jnp.reshape(jnp.asarray(at.first), (n, 1 + p)),
        jnp.reshape(jnp.asarray(second), (n, n, 1 + p)),
    )
