"""Whether posteriors are right on average: simulation-based calibration."""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Float64, Int, PRNGKeyArray
from scipy import stats

from irtjax.data import AbstractResponses

from .._draw_intervals import one_draw_axis
from .._model import AbstractResponseModel, Estimate
from .._parameter import names
from .._simulate import simulate
from ._nuts import NUTS
from ._nuts_many import nuts_many
from ._prior_draws import draw_prior

# Tables whose draws are held in memory at once.
TABLES_AT_ONCE = 50


class CalibrationCheck(NamedTuple):
    """Where truths fell among the draws of their posteriors.

    Attributes:
        place: each parameter's ranks over tables and rows, as numbers in (0, 1): the
            share of draws below the truth, ties with a draw's width broken at random.
            Uniform where posteriors are right.
        p_value: for each parameter, of the hypothesis that its places are uniform.
        coverage: for each parameter, the share of truths inside the central interval.
        codes: one of `SAMPLING` a table. Failed tables count like the others, lest what
            is hard to sample goes unseen.
    """

    place: dict[str, Float64[np.ndarray, "problem row"]]
    p_value: dict[str, float]
    coverage: dict[str, float]
    codes: Int[np.ndarray, " problem"]


def simulation_based_calibration(
    model: AbstractResponseModel,
    shape: tuple[int, int],
    trials: float | Float[Array, "system item"],
    n_table: int,
    *,
    sampled: AbstractResponseModel | None = None,
    sampler: NUTS = NUTS(),
    level: float = 0.95,
    key: PRNGKeyArray,
) -> CalibrationCheck:
    """Draw truths from the priors and tables from the truths; sample their posteriors.

    Each row's places over tables are independent and uniform if model, priors and
    sampler are right; Kolmogorov's test of every row and Cauchy's combination, which
    allows for rows of one table depending on each other, give one p-value a parameter.

    Args:
        model: its priors draw the truths, itself the responses.
        shape: how many systems and items.
        trials: observations a cell: one number, or a table with 0 where there is none.
        n_table: how many tables.
        sampled: the model whose posteriors are sampled; by default `model`. With other
            priors this is the negative control, and p-values must be small.
        sampler: what samples.
        level: of the intervals whose coverage is counted.
        key: table number n draws with `fold_in(key, n)`.

    Raises:
        ValueError: if a prior has no draws, or `n_table` is below 1.

    References:
        Talts, Betancourt, Simpson, Vehtari & Gelman (2018), Validating Bayesian
        Inference Algorithms with Simulation-Based Calibration, arXiv:1804.06788. Liu &
        Xie (2020), Cauchy Combination Test, JASA 115, eq. 1.
    """
    if n_table < 1:
        raise ValueError(f"`n_table` must be at least 1, got {n_table}.")
    design = jnp.broadcast_to(jnp.asarray(trials, float), shape)
    parts, inside, codes = [], [], []
    for begin in range(0, n_table, TABLES_AT_ONCE):
        numbers = np.arange(begin, min(begin + TABLES_AT_ONCE, n_table))
        truths, tables, jitter = _drawn(model, design, jnp.asarray(numbers), key)
        result = nuts_many(
            model if sampled is None else sampled,
            tables,
            sampler=sampler,
            numbers=numbers,
            key=jax.random.fold_in(key, n_table),
        )
        found = jax.vmap(_place)(result.value, truths, jitter)
        parts.append(jax.tree.map(np.asarray, found))
        tail = (1 - level) / 2
        inside.append(
            jax.tree.map(lambda p, tail=tail: np.abs(p - 0.5) <= 0.5 - tail, parts[-1])
        )
        codes.append(result.code)
    place = _columns(model, jax.tree.map(lambda *x: np.concatenate(x), *parts))
    within = _columns(model, jax.tree.map(lambda *x: np.concatenate(x), *inside))
    return CalibrationCheck(
        place,
        {name: uniformity(values) for name, values in place.items()},
        {name: float(np.mean(values)) for name, values in within.items()},
        np.concatenate(codes),
    )


def uniformity(place: Float64[np.ndarray, "problem row"]) -> float:
    """Return the p-value of every column being uniform on (0, 1).

    Args:
        place: rows independent; columns may depend on each other.
    """
    by_row = [stats.kstest(column, "uniform").pvalue for column in place.T]
    # A p-value of exactly 1 or 0 would be an infinite Cauchy score.
    p = np.clip(by_row, 1e-15, 1 - 1e-15)
    return float(stats.cauchy.sf(np.mean(np.tan((0.5 - p) * np.pi))))


@eqx.filter_jit
def _drawn(
    model: AbstractResponseModel,
    trials: Float[Array, "system item"],
    numbers: Int[Array, " problem"],
    key: PRNGKeyArray,
) -> tuple[Estimate, AbstractResponses, Estimate]:
    def one(number):
        keys = jax.random.split(jax.random.fold_in(key, number), 3)
        n_system, n_item = trials.shape
        truth = draw_prior(model, (n_system, n_item), key=keys[0])
        table = simulate(model, truth, trials, key=keys[1])
        leaves, structure = jax.tree.flatten(truth)
        jitter = [
            jax.random.uniform(each, leaf.shape, leaf.dtype)
            for each, leaf in zip(
                jax.random.split(keys[2], len(leaves)), leaves, strict=True
            )
        ]
        return truth, table, jax.tree.unflatten(structure, jitter)

    return eqx.filter_vmap(one)(numbers)


@jax.jit
def _place(value: Estimate, truth: Estimate, jitter: Estimate) -> Estimate:
    """Return where truths fall among one table's draws, within (0, 1)."""

    def of(draws: Array, true: Array, within: Array) -> Array:
        below = jnp.sum(draws < true[None], axis=0, dtype=true.dtype)
        return (below + within) / (draws.shape[0] + 1)

    return jax.tree.map(of, one_draw_axis(value), truth, jitter)


def _columns(model: AbstractResponseModel, values: Estimate) -> dict[str, np.ndarray]:
    """Return each parameter's numbers, tables by rows, by name."""
    system, item, shared = names_of(model)
    return (
        {name: np.asarray(values.system[:, :, k]) for k, name in enumerate(system)}
        | {name: np.asarray(values.item[:, :, k]) for k, name in enumerate(item)}
        | {name: np.asarray(values.shared[:, k, None]) for k, name in enumerate(shared)}
    )


def names_of(
    model: AbstractResponseModel,
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the names of systems', items' and shared parameters."""
    return (
        names(model.system_parameters),
        names(model.item_parameters),
        names(model.shared_parameters),
    )
