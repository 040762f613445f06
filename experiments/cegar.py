"""A metric grown from its own blind spots: `python -m experiments.cegar`.

By default on the project's own programming tasks, three runs; `+grid=evalcegar` makes
eight of each ablation, and `+grid=mbpp_plus` runs it on published tasks with real
programs. Each run freezes its pool to disk before its unseen tasks are scored.
Conditions that have a record are not run again.
"""

import functools
import threading
from pathlib import Path

from irtjax.cegar.sandbox import (
    ExecutionCache,
    WorkerError,
    best_sandbox,
    default_cache_path,
)

from . import _records, _runtime
from ._cegar_conf import CegarConf, check_cegar
from ._cegar_rows import Place, condition_rows
from ._cegar_tasks import BESIDE, Labelled, load_labelled
from ._grid_run import run_grid
from ._schema import SettingsError

RECIPE = 1


@_runtime.application("cegar")
def main(cfg: CegarConf) -> float:
    """Run the conditions that have no record yet; return minus the mean gain."""
    check_cegar(cfg)
    _runtime.start(cfg.x64)
    try:
        sandbox = best_sandbox(cfg.allow_weaker)
    except WorkerError as error:
        raise SettingsError(f"{error} The setting is 'allow_weaker'.") from None
    path = Path(cfg.cache, "executions.sqlite") if cfg.cache else default_cache_path()
    with ExecutionCache(path) as cache:
        place = Place(sandbox, cache, Path(cfg.out, "pools"), cfg.draws)
        folder = Path(cfg.path) if cfg.path else None
        one_at_a_time = threading.Lock()

        @functools.cache
        def load(name: str) -> Labelled:
            try:
                return load_labelled(name, sandbox, cache, folder)
            except FileNotFoundError as error:
                raise SettingsError(f"'tasks' names {name}: {error}") from None

        def rows(settings):
            with one_at_a_time:  # several conditions are under way at once
                data = load(settings["tasks"])
                beside = {
                    name: load(name) for name in BESIDE.get(settings["tasks"], ())
                }
            name = _records.fingerprint(settings, RECIPE)
            return condition_rows(settings, data, beside, place, name)

        conditions = run_grid("cegar", cfg, rows, recipe=RECIPE)
    return -mean_gain(conditions)


def mean_gain(conditions: _records.Conditions) -> float:
    """Return the mean gain of the frozen pools on unseen tasks; NaN without records."""
    runs = conditions.runs()
    if runs.is_empty():
        return float("nan")
    own = runs.filter((runs["what"] == "pool") & (runs["where"] == "unseen"))
    return float(own["delta"].to_numpy().mean())


if __name__ == "__main__":
    main()
