"""The settings of `experiments.failures`: names, types, units, ranges."""

from dataclasses import dataclass, field
from pathlib import Path

from hydra.core.config_store import ConfigStore

from ._failure_rows import OFFLINE, POOL_METHODS, WRITERS
from ._matrices import NAMES, shared_matrices
from ._schema import APPLICATIONS, SettingsError, at_least, check_shard, one_of


@dataclass
class FailuresConf:
    """Settings of `experiments.failures`: who finds most failures, and what kinds."""

    name: str = "failures"  # of the grid; names the report
    # The grid: a condition takes one value of each.
    where: list[str] = field(
        default_factory=lambda: [OFFLINE]
    )  # "offline", or matrices: gqa, chembench, cruxeval_input
    method: list[str] = field(
        default_factory=lambda: [*POOL_METHODS, *WRITERS]
    )  # those that write questions run in the offline world alone
    # What each condition is.
    picks: int = 100  # questions asked of the system under test
    seeds: int = (
        20  # worlds, or draws of a random method; each matrix has all its targets
    )
    x64: bool = True  # 64-bit arithmetic
    # How it is run: none of these changes a result.
    folder: str = ""  # of the matrices; empty = those that come with the project
    out: str = "results"  # folder of records and reports
    devices: int = 1  # accelerators or CPU devices used; 0 = all
    shard: int = 0  # this process does the conditions shard, shard + shards, ...
    shards: int = 1
    report: bool = True  # write the report once no condition is missing


def check_failures(cfg: FailuresConf) -> None:
    """Stop on a value that the types allow and no run can use.

    Raises:
        SettingsError: names the setting and says what to write instead.
    """
    for name in APPLICATIONS["failures"].axes:
        if not getattr(cfg, name):
            raise SettingsError(f"'{name}' is empty: give at least one value.")
    known = {"where": (OFFLINE, *NAMES), "method": (*POOL_METHODS, *WRITERS)}
    for name, values in known.items():
        for value in getattr(cfg, name):
            one_of(name, value, values)
    for where in cfg.where:
        path = matrices_folder(cfg) / f"{where}_labels.csv"
        if where != OFFLINE and not path.is_file():
            raise SettingsError(
                f"'where' names {where}, and there is no {path.name} in {path.parent}: "
                "set 'folder', or IRTJAX_SHARED."
            )
    writers = [method for method in cfg.method if method in WRITERS]
    if writers and cfg.where != [OFFLINE]:
        raise SettingsError(
            f"'method' {writers[0]} writes questions, which a matrix cannot answer: "
            f"write where=[{OFFLINE}], or method=[{','.join(POOL_METHODS)}]."
        )
    for name, least in {"picks": 1, "seeds": 1, "shards": 1, "devices": 0}.items():
        at_least(name, least, getattr(cfg, name))
    check_shard(cfg.shard, cfg.shards)


def matrices_folder(cfg: FailuresConf) -> Path:
    """Return the folder that holds the matrices."""
    return Path(cfg.folder) if cfg.folder else shared_matrices()


store = ConfigStore.instance().store
store(name="failures_schema", node=FailuresConf)
