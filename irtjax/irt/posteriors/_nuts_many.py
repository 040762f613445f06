"""Draws from the posteriors of many tables: a driver on the host."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, PRNGKeyArray

from irtjax.data import AbstractResponses, LongResponses

from .._estimator import AbstractEstimator, JointMAP
from .._fit import posterior
from .._fit_many import block_size, fit_many
from .._model import AbstractResponseModel, Estimate
from .._posterior import Posterior
from .._streams import streams
from ._nuts import NUTS
from ._sampler import Draws, SampleResult
from ._whitening import Whitening, whitening_at

# Cells of all chains together: what they need in a step stays in a core's cache.
CELLS_A_BLOCK = 2**14
SMALLEST_BLOCK = 4


def nuts_many(
    model: AbstractResponseModel,
    responses: AbstractResponses,
    *,
    sampler: NUTS = NUTS(),
    estimator: AbstractEstimator = JointMAP(),
    system_features: Float[Array, "system f"] | None = None,
    item_features: Float[Array, "item g"] | None = None,
    numbers: Int[np.ndarray, " problem"] | None = None,
    block: int | None = None,
    devices: Sequence[jax.Device] | None = None,  # pyright: ignore[reportInvalidTypeForm]
    key: PRNGKeyArray,
) -> SampleResult:
    """Draw from the posteriors of a stack of tables of one size.

    Blocks of tables are walked together, as many blocks at once as there are cores.
    Table number n draws with `fold_in(key, n)`: it is what `sample_posterior` draws with
    that key, whatever stands beside it.

    Args:
        model: how a response arises; all its priors must be proper.
        responses: of the kind that the model takes, with a leading problem axis.
        sampler: the settings of the chains.
        estimator: what finds the starts.
        system_features: what is known of each system; the same for all tables.
        item_features: what is known of each item; the same for all tables.
        numbers: each table's number; by default 0, 1, 2, ... A table keeps its draws
            when others are left out if it keeps its number.
        block: tables walked together; by default what fits a core's cache.
        devices: blocks are dealt out over these; by default JAX's first device.
        key: of all tables.

    Returns:
        A `SampleResult` of NumPy arrays with a leading problem axis. It holds every
        draw: 100 tables of 60 parameters and 4 x 1000 draws take 190 MB.

    Raises:
        ValueError: as `sample_posterior`, and if there is no table.
    """
    if isinstance(responses, LongResponses):
        responses = jax.vmap(LongResponses.dense)(responses)
    fits = fit_many(
        model,
        responses,
        estimator=estimator,
        system_features=system_features,
        item_features=item_features,
        devices=devices,
    )
    n_problem = fits.code.shape[0]
    first = posterior(
        model,
        jax.tree.map(lambda leaf: jnp.asarray(leaf[0]), responses),
        system_features,
        item_features,
    )
    if numbers is None:
        numbers = np.arange(n_problem)
    if len(numbers) != n_problem:
        raise ValueError(
            f"`numbers` must have one entry a table, {n_problem}, got {len(numbers)}."
        )
    if devices is None:
        devices = jax.devices()[:1]
    if block is None:
        n_system, n_item = first.responses.shape
        cells = max(n_system * n_item * sampler.chains, 1)
        block = max(2 ** int(np.log2(max(CELLS_A_BLOCK // cells, 1))), SMALLEST_BLOCK)
    wide = min(block, max(2 ** (n_problem - 1).bit_length(), SMALLEST_BLOCK))
    members = (
        responses,
        _whitenings(first, responses, fits.value),
        np.asarray(numbers, np.int32),
    )

    def run(number: int) -> list[SampleResult]:
        begin = number * wide
        size = min(wide, n_problem - begin)
        filled = jax.tree.map(
            lambda leaf: _filled(np.asarray(leaf[begin : begin + size]), wide), members
        )
        tables, whitenings, own = jax.device_put(filled, devices[number % len(devices)])
        draws = _walk_block(sampler, first, tables, whitenings, own, key)
        draws = jax.tree.map(np.asarray, draws)
        return [
            sampler.judge(jax.tree.map(lambda leaf, at=at: leaf[at], draws))
            for at in range(size)
        ]

    with ThreadPoolExecutor(streams(devices)) as pool:
        parts = list(pool.map(run, range(-(-n_problem // wide))))
    results = [each for part in parts for each in part]
    return jax.tree.map(lambda *leaves: np.stack(leaves), *results)


@eqx.filter_jit
def _walk_block(
    sampler: NUTS,
    problem: Posterior,
    responses: AbstractResponses,
    whitenings: Whitening,
    numbers: Int[Array, " problem"],
    key: PRNGKeyArray,
) -> Draws:
    def one(table, whitening, number):
        its_own = eqx.tree_at(lambda p: p.responses, problem, table)
        return sampler.walk(its_own, whitening, key=jax.random.fold_in(key, number))

    return eqx.filter_vmap(one)(responses, whitenings, numbers)


@eqx.filter_jit
def _whiten_block(
    problem: Posterior, responses: AbstractResponses, starts: Estimate
) -> Whitening:
    def one(table, start):
        return whitening_at(eqx.tree_at(lambda p: p.responses, problem, table), start)

    return eqx.filter_vmap(one)(responses, starts)


def _whitenings(
    problem: Posterior, responses: AbstractResponses, starts: Estimate
) -> Whitening:
    """Return every table's coordinates, one block after another."""
    n_problem = starts.system.shape[0]
    block = min(block_size(*problem.responses.shape), 2 ** (n_problem - 1).bit_length())

    def of(begin: int) -> Whitening:
        size = min(block, n_problem - begin)
        members = jax.tree.map(
            lambda leaf: _filled(np.asarray(leaf[begin : begin + size]), block),
            (responses, starts),
        )
        return jax.tree.map(
            lambda leaf: np.asarray(leaf)[:size], _whiten_block(problem, *members)
        )

    parts = [of(begin) for begin in range(0, n_problem, block)]
    return jax.tree.map(lambda *leaves: np.concatenate(leaves), *parts)


def _filled(leaf: np.ndarray, size: int) -> np.ndarray:
    """Return the leaf with its first problem repeated up to `size`."""
    missing = size - leaf.shape[0]
    return np.concatenate([leaf, np.repeat(leaf[:1], missing, axis=0)])
