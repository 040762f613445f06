"""Bar 4: failures found in pools of real errors, and by writing questions."""

from typing import Any

import numpy as np
import polars as pl

from .._failure_rows import OFFLINE, condition_rows
from .._failure_tables import FIGURES, failures_table
from .._matrices import NAMES
from . import Measurement
from ._shared import shared

JUDGED = "gqa"
POOL = ("failures", "surprise", "novelty", "superlevel", "superlevel_published")
BASELINES = ("prior_mean", "random")
WRITTEN = ("writing", "writing_blindly", "random_questions")
PICKS, SEEDS = 100, 20
FEWEST, TIMES_RANDOM, TIMES_WRITTEN = 95.0, 2.0, 3.0


def measure() -> Measurement:
    """Search every matrix for every target, and write questions in 20 worlds."""
    import jax

    jax.config.update("jax_enable_x64", True)
    folder = shared() / "data" / "matrices"
    conditions = [(name, way) for name in NAMES for way in (*POOL, *BASELINES)]
    conditions += [(OFFLINE, way) for way in WRITTEN]
    rows = [
        condition_rows(
            {"where": where, "method": method, "picks": PICKS, "seeds": SEEDS}, folder
        )
        for where, method in conditions
    ]
    return judge(pl.concat(rows))


def judge(runs: pl.DataFrame) -> Measurement:
    """Return the bar's verdict.

    Args:
        runs: rows of `_failure_rows.ROW`.
    """
    means = {
        (row["where"], row["method"]): row for row in failures_table(runs).to_dicts()
    }
    novel = {method: means[JUDGED, method]["novel"] for method in (*POOL, *BASELINES)}
    found = {method: _total(runs, method) for method in WRITTEN}
    ratio = found["writing"] / max(found["random_questions"], 1)
    held = {
        "failures in 100 picks": means[JUDGED, "failures"]["failures"] >= FEWEST,
        "novel against random": novel["novelty"] >= TIMES_RANDOM * novel["random"],
        "novel against published": novel["novelty"] > novel["superlevel_published"],
        "written against random questions": ratio >= TIMES_WRITTEN,
    }
    return {
        "bar": "Failures in 100 picks on gqa, mean over its targets: at least 95 in the "
        "mode for failures; in the mode for novelty at least twice random's novel ones "
        "and more than the published method's. Written questions: at least 3 times the "
        "failures of random ones over 20 worlds",
        "command": "scripts/bars 5 4",
        "required": {
            "failures in 100 picks": FEWEST,
            "novel against random": TIMES_RANDOM,
            "novel against published": "more",
            "written against random questions": TIMES_WRITTEN,
        },
        "measured": {
            "held": held,
            "written failures": found,
            "written against random questions": round(ratio, 2),
            "worlds in which writing found 3 times as many": _worlds(runs),
            "by place and method": {
                f"{where} {method}": _figures(row)
                for (where, method), row in means.items()
            },
        },
        "passed": all(held.values()),
    }


def _figures(row: dict[str, Any]) -> dict[str, float]:
    return {name: round(row[name], 3) for name in FIGURES}


def _total(runs: pl.DataFrame, method: str) -> float:
    return float(runs.filter(pl.col("method") == method)["failures"].to_numpy().sum())


def _worlds(runs: pl.DataFrame) -> str:
    one, other = (
        runs.filter(pl.col("method") == method).sort("seed")["failures"].to_numpy()
        for method in ("writing", "random_questions")
    )
    return f"{int(np.sum(one >= TIMES_WRITTEN * other))} of {len(one)}"
