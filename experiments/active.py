"""How few evaluations will do? `python -m experiments.active`, tables and figures.

Every system of every matrix in turn is the one to be evaluated, and all others are its
history. Conditions that have a record are not run again, so a run that was stopped goes
on by the same command.
"""

import functools
import time
from pathlib import Path

import polars as pl

from irtjax.active import EVALUATIONS

from . import _records, _runtime
from ._active_conf import ActiveConf, check_active, matrices_folder
from ._active_rows import result_rows
from ._draws import condition_key
from ._leave_one_out import leave_one_out
from ._matrices import load_errors
from ._records import Condition
from .report import write_report

RECIPE = 1


@_runtime.application("active")
def main(cfg: ActiveConf) -> float:
    """Run the conditions that have no record yet; return the mean absolute error."""
    check_active(cfg)
    _runtime.start(cfg.x64)
    conditions = _records.expand("active", cfg, recipe=RECIPE)
    grid = _records.save_grid(
        conditions, Path(cfg.out) / "grids", _runtime.report_name(cfg.name)
    )
    _runtime.each(
        functools.partial(_run, folder=matrices_folder(cfg)),
        conditions.missing(),
        devices=cfg.devices,
    )
    if not conditions.complete():
        print("Other shards have conditions left: whoever finishes last reports.")
    elif cfg.report:
        print(f"Report: {write_report(grid, Path(cfg.out))}")
    runs = conditions.runs()
    return float("nan") if runs.is_empty() else mean_error(runs)


def mean_error(runs: pl.DataFrame) -> float:
    """Return the mean absolute error over all runs, in errors."""
    value = runs.select(pl.col("error").abs().mean()).item()
    return float("nan") if value is None else value


def _run(condition: Condition, *, folder: Path) -> None:
    """Compute and record one condition."""
    start = time.perf_counter()
    settings = condition.settings
    errors = load_errors(settings["matrix"], folder)
    errors = errors[: settings["items"] or None]
    count = len(errors)
    budgets = [budget for budget in settings["budgets"] if budget < count]
    if settings["everything"]:
        budgets.append(count)
    found = leave_one_out(
        EVALUATIONS[settings["method"]],
        errors,
        tuple(budgets),
        settings["seeds"],
        key=condition_key(settings, ("matrix", "items")),
    )
    rows = result_rows(settings, found, budgets, count)
    facts = {
        **_runtime.provenance(),
        "seconds": round(time.perf_counter() - start, 6),
        "codes": {},
    }
    condition.finish(rows, facts)


if __name__ == "__main__":
    main()
