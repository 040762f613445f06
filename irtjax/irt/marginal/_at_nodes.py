"""One pass over systems, nodes and items, a few systems at a time."""

import functools
from collections.abc import Callable
from typing import NamedTuple, TypeVar

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from .._cells import Jet, cell_jet
from .._model import Estimate
from .._posterior import Posterior
from .._prior_jets import PriorJets, prior_jets
from ._nodes import Nodes

Scalar = Float[Array, ""]
Summed = TypeVar("Summed")
Kept = TypeVar("Kept")

# Values of one cell at one node that are held at a time: a few arrays of so many fit a
# core's cache.
_HELD = 2**16


class AtNodes(NamedTuple):
    """A few systems' likelihoods at their nodes.

    Attributes:
        position: of the nodes, unconstrained.
        chance: each node's share of the system's posterior. They sum to 1; for a row
            that only fills up a block, all are 0.
        log_likelihood: with the system's parameters integrated out, in nats.
        cells: log-likelihoods of cells, with derivatives; system, node, item.
        prior: of the systems' parameters; parameter, system, node.
    """

    position: Float[Array, "system node p"]
    chance: Float[Array, "system node"]
    log_likelihood: Float[Array, " system"]
    cells: Jet
    prior: PriorJets


class _Rows(NamedTuple):
    nodes: Nodes
    features: Float[Array, "system f"]
    weight: Float[Array, "system item term"]
    real: Float[Array, " system"]


def over_systems(
    reduce: Callable[[AtNodes], tuple[Summed, Kept]],
    problem: Posterior,
    at: Estimate,
    nodes: Nodes,
    observed_share: Scalar,
) -> tuple[Summed, Kept]:
    """Return what is summed over systems and what is kept of each.

    Memory grows with systems x items, not with systems x nodes x items.

    Args:
        reduce: takes a few systems at their nodes; returns a part to be added up over
            systems and one whose arrays all start with the system axis.
        problem: the model and the table.
        at: the items and shared parameters.
        nodes: every system's.
        observed_share: 1 for observed second derivatives of a cell, 0 for expected.
    """
    terms = problem.responses.terms()
    n_system, n_node, _ = nodes.position.shape
    size = min(n_system, max(1, _HELD // max(n_node * at.item.shape[0], 1)))
    n_block = -(-n_system // size)
    rows = _Rows(
        nodes, problem.system_features, terms.weight, jnp.ones(n_system, at.item.dtype)
    )
    own = terms.outcome if terms.outcome.ndim == 3 else None

    def of_rows(rows: _Rows, own: Array | None) -> tuple[Summed, Kept]:
        outcome = terms.outcome if own is None else own
        return reduce(_at_nodes(problem, at, observed_share, rows, outcome))

    if n_block == 1:
        return of_rows(rows, own)

    def cut(leaf: Float[Array, "system ..."]) -> Float[Array, "block size ..."]:
        missing = n_block * size - n_system
        padded = jnp.pad(leaf, [(0, missing)] + [(0, 0)] * (leaf.ndim - 1))
        return jnp.reshape(padded, (n_block, size, *leaf.shape[1:]))

    blocks = jax.tree.map(cut, (rows, own))
    shapes, _ = jax.eval_shape(of_rows, *jax.tree.map(lambda leaf: leaf[0], blocks))
    zero = jax.tree.map(lambda leaf: jnp.zeros(leaf.shape, leaf.dtype), shapes)

    def step(total: Summed, block: tuple[_Rows, Array | None]) -> tuple[Summed, Kept]:
        summed, kept = of_rows(*block)
        return jax.tree.map(jnp.add, total, summed), kept

    summed, kept = jax.lax.scan(step, zero, blocks)

    def joined(leaf: Float[Array, "block size ..."]) -> Float[Array, "system ..."]:
        flat = jnp.reshape(leaf, (n_block * size, *leaf.shape[2:]))
        return flat[:n_system]

    return summed, jax.tree.map(joined, kept)


def _at_nodes(
    problem: Posterior,
    at: Estimate,
    observed_share: Scalar,
    rows: _Rows,
    outcome: Float[Array, "*#cell #term"],
) -> AtNodes:
    model, position = problem.model, rows.nodes.position
    outcome_axis = 0 if outcome.ndim == 3 else None
    cell = functools.partial(cell_jet, model, observed_share)
    over_items = jax.vmap(cell, (None, 0, None, None, 0, outcome_axis, 0))
    over_nodes = jax.vmap(over_items, (0, None, None, None, None, None, None))
    cells = jax.vmap(over_nodes, (0, None, None, 0, None, outcome_axis, 0))(
        position,
        at.item,
        at.shared,
        rows.features,
        problem.item_features,
        outcome,
        rows.weight,
    )
    prior = jax.vmap(
        lambda values: prior_jets(
            model.system_parameters,
            values,
            model.shared_parameters,
            at.shared,
            rows.features,
        ),
        in_axes=1,
        out_axes=2,
    )(position)
    log_joint = jnp.sum(cells.value, axis=-1) + jnp.sum(prior.value, axis=0)
    log_joint = log_joint + rows.nodes.log_weight
    log_likelihood = jax.nn.logsumexp(log_joint, axis=1)
    chance = jnp.exp(log_joint - log_likelihood[:, None]) * rows.real[:, None]
    return AtNodes(position, chance, log_likelihood * rows.real, cells, prior)
