"""Bar 4: how long the two grids take from nothing, compiling and report included."""

import tempfile
from pathlib import Path
from typing import Any

from experiments.bars._sweep_process import require, run_sweep

COMMAND = "python -m experiments.sweep +grid=sd150; ... +grid=sd150_fresh seeds=100"
REQUIRED = "sd150 under 60 s; sd150_fresh, 100 seeds x 4 masks, under 300 s and 2 GB"


def measure() -> dict[str, Any]:
    """Time both sweeps in fresh processes, with no compiled program and no record."""
    grids = {
        "sd150": ["+grid=sd150"],
        "sd150_fresh": ["+grid=sd150_fresh", "seeds=100"],
    }
    measured = {}
    for name, overrides in grids.items():
        with tempfile.TemporaryDirectory() as folder:
            cache, out = Path(folder) / "cache", Path(folder) / "out"
            finished = require(run_sweep([*overrides, f"out={out}"], cache=cache))
            pages = list((out / "reports").glob("*.html"))
        measured[name] = {
            "seconds": round(finished.seconds, 1),
            "peak_gigabytes": round(finished.peak_bytes / 1e9, 2),
            "report": len(pages) == 1,
        }
    small, large = measured["sd150"], measured["sd150_fresh"]
    return {
        "bar": "4",
        "command": COMMAND,
        "required": REQUIRED,
        "measured": measured,
        "passed": (
            small["seconds"] < 60
            and large["seconds"] < 300
            and large["peak_gigabytes"] < 2
            and small["report"]
            and large["report"]
        ),
    }
