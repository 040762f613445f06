"""Bar 4: how long the two grids take from nothing, compiling and report included."""

import tempfile
from pathlib import Path
from typing import Any

from . import Measurement
from ._sweep_process import require, run_sweep

GRIDS = {"sd150": ["+grid=sd150"], "sd150_fresh": ["+grid=sd150_fresh", "seeds=100"]}
REQUIRED = {
    "sd150": {"seconds": 60},
    "sd150_fresh": {"seconds": 300, "peak_gigabytes": 2},
}


def measure() -> Measurement:
    """Time both sweeps in fresh processes, with no compiled program and no record."""
    measured = {}
    for name, overrides in GRIDS.items():
        with tempfile.TemporaryDirectory() as folder:
            cache, out = Path(folder) / "cache", Path(folder) / "out"
            finished = require(run_sweep([*overrides, f"out={out}"], cache=cache))
            pages = list((out / "reports").glob("*.html"))
        measured[name] = {
            "seconds": round(finished.seconds, 1),
            "peak_gigabytes": round(finished.peak_bytes / 1e9, 2),
            "report": len(pages) == 1,
        }
    return judge(measured)


def judge(measured: dict[str, dict[str, Any]]) -> Measurement:
    """Return the bar's verdict on what both sweeps took.

    Args:
        measured: by grid its seconds, its peak memory and whether it left a report.
    """
    return {
        "bar": "Both grids from nothing, compiling and report included, in time and "
        "memory",
        "command": "scripts/bars 2 4",
        "required": REQUIRED,
        "measured": measured,
        "passed": all(
            measured[grid]["report"]
            and all(measured[grid][name] < most for name, most in limits.items())
            for grid, limits in REQUIRED.items()
        ),
    }
