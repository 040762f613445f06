"""The regressions of every ranker's error on sparsity and gap, as one table."""

import numpy as np
import polars as pl

from irtjax.report import Column, Table, Text

from ._regression import TERMS, clustered_surface, surface
from ._tables import cells, usable


def regression_table(runs: pl.DataFrame) -> Table | Text:
    """Return coefficients and three kinds of t for every mask and ranker.

    A ranker whose error is the same everywhere has no regression and no row.

    Args:
        runs: rows of `_tables.RUN` of one grid.
    """
    masks = runs["mask"].unique(maintain_order=True).to_list()
    rankers = runs["ranker"].unique(maintain_order=True).to_list()
    rows = []
    for mask in masks:
        for ranker in rankers:
            rows += _rows(runs, mask, ranker)
    if not rows:
        return Text(
            "The regression needs five cells or more in which both the sparsity and "
            "the gap vary; this grid has fewer."
        )
    return Table(
        caption="Regression of 1 − ρ on centred S, centred D and their product.",
        columns=(
            Column("Ranker"),
            Column("Mask"),
            Column("Term"),
            Column("Coefficient", 5, "errors; per unit of S, per logit of D"),
            Column("t", 2, "ordinary least squares over cell means"),
            Column("t, HC3", 2, "over cell means, errors of unequal variance"),
            Column("t, clustered", 2, "over single runs, clustered by condition"),
            Column("R²", 4, "over cell means"),
        ),
        rows=tuple(rows),
        name="regression",
    )


def _rows(runs: pl.DataFrame, mask: str, ranker: str) -> list[tuple]:
    found = cells(runs, mask, ranker)
    error = 1 - found.rho
    if len(error) < 5 or min(map(np.ptp, (found.sparsity, found.gap, error))) == 0:
        return []
    here = usable(runs).filter((pl.col("mask") == mask) & (pl.col("ranker") == ranker))
    fit = surface(found.sparsity, found.gap, error)
    by_run = clustered_surface(
        here["sparsity"].to_numpy(),
        here["gap"].to_numpy(),
        1 - here["spearman"].to_numpy(),
    )
    columns = (fit.coefficient, fit.t, fit.t_hc3, by_run.t)
    return [
        (ranker, mask, TERMS[k], *(float(c[k]) for c in columns), fit.r_squared)
        for k in range(len(TERMS))
    ]
