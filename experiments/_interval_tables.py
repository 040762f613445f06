"""Coverage, width and calibration of intervals, from the rows of a run."""

import numpy as np
import polars as pl

from irtjax.irt import RESULTS
from irtjax.irt.posteriors import SAMPLING, uniformity

CONDITION = ("systems", "items", "trials", "sparsity", "mask")
GROUP = ("method", *CONDITION, "parameter")
USABLE = (
    RESULTS.successful.name,
    SAMPLING.few_effective.name,
    SAMPLING.chains_disagree.name,
    SAMPLING.diverged.name,
)
"""Codes whose intervals count. Draws count whatever their diagnostics say, lest what is
hard to sample goes unseen; fits count if they converged."""

_USABLE = pl.col("code").is_in(USABLE) & (pl.col("intervals") > 0)


def coverage_table(runs: pl.DataFrame) -> pl.DataFrame:
    """Return one row a condition, method and parameter.

    Args:
        runs: rows of `_interval_rows.ROW`.

    Returns:
        `coverage` is the share of intervals that hold the truth, pooled over systems or
        items and over the tables whose code is one of `USABLE`; `mcse` its standard
        error, tables being independent and their rows not; `above` and `below` are the
        shares of intervals wholly above and below the truth. `tables` counts all,
        `usable` those that count here, `missing` their intervals without ends.
    """
    held = pl.col("intervals") - pl.col("above") - pl.col("below")
    total = pl.col("intervals").filter(_USABLE).sum()

    def share(column: str) -> pl.Expr:
        return (pl.col(column).filter(_USABLE).sum() / total).alias(column)

    own = (held / pl.col("intervals")).filter(_USABLE)
    return (
        runs.group_by(*GROUP, maintain_order=True)
        .agg(
            (held.filter(_USABLE).sum() / total).alias("coverage"),
            (own.std() / own.len().sqrt()).alias("mcse"),
            share("above"),
            share("below"),
            pl.col("width").filter(_USABLE).mean(),
            pl.len().alias("tables"),
            _USABLE.sum().alias("usable"),
            pl.col("missing").filter(_USABLE).sum(),
        )
        .with_columns(pl.col("coverage", "above", "below").fill_nan(None))
    )


def calibration_table(runs: pl.DataFrame) -> pl.DataFrame:
    """Return the p-value of uniform ranks by condition, method and parameter.

    The ranks are those of simulation-based calibration: where each truth falls in what
    was claimed of it. Tables that failed count like the others; a table with a place
    that is no number is left out.

    Args:
        runs: rows of `_interval_rows.ROW`.
    """
    placed = runs.filter(pl.col("place").is_not_null())
    rows = []
    for key, here in placed.group_by(*GROUP, maintain_order=True):
        place = places(here)
        p_value = uniformity(place) if len(place) else None
        rows.append((*key, len(place), p_value))
    kept = {name: runs.schema[name] for name in GROUP}
    schema = kept | {"tables": pl.Int64, "p_value": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def places(runs: pl.DataFrame) -> np.ndarray:
    """Return the places of one condition's parameter, tables by rows, all finite."""
    place = np.array(runs["place"].to_list(), float)
    return place[np.all(np.isfinite(place), axis=1)] if place.size else place


def code_counts(runs: pl.DataFrame) -> pl.DataFrame:
    """Return how many tables ended with each code, by method and condition."""
    return (
        runs.unique([*GROUP[:-1], "seed"], maintain_order=True)
        .group_by(*GROUP[:-1], "code", maintain_order=True)
        .agg(pl.len().alias("tables"))
    )
