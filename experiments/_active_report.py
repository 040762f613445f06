"""The report of an active run: tables, figures and page, from stored records alone."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from irtjax.report import (
    Column,
    Figure,
    Section,
    Table,
    Text,
    line_bands,
)

from ._active_rows import GOALS, curve_table, samples_table, target_table
from ._active_verdicts import verdicts
from ._pages import made_by, missing, write_page
from ._records import Conditions

SHOWN = ("auto", "proeval", "random", "difference_systematic", "p_irt", "lure")
"""Methods that the curves show, where they were run; the tables show all."""


def write_files(name: str, conditions: Conditions, folder: Path) -> Path:
    """Write a grid's tables, figures and page; return the page.

    Args:
        name: of the grid, and of all that is written.
        conditions: the grid; those without a record are listed as missing.
        folder: gets `<name>.html`, and `<name>/` with tables and figures.
    """
    runs = conditions.runs()
    tables = {}
    sections = [Section("What is missing", missing(conditions))]
    if not runs.is_empty():
        targets = target_table(runs)
        curves = curve_table(targets)
        samples = samples_table(curves)
        tables = {"runs": runs, "curves": curves, "samples": samples}
        sections = [
            Section(
                "What was asked",
                [
                    Text(
                        "Every system of every matrix in turn is the one to be "
                        "evaluated, and all others are its history. A method picks "
                        "items, sees their outcomes and estimates the mean error over "
                        "all items, with a 95 % interval."
                    ),
                    *verdicts(samples),
                ],
            ),
            Section("Error against budget", list(_curves(curves, "mae"))),
            Section("How often 95 % intervals hold", list(_curves(curves, "coverage"))),
            Section("Samples to a mean error", [_samples(samples)]),
            Section("All figures", [_all(curves)]),
            Section("Records", missing(conditions)),
        ]
    return write_page(
        name,
        f"How few evaluations will do: {name}",
        sections,
        tables,
        folder,
        footer=made_by(conditions),
    )


def _curves(curves: pl.DataFrame, metric: str) -> Iterator[Figure]:
    for matrix in curves["matrix"].unique(maintain_order=True):
        here = curves.filter(
            (pl.col("matrix") == matrix)
            & (pl.col("budget") != pl.col("items"))
            & (pl.col("budget") > 0)
        )
        series = {}
        for method in SHOWN:
            part = here.filter(pl.col("method") == method).sort("budget")
            if part.is_empty():
                continue
            x = part["budget"].to_numpy().astype(float)
            middle = part[metric].to_numpy().astype(float)
            around = part["mae_se"].to_numpy().astype(float) * 2
            if metric == "coverage":
                around = np.zeros_like(middle)
            series[method] = (x, middle, middle - around, middle + around)
        if not series:
            continue
        words = {
            "mae": "mean absolute error",
            "coverage": "share of intervals that hold the truth",
        }[metric]
        yield line_bands(
            series,
            x_title="items answered",
            y_title=words,
            name=f"{metric}-{matrix.replace(' ', '-')}",
            caption=f"{words.capitalize()} over the targets of {matrix}."
            + (" Bands: two standard errors over targets." if metric == "mae" else ""),
            reference={"mae": 0.01, "coverage": 0.95}[metric],
            reference_title={"mae": "1 %", "coverage": "level"}[metric],
            logarithmic_x=True,
        )


def _samples(samples: pl.DataFrame) -> Table:
    names = [f"to_{100 * goal:g}" for goal in GOALS]
    return Table(
        caption="The smallest budget that was run from which on the mean error over "
        "targets stays within a goal; none where no budget is enough.",
        columns=(
            Column("Matrix"),
            Column("Method"),
            *(Column(f"To {100 * goal:g} %", 0, "items") for goal in GOALS),
        ),
        rows=tuple(
            (row["matrix"], row["method"], *(row[name] for name in names))
            for row in samples.to_dicts()
        ),
        name="samples",
    )


def _all(curves: pl.DataFrame) -> Table:
    return Table(
        caption="Means over targets; a budget of all items is written so.",
        columns=(
            Column("Matrix"),
            Column("Method"),
            Column("Items", note="answered"),
            Column("MAE", 4),
            Column("± s.e.", 4, "over targets"),
            Column("Worst", 4, "mean absolute error of a target"),
            Column("Coverage", 3, "of 95 % intervals"),
            Column("Half-width", 4),
            Column("Score", 3, "interval score; low is good"),
        ),
        rows=tuple(
            (
                row["matrix"],
                row["method"],
                "all" if row["budget"] in (-1, row["items"]) else str(row["budget"]),
                row["mae"],
                row["mae_se"],
                row["worst"],
                row["coverage"],
                row["half_width"],
                row["interval_score"],
            )
            for row in curves.to_dicts()
        ),
        name="figures",
    )
