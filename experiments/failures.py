"""Who finds failures? `python -m experiments.failures`, tables and figures.

By default in the offline world, whose word problems, checker and weak solvers need no
network: methods that ask from a pool, and methods that write questions. With
`where=[gqa] method=[failures,novelty,random]` on real errors. Conditions that have a
record are not run again, so a run that was stopped goes on by the same command.
"""

import functools
import time
from pathlib import Path

from . import _records, _runtime
from ._failure_rows import condition_rows
from ._failure_tables import failures_table
from ._failures_conf import FailuresConf, check_failures, matrices_folder
from ._records import Condition
from .report import write_report

RECIPE = 1


@_runtime.application("failures")
def main(cfg: FailuresConf) -> float:
    """Run the conditions that have no record yet; return minus the most failures."""
    check_failures(cfg)
    _runtime.start(cfg.x64)
    conditions = _records.expand("failures", cfg, recipe=RECIPE)
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
    return -most_failures(conditions)


def most_failures(conditions: _records.Conditions) -> float:
    """Return the best mean of failures per 100 questions; NaN without records."""
    runs = conditions.runs()
    if runs.is_empty():
        return float("nan")
    return float(failures_table(runs)["failures"].to_numpy().max())


def _run(condition: Condition, *, folder: Path) -> None:
    """Compute and record one condition."""
    start = time.perf_counter()
    rows = condition_rows(condition.settings, folder)
    facts = {
        **_runtime.provenance(),
        "seconds": round(time.perf_counter() - start, 6),
        "codes": {},
    }
    condition.finish(rows, facts)


if __name__ == "__main__":
    main()
