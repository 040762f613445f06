"""The report of an intervals run: tables, figures and page, from stored records alone."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from irtjax.report import Column, Figure, Section, Table, Text, heat_maps, line_bands

from ._interval_tables import (
    CONDITION,
    calibration_table,
    code_counts,
    coverage_table,
    places,
)
from ._pages import made_by, missing, write_page
from ._records import Conditions

SLACK = 0.02
"""How far from its level a coverage may be before the page says that it fails."""

UNIFORM = 0.01
"""The p-value below which ranks are called not uniform."""

_COLUMNS = (
    Column("Method", note="by the name that `method=[...]` takes"),
    Column("Condition", note="J systems, I items, K trials a cell, S hidden, mask"),
    Column("Parameter"),
)


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
    level = next(iter(conditions)).settings["level"]
    if not runs.is_empty():
        coverage, calibration = coverage_table(runs), calibration_table(runs)
        tables = {"runs": runs, "coverage": coverage, "calibration": calibration}
        sections = _sections(runs, coverage, calibration, level, conditions)
    return write_page(
        name,
        f"Do intervals hold the truth: {name}",
        sections,
        tables,
        folder,
        footer=made_by(conditions),
    )


def _sections(
    runs: pl.DataFrame,
    coverage: pl.DataFrame,
    calibration: pl.DataFrame,
    level: float,
    conditions: Conditions,
) -> list[Section]:
    """Return the page's sections, the answer first."""
    asked = Text(
        "Truths are drawn from the priors of the 2PL and tables from the truths. Each "
        f"method says where it expects every ability, difficulty, discrimination and "
        f"rank with a chance of {level:g}; the coverage is the share of those intervals "
        "that hold the truth, over all systems or items of all tables. Ranks are whole "
        "numbers, so that their intervals hold more than they say where few systems "
        "compete. A condition is J systems by I items, K trials in each observed cell, "
        "a share S of the cells hidden, and the mask that hides them."
    )
    return [
        Section(
            "How often intervals hold the truth", [asked, _misses(coverage, level)]
        ),
        Section("Where a method fails", _failures(coverage, level)),
        Section("Coverage and width", [_coverage(coverage)]),
        Section(
            "Simulation-based calibration",
            [_calibration(calibration), *_rank_curves(runs)],
        ),
        Section("How the fits ended", [_codes(runs), *missing(conditions)]),
    ]


def _misses(coverage: pl.DataFrame, level: float) -> Figure:
    """Return how far each coverage is from its level, method by condition."""
    methods = coverage["method"].unique(maintain_order=True).to_list()
    labels = list(dict.fromkeys(map(condition_label, coverage.to_dicts())))
    panels = {}
    for parameter in coverage["parameter"].unique(maintain_order=True):
        panel = np.full((len(methods), len(labels)), np.nan)
        for row in coverage.filter(pl.col("parameter") == parameter).to_dicts():
            if row["coverage"] is not None:
                at = methods.index(row["method"]), labels.index(condition_label(row))
                panel[at] = abs(row["coverage"] - level)
        panels[parameter] = panel
    return heat_maps(
        panels,
        row_labels=methods,
        column_labels=labels,
        row_title="method",
        column_title="condition",
        value_title="distance of the coverage from its level",
        name="misses",
        caption=f"How far the coverage is from {level:g}, above or below. Hatched: not "
        "run, or no interval.",
        lower=0.0,
    )


def _failures(coverage: pl.DataFrame, level: float) -> list[Text | Table]:
    """Return what covers less, or more, than it says by over `SLACK`."""
    off = coverage.filter((pl.col("coverage") - level).abs() > SLACK)
    if off.is_empty():
        return [Text(f"No coverage is over {SLACK:g} from {level:g}.")]
    worst = (
        off.group_by("method", "parameter", maintain_order=True)
        .agg(
            pl.len().alias("conditions"),
            pl.col("coverage").min().alias("lowest"),
            pl.col("coverage").max().alias("highest"),
        )
        .to_dicts()
    )
    counts = {
        (row["method"], row["parameter"]): row["len"]
        for row in coverage.group_by("method", "parameter").len().to_dicts()
    }
    return [
        Text(f"Coverages over {SLACK:g} from {level:g}, by method and parameter."),
        Table(
            caption="Where intervals hold the truth too seldom, or too often.",
            columns=(
                Column("Method"),
                Column("Parameter"),
                Column("Failing", 0, "conditions"),
                Column("Of", 0, "conditions in which it was run"),
                Column("Lowest coverage", 3, "among the failing"),
                Column("Highest coverage", 3, "among the failing"),
            ),
            rows=tuple(
                (
                    row["method"],
                    row["parameter"],
                    row["conditions"],
                    counts[row["method"], row["parameter"]],
                    row["lowest"],
                    row["highest"],
                )
                for row in worst
            ),
            name="failures",
        ),
    ]


def _coverage(coverage: pl.DataFrame) -> Table:
    return Table(
        caption="Coverage and mean width of every method, condition by condition.",
        columns=(
            *_COLUMNS,
            Column("Coverage", 4),
            Column("± s.e.", 4, "of the coverage, over tables"),
            Column("Above", 4, "share of intervals wholly above the truth"),
            Column("Below", 4, "share of intervals wholly below it"),
            Column("Width", 3, "mean; logits, slope units or ranks"),
            Column("Tables", 0),
            Column(
                "Left out",
                0,
                "tables whose fit did not converge, or that have no draws",
            ),
        ),
        rows=tuple(
            (
                *_head(row),
                row["coverage"],
                row["mcse"],
                row["above"],
                row["below"],
                row["width"],
                row["tables"],
                row["tables"] - row["usable"],
            )
            for row in coverage.to_dicts()
        ),
        name="coverage",
    )


def _calibration(calibration: pl.DataFrame) -> Table:
    return Table(
        caption="Whether truths fall evenly over what was claimed of them.",
        columns=(
            *_COLUMNS,
            Column("p", 4, "of even ranks; small = not calibrated"),
            Column("Tables", 0, "with a rank for every row"),
            Column("Even", note=f"p above {UNIFORM:g}"),
        ),
        rows=tuple(
            (*_head(row), row["p_value"], row["tables"], _even(row["p_value"]))
            for row in calibration.to_dicts()
        ),
        name="calibration",
    )


def _even(p_value: float | None) -> str:
    if p_value is None:
        return "not run"
    return "yes" if p_value > UNIFORM else "no"


def _rank_curves(runs: pl.DataFrame) -> Iterator[Figure]:
    """Yield, for each parameter, by how much ranks below u exceed the share u."""
    at = np.linspace(0.025, 0.975, 39)
    placed = runs.filter(pl.col("place").is_not_null())
    for parameter in placed["parameter"].unique(maintain_order=True):
        series = {}
        of_parameter = placed.filter(pl.col("parameter") == parameter)
        for (method,), here in of_parameter.group_by("method", maintain_order=True):
            parts = [
                np.mean(places(one)[:, :, None] <= at, axis=1)
                for _, one in here.group_by(*CONDITION, maintain_order=True)
            ]
            excess = np.concatenate(parts) - at
            middle = excess.mean(axis=0)
            error = 2 * excess.std(axis=0) / np.sqrt(len(excess))
            series[str(method)] = (at, middle, middle - error, middle + error)
        yield line_bands(
            series,
            x_title="claimed chance u that the truth lies lower",
            y_title="share of truths below, less u",
            name=f"ranks-{parameter}",
            caption=f"Ranks of {parameter} over all conditions, less what even ranks "
            "would be. Bands: two standard errors over tables. A line that falls from "
            "above 0 to below it: intervals too narrow.",
            reference=0.0,
            reference_title="calibrated",
        )


def _codes(runs: pl.DataFrame) -> Table:
    return Table(
        caption="Tables by how their fit or sampling ended. Fits that did not converge "
        "count in no coverage; draws count whatever the diagnostics of their chains say.",
        columns=(*_COLUMNS[:2], Column("Code"), Column("Tables", 0)),
        rows=tuple(
            (row["method"], condition_label(row), row["code"], row["tables"])
            for row in code_counts(runs).to_dicts()
        ),
        name="codes",
    )


def _head(row: dict) -> tuple[str, str, str]:
    return row["method"], condition_label(row), row["parameter"]


def condition_label(row: dict) -> str:
    """Return a condition's settings in a few characters."""
    return (
        f"{row['systems']}×{row['items']} K{row['trials']} S{row['sparsity']:g} "
        f"{row['mask']}"
    )
