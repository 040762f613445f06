"""Bar 5: chosen cells rank as well as random ones with at most 60 % as many."""

from typing import Any

import jax
import numpy as np

from irtjax.active.cells import CHOICES

from .._cell_study import (
    Tables,
    follow,
    hidden,
    masked,
    ratios,
    scattered,
    simulated,
)
from . import Measurement
from ._shared import shared

MOST = 0.6
SHARES = (0.25, 0.5, 0.75, 1.0)
COMPARED = ("random", "largest_error", "expected_gain")
SYSTEMS, ITEMS = 20, 200
# Tables, batches of 40 cells.
SIMULATED, SCATTERED = (64, 20), (32, 14)
# Tables where most items were run by one system or none are reported, not judged:
# there the items must be learned first, and the saving is smaller.
NOT_JUDGED = ("simulated_scattered",)
# Copies, share of cells there at the start, cells a batch, batches. Random's last batch
# sets the error to reach; the budgets are a tenth or less of each matrix.
REAL = {
    "cruxeval_input": (8, 0.03, 150, 10),
    "gqa": (16, 0.03, 100, 10),
    "chembench": (8, 0.03, 100, 10),
}


def measure() -> Measurement:
    """Follow every choice on simulated tables and on real ones with cells hidden."""
    jax.config.update("jax_enable_x64", True)
    outcome, truth = simulated(SIMULATED[0], SYSTEMS, ITEMS, key=jax.random.key(5))
    start = masked(outcome, truth, 0.85, key=jax.random.key(6))
    found = {"simulated": made_up(start, SIMULATED[1])}
    few = jax.tree.map(lambda leaf: leaf[: SCATTERED[0]], truth)
    start = scattered(outcome[: SCATTERED[0]], few, 0.05, key=jax.random.key(6))
    found["simulated_scattered"] = made_up(start, SCATTERED[1])
    for name, settings in REAL.items():
        found[name] = real(name, *settings)
    return judge(found)


def judge(found: dict[str, dict[str, Any]]) -> Measurement:
    """Return the bar's verdict.

    Args:
        found: by table, the mean ratio of each choice, and all that is behind it.
    """
    return {
        "bar": "Cells chosen by expected gain reach the rank error of random cells with "
        "at most 60 % of the evaluations, and with fewer than the largest standard "
        "error takes; mean over four levels of error",
        "command": "scripts/bars 5 5",
        "required": {
            "evaluations of expected_gain over random's": MOST,
            "of each table": "fewer than largest_error, no failed fit",
            "not judged": ", ".join(NOT_JUDGED),
        },
        "measured": found,
        "passed": all(
            reached(entry["ratio"]["expected_gain"]) <= MOST
            and reached(entry["ratio"]["expected_gain"])
            < reached(entry["ratio"]["largest_error"])
            and entry["failed"] == 0
            for name, entry in found.items()
            if name not in NOT_JUDGED
        ),
    }


def reached(ratio: float | None) -> float:
    """Return a ratio, infinite where a level was never reached."""
    return float("inf") if ratio is None else ratio


def summary(paths: dict[str, Any]) -> dict[str, Any]:
    """Return what is stored of the paths of one kind of tables."""
    by_level = ratios(paths, SHARES)
    return {
        "ratio": {name: _round(np.mean(each)) for name, each in by_level.items()},
        "ratio_by_level": {
            name: [_round(value) for value in each] for name, each in by_level.items()
        },
        "error": {
            name: [round(float(value), 4) for value in path.error]
            for name, path in paths.items()
        },
        "spent": paths["random"].spent.tolist(),
        "failed": sum(path.failed for path in paths.values()),
    }


def made_up(tables: Tables, rounds: int) -> dict[str, Any]:
    """Return what became of simulated tables, 40 cells a batch."""
    paths = {}
    for name in (*COMPARED, "bridging_first"):
        paths[name], _ = follow(
            tables, CHOICES[name], 40, rounds, key=jax.random.key(0)
        )
    return {"tables": tables.outcome.shape[0], **summary(paths)}


def real(
    name: str, n_table: int, share: float, batch: int, rounds: int
) -> dict[str, Any]:
    """Return what became of a real table with cells hidden."""
    file = shared() / "data" / "matrices" / f"{name}_labels.csv"
    tables, means = hidden(file, n_table, share, key=jax.random.key(5))
    paths, plain = {}, {}
    for each in COMPARED:
        paths[each], plain[each] = follow(
            tables,
            CHOICES[each],
            batch,
            rounds,
            key=jax.random.key(0),
            other_truth=means,
        )
    against = ratios(plain, SHARES)
    return {
        "copies": n_table,
        **summary(paths),
        "ratio_against_plain_means": {
            each: _round(np.mean(values)) for each, values in against.items()
        },
    }


def _round(value: float | np.floating) -> float | None:
    """Return a ratio as JSON can hold it; None where a level was never reached."""
    return round(float(value), 3) if np.isfinite(value) else None
