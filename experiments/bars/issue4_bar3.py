"""Bar 3 of issue 4: 95 % intervals hold 95 % of truths that are drawn from the priors."""

import itertools
import time
from typing import Any

import jax
import polars as pl

from experiments._interval_methods import CHEAP, DEFAULT, METHODS
from experiments._interval_rows import condition_rows
from experiments._interval_tables import coverage_table, places
from irtjax.irt.posteriors import uniformity

from . import Measurement

SIZES, TRIALS, SPARSITIES = (20, 200), (1, 10), (0.0, 0.5)
TABLES, SAMPLED, TIMED = 1000, 100, 40
LOWEST, HIGHEST, UNIFORM = 0.93, 0.97, 0.01
ON_A_SCALE = ("ability", "difficulty", "discrimination")
BLOCK = 50


def measure() -> Measurement:
    """Run the whole grid. Says first how long it is going to take: hours on two cores."""
    jax.config.update("jax_enable_x64", True)
    seconds = {
        f"{systems} x {items}": projected(systems, items)
        for systems, items in itertools.product(SIZES, SIZES)
    }
    hours = sum(seconds.values()) / 3600
    print(f"The intervals of {DEFAULT} will take about {hours:.1f} hours.", flush=True)
    small = SIZES[0]
    runs = [grid([DEFAULT], SIZES, SIZES, TABLES)]
    others = [name for name in CHEAP if name != DEFAULT]
    runs.append(grid(others, [small], [small], TABLES))
    runs.append(grid(["nuts"], [small], [small], SAMPLED))
    return judge(pl.concat(runs), seconds)


def projected(systems: int, items: int) -> float:
    """Return the seconds that all conditions of a size will take, from a few tables."""
    one = [settings(DEFAULT, systems, items, TRIALS[-1], 0.0, TIMED)] * 2
    start = 0.0
    for each in one:  # the first call compiles
        start = time.perf_counter()
        condition_rows(each, METHODS[DEFAULT], block=BLOCK)
    alone = (time.perf_counter() - start) / TIMED
    return alone * TABLES * len(TRIALS) * len(SPARSITIES)


def grid(
    methods: list[str],
    systems: tuple[int, ...] | list[int],
    items: tuple[int, ...] | list[int],
    tables: int,
) -> pl.DataFrame:
    """Return the rows of every condition."""
    parts = []
    axes = (methods, systems, items, TRIALS, SPARSITIES)
    for point in itertools.product(*axes):
        start = time.perf_counter()
        rows = condition_rows(settings(*point, tables), METHODS[point[0]], block=BLOCK)
        parts.append(rows)
        print(*point, f"{time.perf_counter() - start:.0f} s", flush=True)
    return pl.concat(parts)


def settings(
    method: str, systems: int, items: int, trials: int, sparsity: float, tables: int
) -> dict[str, Any]:
    """Return a condition's settings, as `experiments.intervals` has them."""
    return {
        "method": method,
        "systems": systems,
        "items": items,
        "trials": trials,
        "sparsity": sparsity,
        "mask": "mcar",
        "seeds": tables,
        "level": 0.95,
    }


def judge(runs: pl.DataFrame, seconds: dict[str, float]) -> Measurement:
    """Return the bar's verdict.

    Ranks are whole numbers, so that an interval for one holds more than 95 % of truths
    where few systems compete; they have no upper limit here.

    Args:
        runs: rows of `_interval_rows.ROW` of the default method, NUTS and others.
        seconds: that the default method was expected to take, by size.
    """
    coverage = coverage_table(runs)
    judged = coverage.filter(pl.col("method").is_in([DEFAULT, "nuts"]))
    inside = pl.col("coverage").is_between(LOWEST, HIGHEST)
    ranks = (pl.col("parameter") == "rank") & (pl.col("coverage") >= LOWEST)
    whole = pl.col("usable") >= 0.99 * pl.col("tables")
    short = judged.filter(~((inside | ranks) & whole).fill_null(False))
    p_values = {
        parameter: uniformity(
            places(
                runs.filter(
                    (pl.col("method") == "nuts") & (pl.col("parameter") == parameter)
                )
            )
        )
        for parameter in ON_A_SCALE
    }
    return {
        "bar": "95 % intervals hold .93 to .97 of abilities, difficulties and "
        "discriminations drawn from the priors, and at least .93 of ranks: by the "
        "default method at 20 and 200 systems and items, 1 and 10 trials, none and half "
        "of the cells hidden, 1,000 tables each; by NUTS at 20 x 20, 100 tables each, "
        "whose ranks of simulation-based calibration are uniform (p > .01)",
        "command": "scripts/bars 4 3",
        "required": {"lowest": LOWEST, "highest": HIGHEST, "p_value": UNIFORM},
        "measured": {
            "projected_seconds": seconds,
            "p_values": p_values,
            "short": [_named(row) for row in short.to_dicts()],
            "coverage": {
                _named(row): {
                    "coverage": row["coverage"],
                    "error": row["mcse"],
                    "width": row["width"],
                    "tables": row["tables"],
                    "left_out": row["tables"] - row["usable"],
                }
                for row in coverage.to_dicts()
            },
        },
        "passed": bool(
            short.is_empty() and all(p > UNIFORM for p in p_values.values())
        ),
    }


def _named(row: dict[str, Any]) -> str:
    return (
        f"{row['method']}, {row['systems']} x {row['items']}, {row['trials']} trials, "
        f"{row['sparsity']:.0%} hidden, {row['parameter']}"
    )
