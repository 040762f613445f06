"""Figures over the plane of sparsity and difficulty gap, one mask at a time."""

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from irtjax.ranking import DEFAULT_RANKER
from irtjax.report import Figure, heat_maps, line_bands

from ._tables import condition_table, usable
from ._verdicts import KIND

MOST_LINES = 7


def error_maps(runs: pl.DataFrame, mask: str) -> Figure:
    """Return every ranker's mean error over S and D, on one colour scale.

    Args:
        runs: rows of `_tables.RUN` under one mask.
        mask: its name.
    """
    return _maps(
        runs,
        f"error-{mask.replace('_', '-')}",
        f"Mean error of every ranker, {KIND[mask]} mask, all panels on one colour "
        "scale. Hatched: no usable run.",
    )


def pair_map(runs: pl.DataFrame, mask: str) -> Figure | None:
    """Return the errors of the plain average and the default, if both ran.

    Args:
        runs: rows of `_tables.RUN` under one mask.
        mask: its name.
    """
    pair = runs.filter(pl.col("ranker").is_in(["average", DEFAULT_RANKER]))
    if pair["ranker"].n_unique() < 2:
        return None
    return _maps(
        pair,
        f"pair-{mask.replace('_', '-')}",
        f"Mean error of the plain average and of the default ranker, {KIND[mask]} mask, "
        "on one colour scale. Hatched: no usable run.",
    )


def _maps(runs: pl.DataFrame, name: str, caption: str) -> Figure:
    table = condition_table(runs)
    sparsities = sorted(set(table["sparsity"]))
    gaps = sorted(set(table["gap"]))
    panels = {}
    for ranker in runs["ranker"].unique(maintain_order=True):
        error = np.full((len(sparsities), len(gaps)), np.nan)
        for row in table.filter(pl.col("ranker") == ranker).to_dicts():
            at = sparsities.index(row["sparsity"]), gaps.index(row["gap"])
            if row["spearman_mean"] is not None:
                error[at] = 1 - row["spearman_mean"]
        panels[readable(ranker)] = error
    return heat_maps(
        panels,
        row_labels=[f"{value:.2f}" for value in sparsities],
        column_labels=[f"{value:g}" for value in gaps],
        row_title="sparsity S",
        column_title="difficulty gap D (logits)",
        value_title="error, 1 − ρ",
        name=name,
        caption=caption,
        lower=0.0,
    )


def rho_lines(runs: pl.DataFrame, mask: str) -> Iterator[Figure]:
    """Yield figures of rho against S, as many as it takes to tell the lines apart.

    Args:
        runs: rows of `_tables.RUN` under one mask.
        mask: its name.
    """
    by_sparsity = (
        usable(runs)
        .group_by("ranker", "sparsity", maintain_order=True)
        .agg(
            pl.col("spearman").mean().alias("mean"),
            pl.col("spearman").quantile(0.1, "linear").alias("low"),
            pl.col("spearman").quantile(0.9, "linear").alias("high"),
        )
        .sort("sparsity")
    )
    rankers = list(by_sparsity["ranker"].unique(maintain_order=True).sort())
    for first, some in told_apart(rankers):
        series = {}
        for ranker in some:
            one = by_sparsity.filter(pl.col("ranker") == ranker)
            columns = ("sparsity", "mean", "low", "high")
            series[readable(ranker)] = tuple(one[name].to_numpy() for name in columns)
        yield line_bands(
            series,
            x_title="sparsity S",
            y_title="Spearman's ρ with the true order",
            name=f"rho-{mask.replace('_', '-')}" + (f"-{first}" if first else ""),
            caption=(
                f"Mean ρ over gaps and seeds against sparsity, {KIND[mask]} mask. "
                "Bands: from the 10th to the 90th percentile of runs."
            ),
        )


def told_apart(names: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield parts of equal size with as many lines as a figure can hold apart.

    Args:
        names: of the lines.

    Returns:
        For each part, the place of its first name and its names.
    """
    figures = -(-len(names) // MOST_LINES)
    size = -(-len(names) // max(figures, 1))
    for first in range(0, len(names), max(size, 1)):
        yield first, names[first : first + size]


def readable(ranker: str) -> str:
    """Return the name of a ranker or simulator for people."""
    names = {
        "one_pl": "1PL",
        "two_pl": "2PL",
        "pooled_two_pl": "pooled 2PL",
        "bradley_terry": "Bradley–Terry",
        "jax": "no misfit",
    }
    return names.get(ranker, ranker.replace("_", " "))
