"""Bar 1: the published figures from the published data, digit by digit."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from experiments import _published_claims as published
from experiments._records import load_grid
from experiments._regression import TERMS, surface
from experiments._tables import PUBLISHED_AVERAGE
from experiments._verdicts import average_cells, verdicts

from . import Measurement
from ._shared import shared
from ._sweep_process import require, run_sweep

MASKS = {"assortative": "biased", "mcar": "mcar"}


def measure() -> Measurement:
    """Run the published grid anew and compare it with the published outputs."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        require(run_sweep(["+grid=sd150", "report=false", f"out={out}"]))
        conditions = load_grid(out / "grids" / "sd150.json", out).conditions
        return judge(conditions.runs())


def judge(runs: pl.DataFrame) -> Measurement:
    """Return the bar's verdict on a sweep's runs.

    Args:
        runs: rows of `_tables.RUN` of the published grid.
    """
    average = compare(runs, PUBLISHED_AVERAGE, "avg")
    exact = compare(runs, "average", "avg")
    two_pl = compare(runs, "two_pl", "irt")
    means = cell_means(runs)
    digits = regression_digits(runs)
    return {
        "bar": "Published rhos and cell means equal at 4 decimals, every average and 99.9 % "
        "of the 2PL's; regression coefficients, t and R squared to all printed digits, both masks",
        "command": "scripts/bars 2 1",
        "required": {
            "average": {"runs": 3000, "equal": 3000},
            "two_pl": {"runs": 1500, "equal": 1499},
            "cell_means": {"cells": 300, "equal": 300},
            "regression": "all same",
        },
        "measured": {
            "average": counted(average),
            "two_pl": {**counted(two_pl), "exceptions": exceptions(two_pl)},
            "cell_means": means,
            "regression": digits,
            "average_with_exact_ties": counted(exact),
            "verdicts": [
                {"claim": v.claim, "ours": v.ours, "outcome": v.outcome, "why": v.why}
                for v in verdicts(runs)
            ],
        },
        "passed": bool(
            average["same"].all()
            and average.height == 3000
            and two_pl["same"].sum() >= 0.999 * two_pl.height
            and two_pl.height == 1500
            and means == {"cells": 300, "equal": 300}
            and all(entry["same"] for entry in digits)
        ),
    }


def reference(name: str) -> pl.DataFrame:
    """Return one of the published tables."""
    return pl.read_csv(shared() / "reference" / "kang2026" / name)


def cell_means(runs: pl.DataFrame) -> dict[str, int]:
    """Return how many published cell means there are, over all 15 seeds, and equal."""
    theirs = reference("grid_summary.csv").sort("S", "D")
    equal, count = 0, 0
    for mask, column in MASKS.items():
        published_means = theirs[f"rho_avg_{column}_mean"].to_numpy()
        ours = average_cells(runs, mask).rho
        count += len(published_means)
        if len(ours) == len(published_means):
            equal += int(np.sum(np.abs(ours - published_means) < 1e-9))
    return {"cells": count, "equal": equal}


def compare(runs: pl.DataFrame, ranker: str, method: str) -> pl.DataFrame:
    """Return published runs beside ours, with whether they agree at 4 decimals.

    Args:
        runs: rows of `_tables.RUN`.
        ranker: ours.
        method: theirs, `avg` or `irt`.
    """
    ours = runs.filter(pl.col("ranker") == ranker).select(
        pl.col("sparsity").round(2).alias("S"),
        pl.col("gap").alias("D"),
        "seed",
        pl.col("mask").replace(MASKS).alias("miss"),
        pl.col("spearman").alias("ours"),
    )
    theirs = reference("grid_raw_runs_seeds0-9.csv").filter(pl.col("method") == method)
    both = theirs.join(ours, on=["S", "D", "seed", "miss"], how="left")
    same = ((pl.col("ours") - pl.col("rho")).abs() < 0.51e-4).fill_null(False)
    return both.with_columns(same.alias("same"))


def counted(compared: pl.DataFrame) -> dict[str, int]:
    """Return how many runs there are and how many agree."""
    return {"runs": compared.height, "equal": int(compared["same"].sum())}


def exceptions(compared: pl.DataFrame) -> list[dict[str, Any]]:
    """Return the runs that do not agree."""
    return compared.filter(~pl.col("same")).drop("same", "method").to_dicts()


def regression_digits(runs: pl.DataFrame) -> list[dict[str, Any]]:
    """Return every published number of the regressions beside ours."""
    entries = []
    for mask, numbers in published.SURFACE.items():
        found = average_cells(runs, mask)
        fit = surface(found.sparsity, found.gap, 1 - found.rho)
        ours = dict(zip(TERMS, fit.coefficient.tolist(), strict=True))
        ours |= {"t of S x D": float(fit.t[3]), "R squared": fit.r_squared}
        entries += [
            {
                "mask": mask,
                "number": name,
                "published": str(number),
                "ours": ours[name],
                "same": number.agrees(ours[name]),
            }
            for name, number in numbers.items()
        ]
    return entries
