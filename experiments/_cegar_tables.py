"""Tables of a cegar run: what frozen pools are worth, run by run and in the middle."""

import polars as pl

GROUP = ("tasks", "variant", "training")
"""What runs are summed up by."""


def pool_scores(runs: pl.DataFrame) -> pl.DataFrame:
    """Return one row a run and scored set: the loop's counts beside the pool's worth.

    Args:
        runs: rows of `_cegar_rows`.
    """
    key = [*GROUP, "seed"]
    loops = runs.filter(pl.col("what") == "loop").select(
        *key, "admitted", "attempts", "rounds", "blind_before", "blind_after"
    )
    comparator = runs.filter(pl.col("what") == "comparator").select(
        *key, "where", pl.col("closed").alias("comparator_closed")
    )
    scores = runs.filter(pl.col("what") == "pool").drop(
        "admitted", "attempts", "rounds", "blind_before", "blind_after"
    )
    return (
        scores.join(loops, on=key, how="left")
        .join(comparator, on=[*key, "where"], how="left")
        .sort(*key, "where")
    )


def summary(scores: pl.DataFrame) -> pl.DataFrame:
    """Return one row a variant and scored set: how many runs admit, gain, and how much.

    Args:
        scores: of `pool_scores`. Means are over the runs that admit an operator.
    """
    admits = pl.col("admitted") > 0
    return (
        scores.group_by(*GROUP, "where", maintain_order=True)
        .agg(
            pl.len().alias("runs"),
            admits.sum().alias("admit"),
            (admits & (pl.col("delta") > 0)).sum().alias("positive"),
            pl.col("delta").filter(admits).mean().alias("delta"),
            pl.col("closed").filter(admits).median().alias("median_closed"),
            pl.col("closed").filter(admits).max().alias("best_closed"),
            pl.col("comparator_closed").mean().alias("comparator_closed"),
            pl.col("p_exact").filter(admits).min().alias("least_p"),
            pl.col("helped").filter(admits).mean().alias("helped"),
            pl.col("hurt").filter(admits).mean().alias("hurt"),
            pl.col("percentile").mean().alias("percentile"),
        )
        .sort(*GROUP, "where")
    )


def electorates(runs: pl.DataFrame) -> pl.DataFrame:
    """Return how much a frozen pool's gain moves when other peers are chosen.

    Args:
        runs: rows of `_cegar_rows`.
    """
    key = [*GROUP, "seed", "where"]
    frozen = runs.filter(pl.col("what") == "pool").select(*key, "delta")
    others = (
        runs.filter(pl.col("what") == "electorate")
        .group_by(*key)
        .agg(
            pl.col("delta").min().alias("least"),
            pl.col("delta").max().alias("most"),
            pl.len().alias("electorates"),
        )
    )
    return frozen.join(others, on=key).sort(*key)
