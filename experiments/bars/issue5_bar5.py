"""Bar 5: chosen cells rank as well as random ones with at most 60 % as many."""

from typing import Any

import jax
import numpy as np

from irtjax.active.cells import CHOICES

from .._cell_study import follow, hidden, ratios, simulated
from . import Measurement
from ._shared import shared

MOST = 0.6
SHARES = (0.25, 0.5, 0.75, 1.0)
COMPARED = ("random", "largest_error", "expected_gain")
# Tables, share of cells there at the start, cells a batch, batches. Random's last
# batch sets the error to reach; the budgets are a tenth or less of each matrix.
SIMULATED = {"systems": 20, "items": 200, "tables": 64, "start": 0.05}
SIMULATED_BATCHES = (40, 20)
REAL = {
    "cruxeval_input": (12, 0.03, 150, 10),
    "gqa": (24, 0.03, 100, 10),
    "chembench": (12, 0.03, 100, 10),
}


def measure() -> Measurement:
    """Follow every choice on simulated tables and on real ones with cells hidden."""
    jax.config.update("jax_enable_x64", True)
    found = {"simulated": _simulated()}
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
        },
        "measured": found,
        "passed": all(
            reached(entry["ratio"]["expected_gain"]) <= MOST
            and reached(entry["ratio"]["expected_gain"])
            < reached(entry["ratio"]["largest_error"])
            and entry["failed"] == 0
            for entry in found.values()
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


def _simulated() -> dict[str, Any]:
    tables = simulated(
        SIMULATED["tables"],
        SIMULATED["systems"],
        SIMULATED["items"],
        SIMULATED["start"],
        key=jax.random.key(5),
    )
    paths = {}
    for name in (*COMPARED, "bridging_first"):
        paths[name], _ = follow(
            tables, CHOICES[name], *SIMULATED_BATCHES, key=jax.random.key(0)
        )
    return {"tables": SIMULATED, **summary(paths)}


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


def _round(value: float) -> float | None:
    """Return a ratio as JSON can hold it; None where a level was never reached."""
    return round(float(value), 3) if np.isfinite(value) else None
