"""Who finds failures? `python -m experiments.failures`, tables and figures.

By default in the offline world, whose word problems, checker and weak solvers need no
network: methods that ask from a pool, and methods that write questions. With
`where=[gqa] method=[failures,novelty,random]` on real errors. Conditions that have a
record are not run again, so a run that was stopped goes on by the same command.
"""

from . import _records, _runtime
from ._failure_rows import condition_rows
from ._failure_tables import failures_table
from ._failures_conf import FailuresConf, check_failures, matrices_folder
from ._grid_run import run_grid

RECIPE = 1


@_runtime.application("failures")
def main(cfg: FailuresConf) -> float:
    """Run the conditions that have no record yet; return minus the most failures."""
    check_failures(cfg)
    _runtime.start(cfg.x64)
    folder = matrices_folder(cfg)
    conditions = run_grid(
        "failures",
        cfg,
        lambda settings: condition_rows(settings, folder),
        recipe=RECIPE,
    )
    return -most_failures(conditions)


def most_failures(conditions: _records.Conditions) -> float:
    """Return the best mean of failures per 100 questions; NaN without records."""
    runs = conditions.runs()
    if runs.is_empty():
        return float("nan")
    return float(failures_table(runs)["failures"].to_numpy().max())


if __name__ == "__main__":
    main()
