"""Iterating on many tables, so many at once that none waits for the slowest."""

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, PyTree

from irtjax.data import AbstractResponses

from ._model import Estimate
from ._results import FitResult

State = PyTree  # of a batch of iterations: a leading problem axis everywhere


class Iteration(NamedTuple):
    """An iteration on a batch of tables; every array has a leading problem axis.

    Attributes:
        init: the states at some starts.
        step: the states one step on. Those that are done may go anywhere.
        done: which states need no more steps.
        finish: the fits at which they have ended.
    """

    init: Callable[[AbstractResponses, Estimate], State]
    step: Callable[[AbstractResponses, State], State]
    done: Callable[[State], Bool[Array, " problem"]]
    finish: Callable[[AbstractResponses, State], FitResult]


class _Hall(NamedTuple):
    """Where a queue of tables stands.

    Attributes:
        responses: of the tables at the desks.
        states: of the tables at the desks.
        table: which table sits at each desk; the number of tables where none does.
        following: the first table that still queues.
        results: of the tables that have left; zeros for the others.
    """

    responses: AbstractResponses
    states: PyTree
    table: Int[Array, " desk"]
    following: Int[Array, ""]
    results: FitResult


def fit_queue(
    iteration: Iteration,
    responses: AbstractResponses,
    starts: Estimate,
    *,
    size: Int[Array, ""],
    block: int,
) -> FitResult:
    """Return the fits of the first `size` tables, `block` under way at once.

    Where there are more, a table that is done makes room for the next in the queue, so
    that a compiled loop works on full batches until the queue is empty. When an eighth
    of a block is still going those few are gathered into a smaller one, so the
    stragglers cost what they are worth. It happens once: each further size is compiled
    anew.

    Args:
        iteration: on a batch.
        responses: with a leading problem axis.
        starts: with a leading problem axis.
        size: what follows is padding, whose results mean nothing.
        block: tables under way at once.
    """
    n_table = starts.system.shape[0]
    number = jnp.arange(n_table, dtype=jnp.int32)
    if n_table <= block:
        states = iteration.init(responses, starts)
        states = _to_the_end(iteration, responses, states, number < size)
        return iteration.finish(responses, states)

    few, leave = max(block // 8, 1), max(block // 4, 1)
    desks = number[:block]
    first = _rows((responses, starts), desks)
    states = iteration.init(*first)
    shapes = jax.eval_shape(iteration.finish, first[0], states)
    hall = _Hall(
        first[0],
        states,
        jnp.where(desks < size, desks, n_table),
        jnp.asarray(block, jnp.int32),
        jax.tree.map(lambda s: jnp.zeros((n_table, *s.shape[1:]), s.dtype), shapes),
    )

    def waiting(hall: _Hall) -> Bool[Array, ""]:
        busy = (hall.table < n_table) & ~iteration.done(hall.states)
        return (hall.following < size) | (jnp.sum(busy, dtype=jnp.int32) > few)

    def advance(hall: _Hall) -> _Hall:
        states = _step(iteration, hall.responses, hall.states)
        # At most a quarter leave a step, which is more than end in one on the average.
        ready = iteration.done(states) & (hall.table < n_table)
        desk = _where(ready, leave)
        fits = iteration.finish(*_rows((hall.responses, states), desk))
        new = hall.following + jnp.arange(leave, dtype=jnp.int32)
        fresh = _rows((responses, starts), new)
        taken = jnp.where(new < size, desk, block)
        return _Hall(
            _put(hall.responses, taken, fresh[0]),
            _put(states, taken, iteration.init(*fresh)),
            _put(hall.table, desk, jnp.where(new < size, new, n_table)),
            hall.following + jnp.sum(taken < block, dtype=jnp.int32),
            _put(hall.results, _rows(hall.table, desk, n_table), fits),
        )

    hall = jax.lax.while_loop(waiting, advance, hall)
    busy = (hall.table < n_table) & ~iteration.done(hall.states)
    last = _where(busy, few)
    theirs, states = _rows((hall.responses, hall.states), last)
    states = _to_the_end(iteration, theirs, states, last < block)
    fits = iteration.finish(hall.responses, _put(hall.states, last, states))
    return _put(hall.results, hall.table, fits)


def _to_the_end(
    iteration: Iteration,
    responses: AbstractResponses,
    states: State,
    real: Bool[Array, " problem"],
) -> State:
    """Step until all that are real are done, on fewer of them at the end.

    Small batches stay as they are.
    """
    n_table = real.shape[0]
    few = n_table // 8 if n_table >= 64 else 0

    def going(states: State) -> Bool[Array, " problem"]:
        return real & ~iteration.done(states)

    states = jax.lax.while_loop(
        lambda states: jnp.sum(going(states)) > few,
        lambda states: _step(iteration, responses, states),
        states,
    )
    if few == 0:
        return states
    last = _where(going(states), few)
    theirs, few_states = _rows((responses, states), last)
    finished = _to_the_end(iteration, theirs, few_states, last < n_table)
    return _put(states, last, finished)


def _step(iteration: Iteration, responses: AbstractResponses, states: State) -> State:
    """Return the states one step on, those that are done as they were."""
    done = iteration.done(states)

    def keep(old: Array, new: Array) -> Array:
        return jnp.where(jnp.reshape(done, (-1,) + (1,) * (old.ndim - 1)), old, new)

    return jax.tree.map(keep, states, iteration.step(responses, states))


def _where(mask: Bool[Array, " row"], number: int) -> Int[Array, " found"]:
    """Return where the mask holds, the first few of it, then the number of rows."""
    found = jnp.nonzero(mask, size=number, fill_value=mask.shape[0])[0]
    return found.astype(jnp.int32)


def _rows(tree: PyTree, at: Int[Array, " row"], past: int | None = None) -> PyTree:
    """Return rows of every leaf; past the end the last one, or `past`."""
    if past is None:
        return jax.tree.map(lambda leaf: leaf.at[at].get(mode="clip"), tree)
    return jax.tree.map(
        lambda leaf: leaf.at[at].get(mode="fill", fill_value=past), tree
    )


def _put(tree: PyTree, at: Int[Array, " row"], rows: PyTree) -> PyTree:
    """Return the tree with rows written; those placed past the end are dropped."""
    return jax.tree.map(lambda leaf, new: leaf.at[at].set(new, mode="drop"), tree, rows)
