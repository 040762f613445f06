"""Do intervals hold the truth? `python -m experiments.intervals`, tables and figures.

Truths are drawn from the 2PL's priors, tables from the truths, and every method says
where each ability, difficulty, discrimination and rank lies. Conditions that have a
record are not run again, so a run that was stopped goes on by the same command.
"""

from . import _records, _runtime
from ._grid_run import run_grid
from ._interval_methods import METHODS
from ._interval_rows import condition_rows
from ._interval_tables import coverage_table
from ._intervals_conf import IntervalsConf, check_intervals

RECIPE = 1


@_runtime.application("intervals")
def main(cfg: IntervalsConf) -> float:
    """Run the conditions that have no record yet; return the worst miss of the level."""
    check_intervals(cfg)
    _runtime.start(cfg.x64)
    conditions = run_grid(
        "intervals",
        cfg,
        lambda settings: condition_rows(
            settings, METHODS[settings["method"]], block=cfg.block
        ),
        recipe=RECIPE,
        a_fit=("seed",),
    )
    return worst_miss(conditions, cfg.level)


def worst_miss(conditions: _records.Conditions, level: float) -> float:
    """Return the largest distance of a coverage from the level; NaN without records."""
    runs = conditions.runs()
    if runs.is_empty():
        return float("nan")
    coverage = coverage_table(runs)["coverage"].drop_nulls().to_numpy()
    return float(abs(coverage - level).max()) if coverage.size else float("nan")


if __name__ == "__main__":
    main()
