"""The report of real tables with cells hidden, from stored records alone."""

from pathlib import Path

import numpy as np
import polars as pl

from irtjax.report import Figure, Section, Table, Text, Verdict, heat_maps

from ._findings import Findings, mean_of, told, wide_table
from ._pages import code_table, made_by, missing, write_page
from ._published_claims import TWO_PL_FLOOR
from ._records import Conditions
from ._surface_figures import readable
from ._tables import usable
from ._verdicts import KIND

QUESTION = (
    "Complete tables of real language models lose cells by a mask that goes by the "
    "table's own abilities and difficulties. Which ranker finds the order that the "
    "plain mean of the complete table has? With nothing hidden (S = 0) the plain mean "
    "is right by definition; what others lack there is what they differ from it in, "
    "not what hiding costs. A seed has the same items under every mask, so that masks "
    "compare on the same answers."
)


def write_files(name: str, conditions: Conditions, folder: Path) -> Path:
    """Write a grid's tables, figures and page; return the page.

    Args:
        name: of the grid, and of all that is written.
        conditions: the grid; those without a record are listed as missing.
        folder: gets `<name>.html`, and `<name>/` with tables and figures.
    """
    runs = conditions.runs()
    sections = [Section("What is missing", missing(conditions))]
    if not runs.is_empty():
        found = findings(runs)
        matrices = runs["matrix"].unique(maintain_order=True)
        sections = [
            Section(
                "Which ranker finds the order of the full table",
                [
                    Text("\n\n".join((QUESTION, *found.sentences))),
                    *(_figure(runs, matrix) for matrix in matrices),
                ],
            ),
            Section("The published claims on real answers", found.verdicts),
            Section("Mean ρ by sparsity", [*found.tables, _table(runs)]),
            Section(
                "How the solves ended",
                [code_table(runs, ("matrix", "mask")), *missing(conditions)],
            ),
        ]
    settings = next(iter(conditions)).settings
    footer = (
        f"{made_by(conditions)}\n\nEach condition: {settings['seeds']} data sets of "
        f"{settings['items']} items and every system of the matrix."
    )
    title = f"Real tables with cells hidden: {name}"
    tables = {} if runs.is_empty() else {"runs": runs}
    return write_page(name, title, sections, tables, folder, footer=footer)


def findings(runs: pl.DataFrame) -> Findings:
    """Return what real tables have shown, from the rows."""
    most = runs["sparsity"].max()
    table = wide_table(
        runs.filter(pl.col("sparsity") == most),
        {"matrix": "Matrix", "mask": "Mask"},
        "ranker",
        caption=f"Mean ρ over data sets with the order of the complete table, S = {most:g}.",
        name="real-most",
    )
    return Findings(QUESTION, tuple(_sentences(runs)), tuple(verdicts(runs)), (table,))


def verdicts(runs: pl.DataFrame) -> list[Verdict]:
    """Return the published claims beside what real answers say."""
    masks = runs["mask"].unique(maintain_order=True)
    matrices = runs["matrix"].unique(maintain_order=True)
    return [
        *(_floor(runs, mask) for mask in masks),
        *(_bias(runs, matrix) for matrix in matrices),
    ]


def _floor(runs: pl.DataFrame, mask: str) -> Verdict:
    floor = TWO_PL_FLOOR[0]
    claim = f"2PL's mean ρ is at least {floor} in all conditions, {KIND[mask]} mask"
    hidden = usable(runs).filter(
        (pl.col("ranker") == "two_pl") & (pl.col("mask") == mask),
        pl.col("sparsity") > 0,
    )
    if hidden.is_empty():
        why = "This grid has no fits of the 2PL with cells hidden."
        return Verdict(claim, f">= {floor}", "-", "not run", why)
    cells = (
        hidden.group_by("matrix", "sparsity", maintain_order=True)
        .agg(pl.col("spearman").mean())
        .sort("spearman", maintain_order=True)
    )
    matrix, sparsity, lowest = cells.row(0)
    return Verdict(
        claim,
        f">= {floor} on simulated data",
        f"lowest {lowest:.4f}",
        "holds" if lowest >= floor else "does not hold",
        f"The lowest of {cells.height} means on real answers, {matrix} at S = "
        f"{sparsity:g}. The order is that of the complete table's plain mean.",
    )


def _bias(runs: pl.DataFrame, matrix: str) -> Verdict:
    """Does a mask that follows difficulty hurt the average more than chance does?"""
    claim = (
        f"The average loses more where strong systems keep hard items than by chance, "
        f"{matrix}"
    )
    average = usable(runs).filter(
        (pl.col("ranker") == "average") & (pl.col("matrix") == matrix)
    )
    most = average["sparsity"].max()
    here = average.filter(pl.col("sparsity") == most)
    pair = here.filter(pl.col("mask") == "mcar").join(
        here.filter(pl.col("mask") == "assortative"), on="seed", suffix="_other"
    )
    loss = mean_of(pair["spearman"] - pair["spearman_other"])
    if loss.count < 2 or most == 0:
        why = "This grid has no such pairs of runs."
        return Verdict(claim, "more", "-", "not run", why)
    return Verdict(
        claim,
        "more",
        f"ρ under mcar less ρ under assortative {loss}",
        "holds" if loss.value > 2 * loss.error else "does not hold",
        f"At S = {most:g}, paired over {loss.count} draws of items; more means by two "
        "standard errors.",
    )


def _sentences(runs: pl.DataFrame) -> list[str]:
    most = runs["sparsity"].max()
    said = []
    for (matrix, mask), here in runs.filter(pl.col("sparsity") == most).group_by(
        "matrix", "mask", maintain_order=True
    ):
        if usable(here).is_empty():
            continue
        said.append(f"{matrix}, {KIND[str(mask)]} mask, S = {most:g}: {told(here)}.")
    return said


def _table(runs: pl.DataFrame) -> Table:
    return wide_table(
        runs,
        {"matrix": "Matrix", "mask": "Mask", "ranker": "Ranker"},
        "sparsity",
        caption="Mean ρ over data sets with the order of the complete table.",
        name="real-means",
        heading="S = {}",
    )


def _figure(runs: pl.DataFrame, matrix: str) -> Figure:
    """Return every ranker's error on a matrix, mask by sparsity."""
    here = runs.filter(pl.col("matrix") == matrix)
    masks = here["mask"].unique(maintain_order=True).to_list()
    sparsities = sorted(set(here["sparsity"]))
    means = (
        usable(here)
        .group_by("ranker", "mask", "sparsity")
        .agg(1 - pl.col("spearman").mean())
    )
    found = {tuple(row[:-1]): row[-1] for row in means.iter_rows()}
    panels = {
        readable(ranker): np.array(
            [
                [found.get((ranker, mask, s), np.nan) for s in sparsities]
                for mask in masks
            ]
        )
        for ranker in here["ranker"].unique(maintain_order=True)
    }
    return heat_maps(
        panels,
        row_labels=[readable(mask) for mask in masks],
        column_labels=[f"{value:g}" for value in sparsities],
        row_title="mask",
        column_title="sparsity S",
        value_title="error, 1 − ρ",
        name=f"real-{matrix.replace('_', '-')}",
        caption=f"Mean error of every ranker on {matrix}, against the order of the "
        "complete table. Hatched: no usable run.",
        lower=0.0,
    )
