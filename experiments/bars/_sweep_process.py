"""The sweep as a user runs it, in a process of its own: timed, measured, killed."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent


class Finished(NamedTuple):
    """How a process ended.

    Attributes:
        code: its exit code, negative for a signal.
        seconds: from start to end.
        peak_bytes: most memory it held at once, its own, without its children's.
        said: what it wrote to standard error.
    """

    code: int
    seconds: float
    peak_bytes: int
    said: str


def run_sweep(
    overrides: Sequence[str],
    *,
    cache: Path | None = None,
    cpu_devices: int = 1,
    kill_after: float | None = None,
) -> Finished:
    """Run `python -m experiments.sweep` from the repository's root.

    Args:
        overrides: its arguments.
        cache: folder of compiled programs; the user's own if not given.
        cpu_devices: simulated devices of the process.
        kill_after: seconds after which it is sent SIGKILL, if it still runs.
    """
    environment = {**os.environ, "JAX_NUM_CPU_DEVICES": str(cpu_devices)}
    if cache is not None:
        environment["JAX_COMPILATION_CACHE_DIR"] = str(cache)
    command = [sys.executable, "-m", "experiments.sweep", *overrides]
    start = time.perf_counter()
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        if kill_after is not None:
            try:
                process.wait(kill_after)
            except subprocess.TimeoutExpired:
                process.kill()
        assert process.stderr is not None
        said = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    # Linux counts it in KiB, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    return Finished(process.returncode, seconds, usage.ru_maxrss * unit, said)


def require(finished: Finished) -> Finished:
    """Return a sweep that ended well, or stop with what it said."""
    if finished.code != 0:
        raise RuntimeError(f"The sweep ended with {finished.code}: {finished.said}")
    return finished
