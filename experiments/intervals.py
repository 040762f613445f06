"""Do intervals hold the truth? `python -m experiments.intervals`, tables and figures.

Truths are drawn from the 2PL's priors, tables from the truths, and every method says
where each ability, difficulty, discrimination and rank lies. Conditions that have a
record are not run again, so a run that was stopped goes on by the same command.
"""

import functools
import time
from pathlib import Path

from . import _records, _runtime
from ._interval_methods import METHODS
from ._interval_rows import condition_rows
from ._interval_tables import coverage_table
from ._intervals_conf import IntervalsConf, check_intervals
from ._records import Condition
from .report import write_report

RECIPE = 1


@_runtime.application("intervals")
def main(cfg: IntervalsConf) -> float:
    """Run the conditions that have no record yet; return the worst miss of the level."""
    check_intervals(cfg)
    _runtime.start(cfg.x64)
    conditions = _records.expand("intervals", cfg, recipe=RECIPE)
    grid = _records.save_grid(
        conditions, Path(cfg.out) / "grids", _runtime.report_name(cfg.name)
    )
    _runtime.each(
        functools.partial(_run, block=cfg.block),
        conditions.missing(),
        devices=cfg.devices,
    )
    if not conditions.complete():
        print("Other shards have conditions left: whoever finishes last reports.")
    elif cfg.report:
        print(f"Report: {write_report(grid, Path(cfg.out))}")
    return worst_miss(conditions, cfg.level)


def worst_miss(conditions: _records.Conditions, level: float) -> float:
    """Return the largest distance of a coverage from the level; NaN without records."""
    runs = conditions.runs()
    if runs.is_empty():
        return float("nan")
    coverage = coverage_table(runs)["coverage"].drop_nulls().to_numpy()
    return float(abs(coverage - level).max()) if coverage.size else float("nan")


def _run(condition: Condition, *, block: int) -> None:
    """Compute and record one condition."""
    start = time.perf_counter()
    settings = condition.settings
    rows = condition_rows(settings, METHODS[settings["method"]], block=block)
    tables = rows.unique("seed", maintain_order=True)
    facts = {
        **_runtime.provenance(),
        "seconds": round(time.perf_counter() - start, 6),
        "codes": dict(tables.group_by("code").len().sort("code").iter_rows()),
    }
    condition.finish(rows, facts)


if __name__ == "__main__":
    main()
