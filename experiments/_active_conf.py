"""The settings of `experiments.active`: names, types, units, ranges."""

from dataclasses import dataclass, field
from pathlib import Path

from hydra.core.config_store import ConfigStore

from irtjax.active import EVALUATIONS

from ._matrices import NAMES, check_present, shared_matrices
from ._schema import APPLICATIONS, SettingsError, at_least, check_shard, one_of


@dataclass
class ActiveConf:
    """Settings of `experiments.active`: how near each way comes, and at what budget.

    Every system of every matrix in turn is the target, and all others its sources.
    """

    name: str = "active"  # of the grid; names the report
    # The grid: a condition takes one value of each.
    matrix: list[str] = field(
        default_factory=lambda: list(NAMES)
    )  # names of files `<name>_labels.csv`
    method: list[str] = field(
        default_factory=lambda: list(EVALUATIONS)
    )  # names out of `irtjax.active.EVALUATIONS`
    # What each condition is.
    budgets: list[int] = field(
        default_factory=lambda: [10, 20, 50, 100, 200, 500]
    )  # items answered; those above the number of items are left out
    everything: bool = True  # one more budget: all items
    seeds: int = 20  # runs a target
    items: int = 0  # only the first so many of each matrix; 0 = all
    x64: bool = True  # 64-bit arithmetic
    # How it is run: none of these changes a result.
    folder: str = ""  # of the matrices; empty = those that come with the project
    out: str = "results"  # folder of records and reports
    devices: int = 1  # accelerators or CPU devices used; 0 = all
    shard: int = 0  # this process does the conditions shard, shard + shards, ...
    shards: int = 1
    report: bool = True  # write the report once no condition is missing


def check_active(cfg: ActiveConf) -> None:
    """Stop on a value that the types allow and no run can use.

    Raises:
        SettingsError: names the setting and says what to write instead.
    """
    for name in (*APPLICATIONS["active"].axes, "budgets"):
        if not getattr(cfg, name):
            raise SettingsError(f"'{name}' is empty: give at least one value.")
    for value in cfg.method:
        one_of("method", value, EVALUATIONS)
    if sorted(set(cfg.budgets)) != list(cfg.budgets):
        raise SettingsError(f"'budgets' must ascend, got {cfg.budgets}.")
    at_least("budgets", 2, *cfg.budgets)
    for name, least in {"seeds": 1, "items": 0, "shards": 1, "devices": 0}.items():
        at_least(name, least, getattr(cfg, name))
    check_shard(cfg.shard, cfg.shards)
    check_present(cfg.matrix, matrices_folder(cfg))


def matrices_folder(cfg: ActiveConf) -> Path:
    """Return the folder that holds the matrices."""
    return Path(cfg.folder) if cfg.folder else shared_matrices()


store = ConfigStore.instance().store
store(name="active_schema", node=ActiveConf)
