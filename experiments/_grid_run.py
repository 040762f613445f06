"""What every application with a grid does: run what has no record, then report."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

from . import _records, _runtime
from ._records import Condition, Conditions
from .report import write_report


def run_grid(
    application: str,
    cfg: Any,
    rows_of: Callable[[dict[str, Any]], pl.DataFrame],
    *,
    recipe: int,
    a_fit: tuple[str, ...] = (),
) -> Conditions:
    """Run the conditions that have no record yet; report once all have one.

    Args:
        application: whose records they are.
        cfg: its settings, checked.
        rows_of: computes one condition from its settings: a row a run. Its result may
            not depend on the order.
        recipe: the application's number, see `_records.fingerprint`.
        a_fit: the columns that tell one fit from another, whose codes are counted; none
            where nothing is fitted that could fail.

    Returns:
        The conditions of this run's shard, finished.

    Raises:
        FailedConditionsError: after the last one, where some failed.
    """
    conditions = _records.expand(application, cfg, recipe=recipe)
    grid = _records.save_grid(
        conditions, Path(cfg.out) / "grids", _runtime.report_name(cfg.name)
    )

    def run(condition: Condition) -> None:
        start = time.perf_counter()
        rows = rows_of(condition.settings)
        facts = {
            **_runtime.provenance(),
            "seconds": round(time.perf_counter() - start, 6),
            "codes": _codes(rows, a_fit),
        }
        condition.finish(rows, facts)

    _runtime.each(run, conditions.missing(), devices=cfg.devices)
    if not conditions.complete():
        print("Other shards have conditions left: whoever finishes last reports.")
    elif cfg.report:
        print(f"Report: {write_report(grid, Path(cfg.out))}")
    return conditions


def _codes(rows: pl.DataFrame, a_fit: tuple[str, ...]) -> dict[Any, int]:
    """Return how many fits ended with each code."""
    if not a_fit:
        return {}
    fits = rows.unique(list(a_fit), maintain_order=True)
    return dict(fits.group_by("code").len().sort("code").iter_rows())
