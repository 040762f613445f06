"""Do our fits agree with scipy's and our errors with a dense Hessian's? On many tables."""

import collections
import dataclasses
import math
from concurrent.futures import Executor

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int
from threadpoolctl import threadpool_limits

from irtjax.data import BinomialResponses
from irtjax.irt import Estimate, Fisher, TwoPL

from . import _lbfgsb
from ._problems import Tables, random_table, stack
from ._speed import fit_all, flat, stacked

# Random tables are padded with unobserved rows and columns up to these sizes, so that
# each is compiled once. Padding changes no fit, which the comparison shows as well.
SYSTEM_SIZES = (10, 20, 40, 60)
ITEM_SIZES = (10, 30, 80, 200)

Table = tuple[np.ndarray, np.ndarray]


@dataclasses.dataclass(frozen=True)
class Agreement:
    """What is known of each table after both sides have fitted it.

    Attributes:
        excess: our objective above the lower of the two, relative to it.
        rival_excess: L-BFGS-B's.
        gradient: the largest derivative of ours, each over 1 + the trials that bear on
            its parameter.
        code: of our fit.
        error_gap: the largest relative difference of a standard error from the one by
            the dense Hessian at the same point.
    """

    excess: Float[np.ndarray, " problem"]
    rival_excess: Float[np.ndarray, " problem"]
    gradient: Float[np.ndarray, " problem"]
    code: Int[np.ndarray, " problem"]
    error_gap: Float[np.ndarray, " problem"]


def hard_tables(n_problem: int, *, seed: int) -> list[Table]:
    """Return random tables of all sizes from 6 x 4 to 60 x 200.

    Sizes and trials a cell (1 to 500) are drawn evenly on the log scale, the sparsity
    between 0 and .7. In each second table one system has only successes and another
    none.
    """
    rng = np.random.default_rng(seed)
    tables = []
    for number in range(n_problem):
        n_system, n_item, trials = (
            round(math.exp(rng.uniform(math.log(low), math.log(high))))
            for low, high in ((6, 60), (4, 200), (1, 500))
        )
        successes, n = random_table(
            rng, n_system, n_item, sparsity=rng.uniform(0, 0.7), trials=trials
        )
        if number % 2 == 0:
            perfect, zero = rng.choice(n_system, 2, replace=False)
            successes[perfect], successes[zero] = n[perfect], 0
        tables.append((successes, n))
    return tables


def agree(tables: list[Table], executor: Executor) -> Agreement:
    """Return how the two sides agree on each table, in the order given.

    Args:
        tables: successes and trials, of any sizes up to the largest padded one.
        executor: where L-BFGS-B runs.
    """
    parts = list(executor.map(_rival, tables, chunksize=16))
    buckets = collections.defaultdict(list)
    for number, (_, trials) in enumerate(tables):
        buckets[_padded_shape(trials.shape)].append(number)
    columns = {
        field.name: np.zeros(len(tables)) for field in dataclasses.fields(Agreement)
    }
    columns["code"] = columns["code"].astype(int)
    for shape, numbers in buckets.items():
        padded = stack([_pad(tables[number], shape) for number in numbers])
        result = fit_all(padded)
        columns["code"][numbers] = np.asarray(result.code)
        columns["error_gap"][numbers] = _error_gaps(padded, result.value)
        for number, row in zip(numbers, flat(result.value), strict=True):
            successes, trials = tables[number]
            point = _unpad(row, trials.shape, shape)
            ours, gradient = _lbfgsb.objective(successes, trials)(point)
            best = min(ours, parts[number])
            columns["excess"][number] = (ours - best) / abs(best)
            columns["rival_excess"][number] = (parts[number] - best) / abs(best)
            columns["gradient"][number] = np.max(np.abs(gradient) / _bearing(trials))
    return Agreement(**columns)


def _rival(table: Table) -> float:
    """Return the objective that L-BFGS-B converges to; run in another process."""
    with threadpool_limits(1):
        return _lbfgsb.fit(*table).value


def _bearing(trials: np.ndarray) -> np.ndarray:
    """Return 1 + the trials that bear on each parameter."""
    by_item = trials.sum(axis=0)
    return 1 + np.concatenate([trials.sum(axis=1), by_item, by_item])


def _padded_shape(shape: tuple[int, ...]) -> tuple[int, int]:
    return (
        next(size for size in SYSTEM_SIZES if size >= shape[0]),
        next(size for size in ITEM_SIZES if size >= shape[1]),
    )


def _pad(table: Table, shape: tuple[int, int]) -> Table:
    successes, trials = (
        np.pad(x, [(0, shape[0] - x.shape[0]), (0, shape[1] - x.shape[1])])
        for x in table
    )
    return successes, trials


def _unpad(
    row: Float[np.ndarray, " padded"], shape: tuple[int, ...], padded: tuple[int, int]
) -> Float[np.ndarray, " parameter"]:
    """Return the parameters of the systems and items that are not padding."""
    system, difficulty, slope = np.split(row, [padded[0], sum(padded)])
    return np.concatenate(
        [system[: shape[0]], difficulty[: shape[1]], slope[: shape[1]]]
    )


def _error_gaps(tables: Tables, estimates: Estimate) -> Float[np.ndarray, " problem"]:
    """Return the largest relative gap between our errors and the dense Hessian's."""

    def gap(pair: tuple[BinomialResponses, Estimate]) -> Float[Array, ""]:
        one, estimate = pair
        ours = Fisher()(TwoPL(), one, estimate)
        block = jnp.concatenate(
            [
                ours.system["ability"],
                ours.item["difficulty"],
                ours.item["discrimination"],
            ]
        )
        dense = dense_errors(one, estimate)
        return jnp.max(jnp.abs(block - dense) / dense)

    # One at a time: a dense Hessian of the largest size takes 0.4 GB on the way.
    gaps = jax.jit(lambda pairs: jax.lax.map(gap, pairs))((stacked(tables), estimates))
    return np.asarray(gaps)


def dense_errors(
    responses: BinomialResponses, estimate: Estimate
) -> Float[Array, " parameter"]:
    """Return standard errors by inverting the whole Hessian, found by autodiff.

    The objective is written here again, so nothing of the block elimination is used.

    Args:
        responses: one table.
        estimate: the joint MAP of a 2PL.

    Returns:
        For ability and difficulty in logits, then for discrimination (not its log, by
        the delta method); one after the other.
    """
    n_system, n_item = responses.shape
    at = jnp.concatenate(
        [estimate.system[:, 0], estimate.item[:, 0], estimate.item[:, 1]]
    )

    def loss(x: Float[Array, " parameter"]) -> Float[Array, ""]:
        ability, difficulty, slope = jnp.split(x, [n_system, n_system + n_item])
        logits = jnp.exp(slope)[None, :] * (ability[:, None] - difficulty[None, :])
        wrong = responses.trials - responses.successes
        likelihood = responses.successes * jax.nn.log_sigmoid(logits)
        likelihood += wrong * jax.nn.log_sigmoid(-logits)
        prior = (
            jnp.sum((ability / _lbfgsb.ABILITY_SD) ** 2)
            + jnp.sum((difficulty / _lbfgsb.DIFFICULTY_SD) ** 2)
            + jnp.sum((slope / _lbfgsb.LOG_SLOPE_SD) ** 2)
        )
        return prior / 2 - jnp.sum(likelihood)

    errors = jnp.sqrt(jnp.diagonal(jnp.linalg.inv(jax.hessian(loss)(at))))
    own_scale = jnp.concatenate(
        [jnp.ones(n_system + n_item, at.dtype), jnp.exp(estimate.item[:, 1])]
    )
    return own_scale * errors
