"""Around every application: start-up, one line for wrong settings, workers."""

import functools
import hashlib
import os
import re
import subprocess
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import hydra
import jax
import polars as pl
from hydra.core.hydra_config import HydraConfig
from hydra.types import RunMode

from irtjax.report import versions

from ._progress import Progress
from ._records import Condition
from ._schema import SettingsError, typed
from ._stops import SETTINGS_ERRORS, FailedConditionsError, explain

CONF = Path(__file__).resolve().parent.parent / "conf"
_LONGEST_NAME = 150


def application(name: str) -> Callable[[Callable[[Any], Any]], Callable[[], None]]:
    """Make a function of a settings dataclass a command.

    Wrong settings end it with one line.

    The command exits with 2 on wrong settings and with 1 if conditions failed.

    Args:
        name: of `conf/<name>.yaml`.
    """

    def decorate(task: Callable[[Any], Any]) -> Callable[[], None]:
        entry = hydra.main(version_base="1.3", config_path=str(CONF), config_name=name)

        stopped: list[Exception] = []

        @functools.wraps(task)
        def run(cfg: Any) -> Any:
            try:
                return task(typed(cfg))
            except (SettingsError, FailedConditionsError) as error:
                if HydraConfig.get().mode == RunMode.MULTIRUN:
                    raise
                # Hydra would announce it in a line of its own.
                stopped.append(error)

        @functools.wraps(task)
        def main() -> None:
            # Hydra would print and swallow what `explain` is to be asked about.
            os.environ["HYDRA_FULL_ERROR"] = "1"
            try:
                entry(run)()
                if stopped:
                    raise stopped[0]
            except SETTINGS_ERRORS as error:
                sys.exit(_last_line(name, explain(error, name), code=2))
            except FailedConditionsError as error:
                sys.exit(_last_line(name, str(error), code=1))
            except OSError as error:
                # A disk that is full, or a folder that cannot be written.
                if error.filename is None:
                    raise
                message = f"{error.filename}: {error.strerror}."
                sys.exit(_last_line(name, message, code=1))

        return main

    return decorate


def _last_line(name: str, message: str, code: int) -> int:
    print(f"{name}: {message}", file=sys.stderr)
    return code


def start(x64: bool) -> None:
    """Set the precision and keep compiled programs between runs.

    Compiled programs go to `$JAX_COMPILATION_CACHE_DIR`, else to the user's cache
    folder.
    """
    jax.config.update("jax_enable_x64", x64)
    if not os.environ.get("JAX_COMPILATION_CACHE_DIR"):
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        jax.config.update("jax_compilation_cache_dir", str(cache / "irtjax" / "jax"))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.3)


def report_name(name: str) -> str:
    """Return the grid's name, with the overrides that make it another grid."""
    if not HydraConfig.initialized():
        return name
    overrides = HydraConfig.get().job.override_dirname
    plain = re.sub(r"[\[\]{}()'\"+]", "", overrides or "")
    suffix = re.sub(r"[^A-Za-z0-9._=,-]+", "_", plain)
    return file_name(f"{name},{suffix}" if suffix else name)


def file_name(name: str) -> str:
    """Return a name, cut to what file systems take; a digest keeps cut ones apart."""
    if len(name) <= _LONGEST_NAME:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:12]
    return f"{name[: _LONGEST_NAME - 13]}-{digest}"


@functools.cache
def provenance() -> dict[str, Any]:
    """Return what produced a result: commit, versions and the kind of device."""
    return {
        "commit": _commit(),
        "versions": {**versions(), "polars": pl.__version__},
        "device": jax.devices()[0].device_kind,
    }


def _commit() -> str:
    """Return the commit, marked where files differ from it; "unknown" outside git."""
    git = ("git", "-C", str(CONF.parent))
    try:
        head = subprocess.run(
            [*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True
        )
        changes = subprocess.run(
            [*git, "status", "--porcelain", "--untracked-files=no"],
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return head.stdout.strip() + ("+changes" if changes.stdout.strip() else "")


def each(
    run: Callable[[Condition], None],
    conditions: list[Condition],
    *,
    devices: int,
) -> None:
    """Run every condition, one on each device; one that fails does not stop the others.

    Args:
        run: computes and records one condition. Its result may not depend on the order.
        conditions: what to run. The first runs alone, so that no two compile the same.
        devices: how many devices to use; 0 = all. Those of a processor take turns.

    Raises:
        FailedConditionsError: after the last one, where some failed.
    """
    if not conditions:
        return
    chosen = jax.devices()[: devices or None]
    # Those of a processor share its cores, and `fit_many` uses them all.
    at_a_time = 1 if chosen[0].platform == "cpu" else len(chosen)
    failures: list[Condition] = []

    def attempt(number: int) -> None:
        condition = conditions[number]
        try:
            with jax.default_device(chosen[number % len(chosen)]):
                run(condition)
        except Exception:  # the one place: recorded, counted, and said at the end
            condition.fail(traceback.format_exc())
            failures.append(condition)

    with (
        Progress(len(conditions)) as progress,
        ThreadPoolExecutor(at_a_time) as pool,
    ):
        for number in range(min(len(chosen), len(conditions))):
            attempt(number)
            progress.advance()
        rest = range(len(chosen), len(conditions))
        try:
            for done in as_completed([pool.submit(attempt, number) for number in rest]):
                done.result()
                progress.advance()
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise
    if failures:
        reason = (failures[0].failure() or "").strip().splitlines()[-1:]
        raise FailedConditionsError(
            f"{len(failures)} of {len(conditions)} conditions failed and will be tried "
            f"again by the same command; the first, {failures[0].label}: {reason[0]} "
            f"(all of it in {failures[0].folder / 'failure.json'})"
        )
