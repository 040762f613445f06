"""Rows of `experiments.active`, and the tables that are made from them."""

from typing import Any

import numpy as np
import polars as pl

from irtjax.active import ESTIMATE_METRICS, samples_to

from ._leave_one_out import Results

ROW = {
    "matrix": pl.String,
    "method": pl.String,
    "items": pl.Int64,  # of the matrix
    "target": pl.Int64,  # which system was the one to be evaluated
    "seed": pl.Int64,
    "budget": pl.Int64,  # items answered
    "truth": pl.Float64,  # mean error over all items
    "error": pl.Float64,  # estimate less truth
    "half_width": pl.Float64,  # of the 95 % interval
}
"""Columns of a record's rows: one row a target, seed and budget."""

POOLED = "all matrices"
"""The name under which the targets of all matrices stand together."""

GOALS = (0.05, 0.02, 0.01)
"""Mean errors that a number of samples is asked for."""


def result_rows(
    settings: dict[str, Any], found: Results, budgets: list[int], items: int
) -> pl.DataFrame:
    """Return a condition's rows, by target, seed and budget.

    Args:
        settings: of the condition.
        found: what came out.
        budgets: of the last axis of what came out.
        items: of the matrix.
    """
    target, seed, budget = np.indices(found.error.shape).reshape(3, -1)
    size = target.size
    return pl.DataFrame(
        {
            "matrix": [settings["matrix"]] * size,
            "method": [settings["method"]] * size,
            "items": [items] * size,
            "target": target,
            "seed": seed,
            "budget": np.asarray(budgets)[budget],
            "truth": found.truth[target],
            "error": found.error.ravel(),
            "half_width": found.half_width.ravel(),
        },
        schema=ROW,
    )


def target_table(runs: pl.DataFrame) -> pl.DataFrame:
    """Return each target's metrics: means over its seeds, by method and budget."""
    error, width = (runs[name].to_numpy() for name in ("error", "half_width"))
    metrics = {name: metric(error, width) for name, metric in ESTIMATE_METRICS.items()}
    keys = ("matrix", "method", "items", "budget", "target")
    return (
        runs.with_columns(**{name: pl.Series(each) for name, each in metrics.items()})
        .with_columns(pl.col(list(metrics)).fill_nan(None))
        .group_by(*keys, maintain_order=True)
        .agg(pl.col(list(metrics)).mean())
    )


def curve_table(targets: pl.DataFrame) -> pl.DataFrame:
    """Return each method's metrics: means over targets, by matrix and budget, and pooled.

    Args:
        targets: of `target_table`.

    Returns:
        Beside the metrics `mae_se`, the standard error of the mean absolute error over
        targets, and `worst`, the largest of a target. A budget is pooled where all
        matrices have it; that of all items stands as -1 there.
    """
    matrices = targets["matrix"].n_unique()
    everywhere = (
        targets.with_columns(
            pl.when(pl.col("budget") == pl.col("items"))
            .then(-1)
            .otherwise(pl.col("budget"))
            .alias("budget"),
        )
        .filter(pl.col("matrix").n_unique().over("method", "budget") == matrices)
        .with_columns(matrix=pl.lit(POOLED), items=pl.lit(-1, pl.Int64))
    )
    names = list(ESTIMATE_METRICS)
    return (
        pl.concat([targets, everywhere.select(targets.columns)])
        .group_by("matrix", "method", "items", "budget", maintain_order=True)
        .agg(
            pl.col(names).mean(),
            (pl.col("mae").std() / pl.len().sqrt()).alias("mae_se"),
            pl.col("mae").max().alias("worst"),
            pl.len().alias("targets"),
        )
    )


def samples_table(curves: pl.DataFrame) -> pl.DataFrame:
    """Return the smallest budget that keeps the mean error within each goal.

    Args:
        curves: of `curve_table`.

    Returns:
        One row a matrix and method; None where no budget is enough.
    """
    rows = []
    single = curves.filter(pl.col("matrix") != POOLED)
    for (matrix, method), part in single.group_by(
        "matrix", "method", maintain_order=True
    ):
        part = part.sort("budget")
        budgets = tuple(part["budget"].to_list())
        mean = part["mae"].to_numpy()
        needed = {
            f"to_{100 * goal:g}": samples_to(budgets, mean, goal) for goal in GOALS
        }
        rows.append({"matrix": matrix, "method": method, **needed})
    schema = {"matrix": pl.String, "method": pl.String}
    schema |= {f"to_{100 * goal:g}": pl.Int64 for goal in GOALS}
    return pl.DataFrame(rows, schema=schema)
