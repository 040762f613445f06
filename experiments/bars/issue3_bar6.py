"""Bar 6: a file of a million long rows read, checked and ranked from the command line."""

import csv
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit

from . import Measurement

ROWS = 1_000_000
SECONDS = 60
GIGABYTES = 4


class Shape(NamedTuple):
    """A table: how large, and how many of its cells hold a result."""

    n_system: int
    n_item: int
    n_row: int


# A process starts with the peak of the one it was forked from, so the ranking is started
# by a process of its own that has none, which prints the ranking's peak at its end.
_LAUNCHER = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
if code == 0:
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
sys.exit(code)
"""

SHAPES = (Shape(200, 5_000, ROWS), Shape(5_000, 1_000, ROWS))


def measure() -> Measurement:
    """Rank each file in a fresh process with no compiled program."""
    with tempfile.TemporaryDirectory() as folder:
        return judge([_ranked(shape, Path(folder)) for shape in SHAPES])


def judge(measured: list[dict[str, Any]]) -> Measurement:
    """Return the bar's verdict.

    Args:
        measured: for each file its seconds, its peak memory and how many were ranked.
    """
    return {
        "bar": "`irtjax rank` on a CSV file of 10^6 long rows, start-up and compilation "
        "included: read, checked and ranked",
        "command": "scripts/bars 3 6",
        "required": {"seconds": SECONDS, "gigabytes": GIGABYTES},
        "measured": measured,
        "passed": len(measured) == len(SHAPES)
        and all(
            entry["seconds"] < SECONDS
            and entry["gigabytes"] < GIGABYTES
            and entry["ranked"] == entry["systems"]
            for entry in measured
        ),
    }


def write_rows(path: Path, shape: Shape, seed: int = 0) -> None:
    """Write right and wrong answers of a 2PL, one a row, in no order.

    Args:
        path: a CSV file.
        shape: cells without a result are drawn at random.
        seed: of everything.
    """
    rng = np.random.default_rng(seed)
    ability, difficulty = rng.normal(size=shape.n_system), rng.normal(size=shape.n_item)
    slope = np.exp(0.3 * rng.normal(size=shape.n_item))
    cell = rng.choice(shape.n_system * shape.n_item, shape.n_row, replace=False)
    system, item = np.divmod(cell, shape.n_item)
    chance = expit(slope[item] * (ability[system] - difficulty[item]))
    right = (rng.random(shape.n_row) < chance).astype(int)
    with open(path, "w", newline="") as stream:
        stream.write("system,item,score\n")
        stream.writelines(
            f"system-{j},item-{i},{score}\n"
            for j, i, score in zip(
                system.tolist(), item.tolist(), right.tolist(), strict=True
            )
        )


def rank_file(path: Path, cache: Path) -> dict[str, Any]:
    """Return how long ranking a file takes in a fresh process, and how much memory.

    Args:
        path: what to rank.
        cache: where compiled programs are kept.
    """
    ranking = [sys.executable, "-m", "irtjax.cli", "rank", str(path)]
    command = [sys.executable, "-c", _LAUNCHER, *ranking]
    environment = os.environ | {"JAX_COMPILATION_CACHE_DIR": str(cache)}
    start = time.perf_counter()
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        text=True,
    ) as process:
        output, said = process.communicate()
    seconds = time.perf_counter() - start
    if process.returncode:
        raise RuntimeError(said.strip().splitlines()[-1])
    rows = list(csv.DictReader(output.splitlines(), delimiter="\t"))
    peak = int(said.strip().splitlines()[-1])
    return {
        "seconds": round(seconds, 1),
        "gigabytes": round(peak * (1 if sys.platform == "darwin" else 1024) / 1e9, 2),
        "ranked": sum(bool(row["rank"]) for row in rows),
    }


def _ranked(shape: Shape, folder: Path) -> dict[str, Any]:
    path = folder / f"{shape.n_system}x{shape.n_item}.csv"
    write_rows(path, shape)
    return {
        "systems": shape.n_system,
        "items": shape.n_item,
        "rows": shape.n_row,
        "megabytes": round(path.stat().st_size / 1e6, 1),
        **rank_file(path, folder / path.stem),
    }
