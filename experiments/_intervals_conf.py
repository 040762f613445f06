"""The settings of `experiments.intervals`: names, types, units, ranges."""

from dataclasses import dataclass, field

from hydra.core.config_store import ConfigStore

from ._interval_methods import CHEAP, METHODS
from ._schema import APPLICATIONS, MASKS, SettingsError, at_least, check_shard, one_of


@dataclass
class IntervalsConf:
    """Settings of `experiments.intervals`: how often intervals hold the truth.

    Truths are drawn from the priors of the 2PL, tables from the truths.
    """

    name: str = "intervals"  # of the grid; names the report
    # The grid: a condition takes one value of each.
    method: list[str] = field(
        default_factory=lambda: list(CHEAP)
    )  # names out of `experiments._interval_methods.METHODS`
    systems: list[int] = field(default_factory=lambda: [20])
    items: list[int] = field(default_factory=lambda: [20])
    trials: list[int] = field(default_factory=lambda: [1, 10])  # in each observed cell
    sparsity: list[float] = field(
        default_factory=lambda: [0.0, 0.5]
    )  # share hidden, [0, 1)
    mask: list[str] = field(default_factory=lambda: ["mcar"])
    # What each condition is.
    seeds: int = 200  # tables a condition, each with a truth of its own
    level: float = 0.95  # share of truths that an interval is to hold, in (0, 1)
    x64: bool = True  # 64-bit arithmetic
    # How it is run: none of these changes a result.
    out: str = "results"  # folder of records and reports
    block: int = 50  # the most tables in one compiled call
    devices: int = 1  # accelerators or CPU devices used; 0 = all
    shard: int = 0  # this process does the conditions shard, shard + shards, ...
    shards: int = 1
    report: bool = True  # write the report once no condition is missing


def check_intervals(cfg: IntervalsConf) -> None:
    """Stop on a value that the types allow and no run can use.

    Raises:
        SettingsError: names the setting and says what to write instead.
    """
    for name in APPLICATIONS["intervals"].axes:
        if not getattr(cfg, name):
            raise SettingsError(f"'{name}' is empty: give at least one value.")
    for name, known in (("method", METHODS), ("mask", MASKS)):
        for value in getattr(cfg, name):
            one_of(name, value, known)
    for sparsity in cfg.sparsity:
        if not 0 <= sparsity < 1:
            raise SettingsError(f"'sparsity' goes from 0 to below 1, got {sparsity}.")
    if not 0 < cfg.level < 1:
        raise SettingsError(f"'level' lies between 0 and 1, got {cfg.level}.")
    at_least("systems", 3, *cfg.systems)
    at_least("items", 2, *cfg.items)
    at_least("trials", 1, *cfg.trials)
    for name, least in {"seeds": 1, "block": 1, "shards": 1, "devices": 0}.items():
        at_least(name, least, getattr(cfg, name))
    check_shard(cfg.shard, cfg.shards)


store = ConfigStore.instance().store
store(name="intervals_schema", node=IntervalsConf)
