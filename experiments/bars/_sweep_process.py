"""An application as a user runs it, in a process of its own: timed, measured, killed."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
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
    kill_when: Callable[[], bool] | None = None,
) -> Finished:
    """Run `python -m experiments.sweep`; the arguments are `run_application`'s."""
    return run_application(
        "sweep", overrides, cache=cache, cpu_devices=cpu_devices, kill_when=kill_when
    )


def run_application(
    application: str,
    overrides: Sequence[str],
    *,
    cache: Path | None = None,
    cpu_devices: int = 1,
    kill_when: Callable[[], bool] | None = None,
) -> Finished:
    """Run `python -m experiments.<application>` from the repository's root.

    Args:
        application: its name.
        overrides: its arguments.
        cache: folder of compiled programs; the user's own if not given.
        cpu_devices: simulated devices of the process.
        kill_when: it is sent SIGKILL as soon as this is true.
    """
    environment = {**os.environ, "JAX_NUM_CPU_DEVICES": str(cpu_devices)}
    if cache is not None:
        environment["JAX_COMPILATION_CACHE_DIR"] = str(cache)
    command = [sys.executable, "-m", f"experiments.{application}", *overrides]
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=said
        )
        # Not `process.wait`, which does not tell the memory used.
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        while not ended:
            if kill_when is not None and kill_when():
                process.kill()
            time.sleep(0.01)
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - start
        said.seek(0)
        # Linux counts it in KiB, macOS in bytes.
        memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        return Finished(process.returncode, seconds, memory, said.read())


def require(finished: Finished) -> Finished:
    """Return a run that ended well, or stop with what it said."""
    if finished.code != 0:
        raise RuntimeError(f"The run ended with {finished.code}: {finished.said}")
    return finished
