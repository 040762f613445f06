"""What methods found, from the rows of a run."""

import polars as pl

FIGURES = ("failures", "novel", "surprise", "entropy", "vendi", "log_det")


def failures_table(runs: pl.DataFrame) -> pl.DataFrame:
    """Return one row a place and method: means over targets and seeds.

    Args:
        runs: rows of `_failure_rows.ROW`.

    Returns:
        `failures`, `novel` and `surprise` are per 100 questions asked, `error` the
        standard error of `failures` over searches, None where there is only one;
        `searches` counts them.
    """
    hundred = 100 / pl.col("asked")
    rates = [
        (pl.col(name) * hundred).mean().alias(name)
        for name in ("failures", "novel", "surprise")
    ]
    spread = (pl.col("failures") * hundred).std() / pl.len().sqrt()
    return runs.group_by("where", "method", maintain_order=True).agg(
        *rates,
        spread.alias("error"),
        pl.col("entropy", "vendi", "log_det").mean(),
        pl.col("asked").mean(),
        pl.len().alias("searches"),
    )


def curves(runs: pl.DataFrame, column: str) -> pl.DataFrame:
    """Return the mean number found by each question, and its standard error.

    Args:
        runs: rows of `_failure_rows.ROW`.
        column: "failed" for all failures, "new" for novel ones.

    Returns:
        Columns where, method, asked (1, 2, ...), mean and error (None of one search).
    """
    steps = runs.select(
        "where",
        "method",
        "target",
        "seed",
        pl.col(column),
        pl.int_ranges(1, pl.col(column).list.len() + 1).alias("at"),
    ).explode(column, "at")
    search = ("where", "method", "target", "seed")
    found = steps.with_columns(pl.col(column).cum_sum().over(search).alias("found"))
    return found.group_by("where", "method", "at", maintain_order=True).agg(
        pl.col("found").mean().alias("mean"),
        (pl.col("found").std() / pl.len().sqrt()).alias("error"),
    )
