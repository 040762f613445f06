"""Bar 6: real tables ranked from the command line, and in any order the same."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import jax
import numpy as np
from jaxtyping import Float

from irtjax.data import ResponseTable, read_table
from irtjax.ranking import Ranking, rank_table

from . import Measurement
from ._shared import shared

MATRIX = {"systems_in": "columns", "score_is": "failure"}
FILES = {
    "matrices/gqa_labels.csv": MATRIX,
    "matrices/cruxeval_input_labels.csv": MATRIX,
    "matrices/chembench_labels.csv": MATRIX,
    "leaderboards/evo_sota_vla.csv": {"systems_in": "rows", "score_is": "success"},
}
SECONDS = 15
DIFFERENCE = 1e-8
PERMUTATIONS = 3


def measure() -> Measurement:
    """Rank each file in a fresh process with no compiled program, then permuted."""
    jax.config.update("jax_enable_x64", True)
    data = shared() / "data"
    return judge([_file(data / name, reading) for name, reading in FILES.items()])


def judge(measured: list[dict[str, Any]]) -> Measurement:
    """Return the bar's verdict.

    Args:
        measured: for each file its seconds and what permutations changed.
    """
    return {
        "bar": "`irtjax rank` on four real tables, start-up included; the same under any "
        "permutation of rows or columns",
        "command": "scripts/bars 2 6",
        "required": {"seconds": SECONDS, "difference": DIFFERENCE},
        "measured": measured,
        "passed": len(measured) == len(FILES)
        and all(
            entry["seconds"] < SECONDS and entry["largest_difference"] <= DIFFERENCE
            for entry in measured
        ),
    }


def _file(path: Path, reading: dict[str, Any]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as cache:
        seconds = [_seconds(path, reading, cache) for _ in range(2)]
    table = read_table(path, **reading)
    ranking = rank_table(table)
    best = np.argsort(np.asarray(ranking.rank), kind="stable")[:3]
    return {
        "file": path.name,
        "systems_items": list(table.responses.shape),
        "seconds": round(seconds[0], 1),
        "seconds_compiled": round(seconds[1], 1),
        "best": [str(ranking.system_ids[k]) for k in best],
        "plain_mean": [round(float(ranking.plain_mean[k]), 4) for k in best],
        "largest_difference": _largest_difference(table, ranking),
    }


def _seconds(path: Path, reading: dict[str, Any], cache: str) -> float:
    options = [f"--{name.replace('_', '-')}={value}" for name, value in reading.items()]
    command = [sys.executable, "-m", "irtjax.cli", "rank", str(path), *options]
    environment = os.environ | {"JAX_COMPILATION_CACHE_DIR": cache}
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=environment)
    return time.perf_counter() - start


def _largest_difference(table: ResponseTable, ranking: Ranking) -> float:
    """Return the largest change of a score, a rank or an interval, over permutations."""
    generator = np.random.default_rng(0)
    n_system, n_item = table.responses.shape
    largest = 0.0
    for _ in range(PERMUTATIONS):
        systems, items = generator.permutation(n_system), generator.permutation(n_item)
        other = rank_table(table.permuted(systems, items))
        for name in ("score", "se", "rank", "rank_lower", "rank_upper", "p_best"):
            here = np.asarray(getattr(ranking, name), float)[systems]
            there = np.asarray(getattr(other, name), float)
            largest = max(largest, largest_gap(here, there))
    return largest


def largest_gap(
    here: Float[np.ndarray, " system"], there: Float[np.ndarray, " system"]
) -> float:
    """Return the largest difference of values that both sides have.

    Raises:
        ValueError: if one side has no value where the other has one.
    """
    known = ~np.isnan(here)
    if not np.array_equal(known, ~np.isnan(there)):
        raise ValueError("A permutation changed which systems have a value.")
    return float(np.max(np.abs(there - here)[known], initial=0))
