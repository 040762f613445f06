"""Sweep rankers over data of known truth: `python -m experiments.sweep +grid=sd150`.

Conditions that have a record are not run again, so a sweep that was stopped, by
whatever, goes on when the same command is given again.
"""

import functools
import time
from collections.abc import Mapping
from pathlib import Path

import polars as pl

from irtjax.ranking import AbstractRanker

from . import _records, _runtime
from ._records import Condition
from ._schema import SweepConf, check
from ._scoring import condition_rows, rankers_of
from ._tables import usable
from .report import write_report

RECIPE = 1


@_runtime.application("sweep")
def main(cfg: SweepConf) -> float:
    """Run the conditions that have no record yet; return the 2PL's mean error."""
    check(cfg)
    _runtime.start(cfg.x64)
    rankers = rankers_of(cfg)
    conditions = _records.expand("sweep", cfg, recipe=RECIPE)
    grid = _records.save_grid(
        conditions, Path(cfg.out) / "grids", _runtime.report_name(cfg.name)
    )
    _runtime.each(
        functools.partial(_run, rankers=rankers, block=cfg.block),
        conditions.missing(),
        devices=cfg.devices,
    )
    if not conditions.complete():
        print("Other shards have conditions left: whoever finishes last reports.")
    elif cfg.report:
        print(f"Report: {write_report(grid, Path(cfg.out))}")
    return mean_error(conditions, "two_pl")


def mean_error(conditions: _records.Conditions, ranker: str) -> float:
    """Return a ranker's mean of 1 - rho over usable runs; NaN where it was not run."""
    runs = usable(conditions.runs()).filter(pl.col("ranker") == ranker)
    rho = runs["spearman"].to_numpy()
    return float(1 - rho.mean()) if rho.size else float("nan")


def _run(
    condition: Condition, *, rankers: Mapping[str, AbstractRanker], block: int
) -> None:
    """Compute and record one condition."""
    start = time.perf_counter()
    rows = condition_rows(condition.settings, rankers, block=block)
    counts = rows.group_by("code").len().sort("code")
    facts = {
        **_runtime.provenance(),
        "seconds": round(time.perf_counter() - start, 6),
        "codes": dict(counts.iter_rows()),
    }
    condition.finish(rows, facts)


if __name__ == "__main__":
    main()
