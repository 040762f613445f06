"""What a grid over simulators has found: data that the 2PL does not describe."""

import itertools

import numpy as np
import polars as pl

from irtjax.report import Figure, Section, Table, Text, Verdict, heat_maps

from ._findings import Findings, mean_rho, told, wide_table
from ._simulators import SIMULATORS
from ._stress_claims import MISFIT
from ._surface_figures import readable
from ._tables import usable
from ._verdicts import KIND

BASE = "jax"
"""The simulator that breaks no assumption."""

QUESTION = (
    "What if the data are not what the 2PL assumes? Each simulator breaks one "
    "assumption."
)


def findings(runs: pl.DataFrame) -> Findings:
    """Return what a grid over simulators has found, from its rows."""
    stated = runs.filter(
        pl.any_horizontal(
            ((pl.col("sparsity") - sparsity).abs() < 1e-9)
            & ((pl.col("gap") - gap).abs() < 1e-9)
            for sparsity, gap in MISFIT
        )
    )
    tables = () if stated.is_empty() else (_table(stated),)
    return Findings(QUESTION, tuple(_sentences(runs)), tuple(verdicts(runs)), tables)


def sections(runs: pl.DataFrame) -> list[Section]:
    """Return the page's sections on misfit."""
    found = findings(runs)
    meant = "; ".join(
        f"{readable(name)}: {SIMULATORS[name].says}"
        for name in _simulators(runs)
        if name in SIMULATORS
    )
    said = Text("\n\n".join((f"{QUESTION} {meant}.", *found.sentences)))
    figures = [_figure(runs, mask) for mask in runs["mask"].unique(maintain_order=True)]
    return [
        Section("What misfit costs", [said, *figures]),
        Section("What was stated before", found.verdicts),
        Section("Mean ρ by simulator", [_table(runs)]),
    ]


def verdicts(runs: pl.DataFrame) -> list[Verdict]:
    """Return the stated ranges of the 2PL's mean rho beside ours, misfit by misfit."""
    masks = runs["mask"].unique(maintain_order=True)
    misfits = [name for name in SIMULATORS if name != BASE]
    return [
        _verdict(runs, simulator, mask, cell)
        for cell, simulator, mask in itertools.product(MISFIT, misfits, masks)
    ]


def _verdict(
    runs: pl.DataFrame, simulator: str, mask: str, cell: tuple[float, float]
) -> Verdict:
    (sparsity, gap), (low, high) = cell, MISFIT[cell]
    claim = (
        f"2PL's mean ρ at S = {sparsity:g}, D = {gap:g}, {readable(simulator)}, "
        f"{KIND[mask]} mask"
    )
    stated = f"{low:g} to {high:g}"
    where = {"simulator": simulator, "mask": mask, "sparsity": sparsity, "gap": gap}
    ours = mean_rho(runs, "two_pl", **where)
    if ours.count < 2:
        return Verdict(claim, stated, "-", "not run", "This grid has no such runs.")
    slack = 2 * ours.error
    inside = low - slack <= ours.value <= high + slack
    side = "within" if inside else "above" if ours.value > high else "below"
    return Verdict(
        claim,
        stated,
        str(ours),
        "holds" if inside else "does not hold",
        f"{ours.count} data sets. Ours is {side} the stated range, two standard errors "
        "allowed on either side.",
    )


def _simulators(runs: pl.DataFrame) -> list[str]:
    return runs["simulator"].unique(maintain_order=True).to_list()


def _sentences(runs: pl.DataFrame) -> list[str]:
    said = []
    for (mask, sparsity, gap), here in runs.group_by(
        "mask", "sparsity", "gap", maintain_order=True
    ):
        if (sparsity, gap) not in MISFIT or usable(here).is_empty():
            continue
        parts = []
        for simulator in _simulators(here):
            some = here.filter(pl.col("simulator") == simulator)
            if usable(some).is_empty():
                continue
            parts.append(f"{readable(simulator)}: {told(some)}")
        words = KIND[str(mask)].capitalize()
        said.append(f"{words}, S = {sparsity:g}, D = {gap:g}. {'; '.join(parts)}.")
    return said


def _figure(runs: pl.DataFrame, mask: str) -> Figure:
    """Return every ranker's error under a mask, simulator by sparsity and gap."""
    simulators = _simulators(runs)
    runs = runs.filter(pl.col("mask") == mask)
    columns = runs.select("sparsity", "gap").unique(maintain_order=True).rows()
    means = (
        usable(runs)
        .group_by("ranker", "simulator", "sparsity", "gap")
        .agg(1 - pl.col("spearman").mean())
    )
    found = {tuple(row[:-1]): row[-1] for row in means.iter_rows()}
    panels = {
        readable(ranker): np.array(
            [
                [found.get((ranker, simulator, *column), np.nan) for column in columns]
                for simulator in simulators
            ]
        )
        for ranker in runs["ranker"].unique(maintain_order=True)
    }
    return heat_maps(
        panels,
        row_labels=[readable(name) for name in simulators],
        column_labels=[f"{sparsity:g}, {gap:g}" for sparsity, gap in columns],
        row_title="simulator",
        column_title="sparsity S, gap D (logits)",
        value_title="error, 1 − ρ",
        name=f"misfit-{mask.replace('_', '-')}",
        caption=f"Mean error of every ranker on data that break one assumption, "
        f"{KIND[mask]} mask, all panels on one colour scale. Hatched: no usable run.",
        lower=0.0,
    )


def _table(runs: pl.DataFrame) -> Table:
    return wide_table(
        runs,
        {"mask": "Mask", "sparsity": "S", "gap": "D", "simulator": "Simulator"},
        "ranker",
        caption="Mean ρ over seeds, by simulator and ranker.",
        name="misfit-means",
    )
