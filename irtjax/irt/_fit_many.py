"""Fitting many tables: a driver on the host around compiled calls."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from irtjax.data import AbstractResponses, LongResponses

from ._estimator import AbstractEstimator, JointMAP
from ._fit import posterior
from ._model import AbstractResponseModel, Estimate
from ._posterior import Posterior
from ._results import FitResult
from ._shapes import is_stacked
from ._streams import streams

# What a block's step needs stays in the cache of one core; an accelerator wants plenty.
CELLS_A_BLOCK = {"cpu": 2**15}
CELLS_ELSEWHERE = 2**20
SMALLEST_BLOCK = 4
# In one compiled call, the tables of this many blocks queue for one block's places.
BLOCKS_A_CALL = 8
# Where there are enough tables, there is a call for each of so many cores.
CALLS_TO_SHARE = 8


def block_size(n_system: int, n_item: int, platform: str | None = None) -> int:
    """Return how many tables of one size are under way at once by default.

    It depends on the size and the kind of device alone, so that the same table always
    shares a block of the same shape.

    Args:
        n_system: systems of a table.
        n_item: items of a table.
        platform: a device's, such as `"cpu"`; by default that of JAX's first device.
    """
    cells = CELLS_A_BLOCK.get(platform or jax.default_backend(), CELLS_ELSEWHERE)
    fitting = max(cells // max(n_system * n_item, 1), 1)
    return 2 ** int(np.log2(fitting))


def fit_many(
    model: AbstractResponseModel,
    responses: AbstractResponses,
    *,
    estimator: AbstractEstimator = JointMAP(),
    system_features: Float[Array, "system f"] | None = None,
    item_features: Float[Array, "item g"] | None = None,
    block: int | None = None,
    devices: Sequence[jax.Device] | None = None,  # pyright: ignore[reportInvalidTypeForm]
) -> FitResult:
    """Fit every table of a stack.

    So many tables as `block` says are under way at once, and where one is done the next
    takes its place. A table's fit does not depend on its neighbours, on the block's size
    or on the devices to 1e-10 in 64-bit; the same stack in the same blocks gives the
    same bits, on any devices.

    Args:
        model: how a response arises.
        responses: of the kind that the model takes, with a leading problem axis; long
            tables are spread out first. An array without that axis, such as the trials
            of replicates with one mask, is shared by all tables and held once.
        estimator: the objective and the solver.
        system_features: what is known of each system; the same for all tables.
        item_features: what is known of each item; the same for all tables.
        block: tables under way at once; by default as `block_size` says.
        devices: compiled calls of a few blocks are dealt out over these; by default
            JAX's first device. As many are under way at once as `streams` allows.

    Returns:
        A `FitResult` of NumPy arrays with a leading problem axis.

    Raises:
        ValueError: as `fit`, if there is no table, or only one without a problem axis.
    """
    stacked = is_stacked(responses)
    if isinstance(responses, LongResponses):
        axes = jax.tree.map(lambda own: 0 if own else None, stacked)
        responses = jax.vmap(LongResponses.dense, (axes,))(responses)
        stacked = jax.tree.map(lambda leaf: True, responses)
    own, common = eqx.partition(responses, stacked)
    n_problem = jax.tree.leaves(own)[0].shape[0]
    if n_problem == 0:
        raise ValueError("fit_many needs at least one table, got none.")
    if block is not None and block < 1:
        raise ValueError(f"`block` must be at least 1, got {block}.")
    first = posterior(
        model,
        eqx.combine(jax.tree.map(lambda leaf: jnp.asarray(leaf[0]), own), common),
        system_features,
        item_features,
    )
    if devices is None:
        devices = jax.devices()[:1]
    if block is None:
        block = block_size(*first.responses.shape, devices[0].platform)
    bounds = _call_bounds(n_problem, block)
    padded = _padded_number(max(np.diff(bounds).tolist()), block)

    def run(number: int) -> FitResult:
        begin, end = bounds[number], bounds[number + 1]
        members = jax.tree.map(lambda leaf: leaf[begin:end], own)
        filled = jax.tree.map(lambda leaf: _fill(np.asarray(leaf), padded), members)
        device = devices[number % len(devices)]
        filled, shared = jax.device_put((filled, common), device)
        real = jnp.asarray(end - begin, jnp.int32)
        result = _fit_call(estimator, first, filled, shared, real, block)
        return jax.tree.map(lambda leaf: np.asarray(leaf)[: end - begin], result)

    with ThreadPoolExecutor(streams(devices)) as pool:
        parts = list(pool.map(run, range(len(bounds) - 1)))
    return jax.tree.map(lambda *leaves: np.concatenate(leaves), *parts)


def fit_ragged(
    model: AbstractResponseModel,
    tables: Sequence[AbstractResponses],
    *,
    estimator: AbstractEstimator = JointMAP(),
    devices: Sequence[jax.Device] | None = None,  # pyright: ignore[reportInvalidTypeForm]
) -> list[FitResult]:
    """Fit tables of different sizes, padded to a few sizes so that few compile.

    Each dimension is filled up with empty rows to the next of 4, 6, 8, 12, 16, 24, ...;
    a system or item without data changes nothing for the others.

    Args:
        model: how a response arises; without features.
        tables: of the kind that the model takes; long ones are spread out first.
        estimator: as for `fit_many`.
        devices: as for `fit_many`.

    Returns:
        One result a table, in order, cut to its own size.

    Raises:
        ValueError: as `fit_many`.
    """
    tables = [
        table.dense() if isinstance(table, LongResponses) else table for table in tables
    ]
    buckets: dict[tuple[int, int], list[int]] = {}
    for number, table in enumerate(tables):
        size = (_padded_size(table.shape[0]), _padded_size(table.shape[1]))
        buckets.setdefault(size, []).append(number)
    results: dict[int, FitResult] = {}
    for size, members in buckets.items():
        padded = [_grow(tables[number], size) for number in members]
        stacked = jax.tree.map(lambda *leaves: np.stack(leaves), *padded)
        fits = fit_many(model, stacked, estimator=estimator, devices=devices)
        idle = _idle(estimator, model, stacked, fits.value)
        for position, number in enumerate(members):
            n_system, n_item = tables[number].shape
            one = jax.tree.map(lambda leaf, at=position: leaf[at], fits)
            added = np.sum(idle[0][position, n_system:]) + np.sum(
                idle[1][position, n_item:]
            )
            results[number] = eqx.tree_at(
                lambda r: (r.value.system, r.value.item, r.stats.objective),
                one,
                (
                    one.value.system[:n_system],
                    one.value.item[:n_item],
                    one.stats.objective - added,
                ),
            )
    return [results[number] for number in range(len(tables))]


@eqx.filter_jit
def _fit_call(
    estimator: AbstractEstimator,
    problem: Posterior,
    own: AbstractResponses,
    common: AbstractResponses,
    size: Int[Array, ""],
    block: int,
) -> FitResult:
    """Fit tables of which the first `size` are real.

    Args:
        estimator: the objective and the solver.
        problem: what all tables share.
        own: the arrays that each table has its own of.
        common: those that all share; spread out here, on the device.
        size: the other tables are left empty.
        block: tables under way at once.
    """
    padded = jax.tree.leaves(own)[0].shape[0]
    real = jnp.arange(padded, dtype=jnp.int32) < size

    def spread(leaf: Float[Array, "*table"]) -> Float[Array, "problem *table"]:
        mask = jnp.reshape(real, (padded,) + (1,) * leaf.ndim)
        return jnp.where(mask, leaf[None], 0)

    responses = eqx.combine(own, jax.tree.map(spread, common))
    return estimator.estimate_many(problem, responses, size=size, block=block)


@eqx.filter_jit
def _idle(
    estimator: AbstractEstimator,
    model: AbstractResponseModel,
    responses: AbstractResponses,
    estimates: Estimate,
) -> tuple[Float[Array, "problem system"], Float[Array, "problem item"]]:
    """Return what each row would add to its table's objective if it had no data."""

    def one(table: AbstractResponses, estimate: Estimate):
        return estimator.objective(posterior(model, table)).idle(estimate)

    return eqx.filter_vmap(one)(responses, estimates)


def _call_bounds(n_problem: int, block: int) -> list[int]:
    """Return where each compiled call's tables begin, then the number of tables.

    Calls are even, so that one program serves them all and cores finish together. A
    queue pays where there is more than one block's worth behind the first.
    """
    fewest = -(-n_problem // (BLOCKS_A_CALL * block))
    several = min(CALLS_TO_SHARE, n_problem // (2 * block))
    number = max(fewest, several)
    if n_problem < 2 * block:
        number = -(-n_problem // block)
    return [n_problem * each // number for each in range(number + 1)]


def _fill(leaf: np.ndarray, size: int) -> np.ndarray:
    """Return the leaf with empty problems added up to `size`."""
    if leaf.shape[0] == size:
        return leaf
    empty = np.zeros((size - leaf.shape[0], *leaf.shape[1:]), leaf.dtype)
    return np.concatenate([leaf, empty])


def _padded_number(size: int, block: int) -> int:
    """Return a power of two within a block, or a block times one, so that few compile."""
    number = block if size > block else min(SMALLEST_BLOCK, block)
    while number < size:
        number *= 2
    return number if size > block else min(number, block)


def _padded_size(size: int) -> int:
    """Return the next of 4, 6, 8, 12, 16, 24, 32, ..."""
    power = 4
    while True:
        if size <= power:
            return power
        if size <= power * 3 // 2:
            return power * 3 // 2
        power *= 2


def _grow(table: AbstractResponses, size: tuple[int, int]) -> AbstractResponses:
    n_system, n_item = table.shape

    def grow(leaf: Float[Array, "system item ..."]) -> np.ndarray:
        missing = [(0, size[0] - n_system), (0, size[1] - n_item)]
        return np.pad(np.asarray(leaf), missing + [(0, 0)] * (leaf.ndim - 2))

    return jax.tree.map(grow, table)
