"""The settings of `experiments.cegar`: names, types, units, ranges."""

from dataclasses import dataclass, field
from pathlib import Path

from hydra.core.config_store import ConfigStore

from ._cegar_tasks import SETS
from ._cegar_variants import FULL, VARIANTS
from ._schema import (
    APPLICATIONS,
    SettingsError,
    at_least,
    check_shard,
    not_empty,
    one_of,
)


@dataclass
class CegarConf:
    """Settings of `experiments.cegar`: pools of operators grown on labelled answers."""

    name: str = "cegar"  # of the grid; names the report
    # The grid: a condition takes one value of each.
    tasks: list[str] = field(
        default_factory=lambda: ["own"]
    )  # own, short_answers, or mbpp_plus, which needs published programs
    variant: list[str] = field(default_factory=lambda: [FULL])
    # Training tasks; below 0 a percentage of all: -60 for 60 %.
    training: list[int] = field(default_factory=lambda: [-60])
    seed: list[int] = field(default_factory=lambda: [0, 1, 2])  # of split and draws
    # What each condition is.
    draws: int = 1000  # of the sampled nulls
    x64: bool = True  # 64-bit arithmetic
    # How it is run: none of these changes a result.
    path: str = ""  # folder of published programs; empty = those beside the project
    cache: str = ""  # folder of the executions' cache; empty = the user's own
    allow_weaker: bool = False  # run untrusted programs without bubblewrap
    out: str = "results"  # folder of records, pools and reports
    devices: int = 1  # not used: nothing here runs on an accelerator
    shard: int = 0  # this process does the conditions shard, shard + shards, ...
    shards: int = 1
    report: bool = True  # write the report once no condition is missing


def check_cegar(cfg: CegarConf) -> None:
    """Stop on a value that the types allow and no run can use.

    Raises:
        SettingsError: names the setting and says what to write instead.
    """
    not_empty(cfg, *APPLICATIONS["cegar"].axes)
    for name in cfg.tasks:
        one_of("tasks", name, SETS)
    for name in cfg.variant:
        one_of("variant", name, VARIANTS)
    for training in cfg.training:
        if training == 0 or training <= -100:
            raise SettingsError(
                "'training' is a number of tasks, or a percentage below 0 such as -60, "
                f"got {training}."
            )
    for name, least in {"draws": 1, "shards": 1, "devices": 0}.items():
        at_least(name, least, getattr(cfg, name))
    check_shard(cfg.shard, cfg.shards)
    if cfg.path and not Path(cfg.path).is_dir():
        raise SettingsError(f"'path' names {cfg.path}, and there is no such folder.")


store = ConfigStore.instance().store
store(name="cegar_schema", node=CegarConf)
