"""Bar 5: every grid of this issue in under 10 minutes on two cores, and resumable."""

import os
import random
import signal
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from . import Measurement
from ._shared import shared
from ._sweep_process import require, run_application
from .issue2_bar5 import tables

SECONDS = 600.0
CORES = 2
GRIDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "trials": ("sweep", "+grid=trials"),
        "connectivity": ("sweep", "+grid=connectivity"),
        "misfit": ("sweep", "+grid=misfit"),
        "real_masked": ("real_masked", "+grid=real_masked"),
        "domains": ("domains",),
    }
)
"""Applications and their arguments, by the name of the grid."""


def measure() -> Measurement:
    """Run every grid whole, and again with a kill in between."""
    os.environ["IRTJAX_SHARED"] = str(shared())
    if hasattr(os, "sched_setaffinity"):  # Linux; the grids inherit it
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    found = {}
    for name, (application, *overrides) in GRIDS.items():
        with tempfile.TemporaryDirectory() as folder:
            found[name] = compare(Path(folder), application, overrides)
    return judge(found)


def judge(found: Mapping[str, Mapping[str, Any]]) -> Measurement:
    """Return the bar's verdict.

    Args:
        found: what `compare` found, by the name of the grid.
    """
    return {
        "bar": "Every grid in under 10 minutes on two cores, resumed after a kill",
        "command": "scripts/bars 3 5",
        "required": {
            "seconds": SECONDS,
            "resumed": "tables byte-equal, and what was recorded not computed again",
        },
        "measured": dict(found),
        "passed": set(found) == set(GRIDS)
        and all(
            entry["seconds"] < SECONDS and entry["byte_equal"] and entry["kept"]
            for entry in found.values()
        ),
    }


def compare(folder: Path, application: str, overrides: Sequence[str]) -> dict[str, Any]:
    """Return a grid's seconds from nothing, and whether a kill changes anything.

    Args:
        folder: an empty one, for everything written.
        application: of the grid.
        overrides: its arguments.
    """
    whole, killed = folder / "whole", folder / "killed"
    cache = folder / "cache"

    first = require(
        run_application(application, [*overrides, f"out={whole}"], cache=cache)
    )
    records = list((whole / application).glob("*/record.json"))
    wanted = random.Random(0).randint(1, max(1, len(records) - 2))

    def reached() -> bool:
        return len(_recorded(killed / application)) >= wanted

    again = [*overrides, f"out={killed}"]
    ended = run_application(application, again, cache=cache, kill_when=reached)
    if ended.code != -signal.SIGKILL:
        raise RuntimeError(f"Not killed but ended with {ended.code}: {ended.said}")
    before = _recorded(killed / application)
    require(run_application(application, again, cache=cache))
    after = _recorded(killed / application)
    return {
        "conditions": len(records),
        "seconds": round(first.seconds, 1),
        "peak_gigabytes": round(first.peak_bytes / 1e9, 2),
        "killed_after": len(before),
        "byte_equal": tables(killed) == tables(whole),
        "kept": all(after.get(name) == time for name, time in before.items()),
    }


def _recorded(folder: Path) -> dict[str, int]:
    """Return when each record was written, in nanoseconds, by its folder's name."""
    found = {}
    for path in folder.glob("*/record.json"):
        found[path.parent.name] = path.stat().st_mtime_ns
    return found
