"""The tables of a sweep: one row a run, one row a condition and ranker, and counts."""

from typing import NamedTuple

import numpy as np
import polars as pl
from jaxtyping import Float

from irtjax.irt import RESULTS

RANKED = {
    "seed": pl.Int64,
    "ranker": pl.String,
    "observed": pl.Float64,  # share of cells that this data set has
    "spearman": pl.Float64,  # against the true order; NaN if all scores are equal
    "kendall": pl.Float64,  # tau-b
    "top1_miss": pl.Float64,  # chance that the pick of the best is wrong
    "code": pl.String,  # how the solve ended
    "objective": pl.Float64,  # nats; the last three only where a model was fitted
    "gradient_norm": pl.Float64,
    "iterations": pl.Int64,
}
"""Columns of every grid of rankers: which data set, by which ranker, how well."""

RUN = {
    "simulator": pl.String,
    "mask": pl.String,
    "sparsity": pl.Float64,  # nominal share of cells hidden
    "gap": pl.Float64,  # largest minus smallest difficulty, logits
    "systems": pl.Int64,
    "items": pl.Int64,
    "trials": pl.Int64,  # in each observed cell
    **RANKED,
}
"""Columns of a record's `runs.parquet`: one row a data set and ranker."""

CONDITION = ("simulator", "mask", "sparsity", "gap", "systems", "items", "trials")
SUCCESS = RESULTS.successful.name
PUBLISHED_AVERAGE = "published_average"


class Cells(NamedTuple):
    """One ranker's mean agreement with the truth, cell by cell of a grid.

    Attributes:
        sparsity: nominal share of cells hidden.
        gap: logits.
        rho: mean Spearman's rho over the seeds that succeeded.
    """

    sparsity: Float[np.ndarray, " cell"]
    gap: Float[np.ndarray, " cell"]
    rho: Float[np.ndarray, " cell"]


_USABLE = (pl.col("code") == SUCCESS) & pl.col("spearman").is_not_nan()


def usable(runs: pl.DataFrame) -> pl.DataFrame:
    """Return the runs whose solve succeeded and whose rho exists."""
    return runs.filter(_USABLE)


def condition_table(runs: pl.DataFrame) -> pl.DataFrame:
    """Return one row a condition and ranker: means over its usable runs, and how many.

    Args:
        runs: rows of `RUN`.

    Returns:
        `runs` counts all, `usable` those that the means are over; the standard
        deviations have ddof 0, as published; `mcse` is the standard error of the mean
        rho.
    """

    def over_usable(column: str) -> pl.Expr:
        return pl.col(column).filter(_USABLE)

    return (
        runs.group_by(*CONDITION, "ranker", maintain_order=True)
        .agg(
            pl.len().alias("runs"),
            _USABLE.sum().alias("usable"),
            pl.col("observed").mean().alias("observed_mean"),
            over_usable("spearman").mean().alias("spearman_mean"),
            over_usable("spearman").std(ddof=0).alias("spearman_sd"),
            over_usable("spearman").min().alias("spearman_min"),
            over_usable("kendall").mean().alias("kendall_mean"),
            over_usable("top1_miss").mean().alias("top1_miss_mean"),
        )
        .with_columns(
            (pl.col("spearman_sd") / pl.col("usable").sqrt()).alias("spearman_mcse")
        )
        .sort(*CONDITION, "ranker")
    )


def cells(runs: pl.DataFrame, mask: str, ranker: str) -> Cells:
    """Return a ranker's cell means under a mask, S-major; empty where not run."""
    table = (
        usable(runs)
        .filter((pl.col("mask") == mask) & (pl.col("ranker") == ranker))
        .group_by("sparsity", "gap")
        .agg(pl.col("spearman").mean())
        .sort("sparsity", "gap")
    )
    return Cells(*(table[name].to_numpy() for name in ("sparsity", "gap", "spearman")))
