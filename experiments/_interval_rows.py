"""One condition of `experiments.intervals`: its tables, and how often a way is right."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import polars as pl
from jaxtyping import Array, Float, Int, PRNGKeyArray

from irtjax.data import AbstractMask, BinomialResponses, Truth
from irtjax.irt import Estimate, TwoPL, block_size, named, simulate
from irtjax.irt.posteriors import draw_prior
from irtjax.ranking import average_ranks

from ._draws import condition_key
from ._interval_methods import AbstractWay, Claimed
from ._schema import MASKS

ROW = {
    "method": pl.String,
    "systems": pl.Int64,
    "items": pl.Int64,
    "trials": pl.Int64,  # in each observed cell
    "sparsity": pl.Float64,  # nominal share of cells hidden
    "mask": pl.String,
    "seed": pl.Int64,
    "parameter": pl.String,  # `rank` beside the model's own
    "code": pl.String,  # how the fit or the sampling ended
    "intervals": pl.Int64,  # those whose ends are numbers
    "missing": pl.Int64,  # the others
    "above": pl.Int64,  # intervals that lie wholly above the truth
    "below": pl.Int64,  # wholly below it
    "width": pl.Float64,  # mean, on the parameter's own scale; of ranks, in ranks
    "place": pl.List(pl.Float64),  # the claim's share below the truth; null of ranks
}
"""Columns of a record's rows: one row a table and parameter."""

MODEL = TwoPL()
DRAWN_FROM = ("systems", "items", "trials", "sparsity", "mask")
FEWEST_A_BLOCK = 4
QUEUE = 8  # blocks that go through together


def condition_rows(
    settings: dict[str, Any], way: AbstractWay, *, block: int
) -> pl.DataFrame:
    """Return a condition's rows: draw its tables and ask for their intervals.

    Tables go through in blocks of one shape, the last one filled up with copies of its
    last table.

    Args:
        settings: of the condition.
        way: what gives intervals.
        block: the most tables in a block; large tables go through in smaller ones.

    Returns:
        Rows of `ROW`, by table and parameter.
    """
    shape = settings["systems"], settings["items"]
    fitting = QUEUE * max(block_size(*shape), FEWEST_A_BLOCK)
    size = min(block, settings["seeds"], fitting)
    key = condition_key(settings, DRAWN_FROM)
    parts = []
    for first in range(0, settings["seeds"], size):
        real = min(size, settings["seeds"] - first)
        seeds = np.minimum(np.arange(first, first + size), first + real - 1)
        truth, responses = tables(settings, seeds, key)
        claimed = way(
            MODEL,
            responses,
            truth,
            seeds,
            level=settings["level"],
            key=jax.random.fold_in(key, settings["seeds"]),
        )
        parts.append(_rows(settings, seeds[:real], truth, claimed))
    return pl.concat(parts)


def tables(
    settings: dict[str, Any], seeds: Int[np.ndarray, " problem"], key: PRNGKeyArray
) -> tuple[Estimate, BinomialResponses]:
    """Return truths drawn from the priors, and tables drawn from them.

    Args:
        settings: of the condition.
        seeds: which tables; each depends on its own seed and the key alone.
        key: of the condition.
    """
    return _tables(
        MASKS[settings["mask"]],
        (settings["systems"], settings["items"]),
        jnp.asarray(float(settings["trials"])),
        jnp.asarray(float(settings["sparsity"])),
        jnp.asarray(seeds),
        key,
    )


@eqx.filter_jit
def _tables(
    mask: AbstractMask,
    shape: tuple[int, int],
    trials: Float[Array, ""],
    sparsity: Float[Array, ""],
    seeds: Int[Array, " problem"],
    key: PRNGKeyArray,
) -> tuple[Estimate, BinomialResponses]:
    def one(seed: Int[Array, ""]) -> tuple[Estimate, BinomialResponses]:
        keys = jax.random.split(jax.random.fold_in(key, seed), 3)
        truth = draw_prior(MODEL, shape, key=keys[0])
        values = named(MODEL, truth)
        observed = mask(Truth(**values.system, **values.item), sparsity, key=keys[1])
        drawn = simulate(MODEL, truth, jnp.where(observed, trials, 0), key=keys[2])
        assert isinstance(drawn, BinomialResponses)  # the kind that the model has
        return truth, drawn

    return jax.vmap(one)(seeds)


def _rows(
    settings: dict[str, Any],
    seeds: Int[np.ndarray, " problem"],
    truth: Estimate,
    claimed: Claimed,
) -> pl.DataFrame:
    """Return the rows of the tables in a block that are its own."""
    count = len(seeds)
    values = jax.vmap(lambda each: named(MODEL, each))(truth)
    true = {**values.system, **values.item, "rank": _ranks(truth.system[..., 0])}
    rows = []
    for parameter, truths in true.items():
        here = np.asarray(truths)[:count]
        lower, upper = (
            np.asarray(end[parameter])[:count] for end in (claimed.lower, claimed.upper)
        )
        known = np.isfinite(lower) & np.isfinite(upper)
        place = claimed.below.get(parameter)
        width = np.sum(np.where(known, upper - lower, 0), axis=1)
        columns = {
            "seed": seeds.tolist(),
            "parameter": [parameter] * count,
            "code": claimed.code[:count],
            "intervals": known.sum(axis=1),
            "missing": (~known).sum(axis=1),
            "above": (known & (lower > here)).sum(axis=1),
            "below": (known & (upper < here)).sum(axis=1),
            "width": width / np.maximum(known.sum(axis=1), 1),
            "place": [None] * count
            if place is None
            else np.asarray(place, float)[:count].tolist(),
        }
        constants = {name: [settings.get(name)] * count for name in ROW}
        rows.append(pl.DataFrame(constants | columns, schema=ROW))
    return pl.concat(rows).sort("seed", maintain_order=True)


@jax.jit
def _ranks(ability: Float[Array, "problem system"]) -> Float[Array, "problem system"]:
    """Return true ranks, 1 = the highest ability."""
    from_below = jax.vmap(average_ranks)(ability)
    return ability.shape[1] + 1 - from_below
