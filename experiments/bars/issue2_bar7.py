"""Bar 7: a newcomer's two commands in a fresh clone, the checks and the coverage."""

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from . import Measurement
from ._shared import shared
from ._sweep_process import ROOT

COVERAGE = 90
COMMANDS = {
    "main job": ["./scripts/run", "python", "-m", "experiments.sweep", "+grid=sd150"],
    "tests": ["./scripts/run", "pytest", "-n", "2", "--cov", "--cov-report=json"],
    "checks": ["./scripts/run", "scripts/check", "--no-tests"],
}


def measure() -> Measurement:
    """Clone what is committed into an empty folder and do what the README says."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "irtjax"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        measured = {
            name: _run(command, clone, Path(folder))
            for name, command in COMMANDS.items()
        }
        report = clone / "results" / "reports" / "sd150.html"
        coverage = json.loads((clone / "coverage.json").read_text())
        measured["main job"]["report"] = report.is_file()
    return judge(measured, coverage["totals"]["percent_covered"])


def judge(measured: dict[str, dict[str, Any]], coverage: float) -> Measurement:
    """Return the bar's verdict.

    Args:
        measured: for each command its exit code and seconds.
        coverage: percent of `irtjax`'s lines that the tests run.
    """
    return {
        "bar": "The README's two commands and all checks pass in a fresh clone in an empty "
        "folder; the tests cover the library",
        "command": "scripts/bars 2 7",
        "required": {"exit_code": 0, "coverage_percent": COVERAGE},
        "measured": {"commands": measured, "coverage_percent": round(coverage, 1)},
        "passed": coverage >= COVERAGE
        and measured["main job"]["report"]
        and all(entry["exit_code"] == 0 for entry in measured.values()),
    }


def _run(command: list[str], clone: Path, home: Path) -> dict[str, Any]:
    """Run a command as on a new machine: no environment, no compiled program."""
    kept = {"PATH", "LANG", "TMPDIR", "PIP_CONFIG_FILE", "IRTJAX_PYTHON"}
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    # The environment that this process runs in must not be found first.
    inside = os.environ.get("VIRTUAL_ENV", "-")
    folders = [p for p in environment["PATH"].split(":") if not p.startswith(inside)]
    environment["PATH"] = ":".join(folders)
    environment["IRTJAX_SHARED"] = str(shared())
    environment["XDG_CACHE_HOME"] = str(home / "cache")
    environment["HOME"] = os.environ["HOME"]
    start = time.perf_counter()
    done = subprocess.run(command, cwd=clone, env=environment, capture_output=True)
    lines = done.stdout.decode(errors="replace").strip().splitlines()
    return {
        "exit_code": done.returncode,
        "seconds": round(time.perf_counter() - start),
        "last_line": lines[-1] if lines else "",
        "failures": [line for line in lines if line.startswith(("FAILED", "ERROR"))],
    }
