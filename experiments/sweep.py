"""Sweep rankers over data of known truth: `python -m experiments.sweep +grid=sd150`.

Conditions that have a record are not run again, so a sweep that was stopped, by
whatever, goes on when the same command is given again.
"""

import functools

import polars as pl

from . import _records, _runtime
from ._grid_run import run_grid
from ._schema import SweepConf, check
from ._scoring import condition_rows, rankers_of
from ._tables import usable

RECIPE = 1


@_runtime.application("sweep")
def main(cfg: SweepConf) -> float:
    """Run the conditions that have no record yet; return the 2PL's mean error."""
    check(cfg)
    _runtime.start(cfg.x64)
    rankers = rankers_of(cfg)
    conditions = run_grid(
        "sweep",
        cfg,
        functools.partial(condition_rows, rankers=rankers, block=cfg.block),
        recipe=RECIPE,
        a_fit=("seed", "ranker"),
    )
    return mean_error(conditions, "two_pl")


def mean_error(conditions: _records.Conditions, ranker: str) -> float:
    """Return a ranker's mean of 1 - rho over usable runs; NaN where it was not run."""
    runs = usable(conditions.runs()).filter(pl.col("ranker") == ranker)
    rho = runs["spearman"].to_numpy()
    return float(1 - rho.mean()) if rho.size else float("nan")


if __name__ == "__main__":
    main()
