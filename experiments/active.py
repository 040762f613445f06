"""How few evaluations will do? `python -m experiments.active`, tables and figures.

Every system of every matrix in turn is the one to be evaluated, and all others are its
history. Conditions that have a record are not run again, so a run that was stopped goes
on by the same command.
"""

import functools
from pathlib import Path
from typing import Any

import polars as pl

from irtjax.active import EVALUATIONS

from . import _runtime
from ._active_conf import ActiveConf, check_active, matrices_folder
from ._active_rows import result_rows
from ._draws import condition_key
from ._grid_run import run_grid
from ._leave_one_out import leave_one_out
from ._matrices import load_errors

RECIPE = 1


@_runtime.application("active")
def main(cfg: ActiveConf) -> float:
    """Run the conditions that have no record yet; return the mean absolute error."""
    check_active(cfg)
    _runtime.start(cfg.x64)
    conditions = run_grid(
        "active",
        cfg,
        functools.partial(_rows, folder=matrices_folder(cfg)),
        recipe=RECIPE,
    )
    runs = conditions.runs()
    return float("nan") if runs.is_empty() else mean_error(runs)


def mean_error(runs: pl.DataFrame) -> float:
    """Return the mean absolute error over all runs, in errors."""
    value = runs.select(pl.col("error").abs().mean()).item()
    return float("nan") if value is None else value


def _rows(settings: dict[str, Any], *, folder: Path) -> pl.DataFrame:
    """Compute one condition."""
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
    return result_rows(settings, found, budgets, count)


if __name__ == "__main__":
    main()
