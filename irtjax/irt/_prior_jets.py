"""The log priors of a table's parameters, with the derivatives that a solver needs."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ._cells import jet
from ._parameter import Parameter, constrain

Scalar = Float[Array, ""]


class PriorJets(NamedTuple):
    """Log priors of one kind of parameter, with derivatives by it and the shared.

    Attributes:
        value: in nats.
        slope: first derivative by the parameter itself.
        bend: second derivative by the parameter itself.
        shared_slope: first derivatives by the shared parameters.
        shared_cross: by the parameter and each shared one.
        shared_bend: second derivatives by the shared parameters.
    """

    value: Float[Array, "k row"]
    slope: Float[Array, "k row"]
    bend: Float[Array, "k row"]
    shared_slope: Float[Array, "k row s"]
    shared_cross: Float[Array, "k row s"]
    shared_bend: Float[Array, "k row s s"]


def prior_jets(
    parameters: tuple[Parameter, ...],
    values: Float[Array, "row k"],
    shared_parameters: tuple[Parameter, ...],
    shared: Float[Array, " s"],
    features: Float[Array, "row f"],
) -> PriorJets:
    """Return the log priors of every system, of every item or of the shared ones.

    Args:
        parameters: those whose priors are wanted; there may be none.
        values: unconstrained, one row a system or an item.
        shared_parameters: what the priors may depend on; none for the shared ones.
        shared: their values, unconstrained.
        features: passed to the priors.
    """
    rows = [
        jax.vmap(
            lambda value, row, parameter=parameter: _one(
                parameter, value, shared_parameters, shared, row
            )
        )(values[:, k], features)
        for k, parameter in enumerate(parameters)
    ]
    if rows:
        return jax.tree.map(lambda *parts: jnp.stack(parts), *rows)
    n_row, n_shared, dtype = values.shape[0], shared.shape[0], values.dtype
    flat = jnp.zeros((0, n_row), dtype)
    wide = jnp.zeros((0, n_row, n_shared), dtype)
    square = jnp.zeros((0, n_row, n_shared, n_shared), dtype)
    return PriorJets(flat, flat, flat, wide, wide, square)


def _one(
    parameter: Parameter,
    value: Scalar,
    shared_parameters: tuple[Parameter, ...],
    shared: Float[Array, " s"],
    features: Float[Array, " f"],
) -> PriorJets:
    def log_prob(value, *flat):
        return parameter.prior.log_prob(
            value, constrain(shared_parameters, flat), features
        )

    at = jet(log_prob, [value, *shared])
    n = shared.shape[0]
    bend = [at.second[min(k, m) + 1][abs(k - m)] for k in range(n) for m in range(n)]
    return PriorJets(
        at.value,
        at.first[0],
        at.second[0][0],
        _pack(at.first[1:], value),
        _pack(at.second[0][1:], value),
        jnp.reshape(_pack(bend, value), (n, n)),
    )


def _pack(row: list[Scalar], like: Scalar) -> Float[Array, " n"]:
    return jnp.stack(row) if row else jnp.zeros(0, like.dtype)
