"""The settings of `experiments.real_masked`: names, types, units, ranges."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hydra.core.config_store import ConfigStore

from ._matrices import NAMES, check_present, shared_matrices
from ._schema import (
    APPLICATIONS,
    MASKS,
    all_rankers,
    at_least,
    check_rankers,
    check_shard,
    check_sparsity,
    not_empty,
    one_of,
)


@dataclass
class RealMaskedConf:
    """Settings of `experiments.real_masked`: real tables with cells hidden."""

    name: str = "real_masked"  # of the grid; names the report
    # The grid: a condition takes one value of each.
    matrix: list[str] = field(
        default_factory=lambda: list(NAMES)
    )  # names of files `<name>_labels.csv`
    mask: list[str] = field(
        default_factory=lambda: ["assortative", "mcar", "anti", "easy_only"]
    )
    sparsity: list[float] = field(
        default_factory=lambda: [0.0, 0.3, 0.5, 0.7]
    )  # share hidden, [0, 1)
    # What each condition is.
    items: int = 100  # of each data set, drawn from the matrix's; at most all
    seeds: int = 50  # data sets a condition; a seed has the same items in all of them
    # What is compared, as in `experiments.sweep`.
    rankers: list[str] = field(default_factory=all_rankers)
    model: dict[str, Any] = field(default_factory=dict)  # group `model`
    estimator: dict[str, Any] = field(default_factory=dict)  # how `model` is fitted
    x64: bool = True  # 64-bit arithmetic
    # How it is run: none of these changes a result.
    folder: str = ""  # of the matrices; empty = those that come with the project
    out: str = "results"  # folder of records and reports
    block: int = 50  # data sets in one compiled call; equal to 1e-10 whatever it is
    devices: int = 1  # accelerators or CPU devices used; 0 = all
    shard: int = 0  # this process does the conditions shard, shard + shards, ...
    shards: int = 1
    report: bool = True  # write the report once no condition is missing


def check_real_masked(cfg: RealMaskedConf) -> None:
    """Stop on a value that the types allow and no run can use.

    Raises:
        SettingsError: names the setting and says what to write instead.
    """
    not_empty(cfg, *APPLICATIONS["real_masked"].axes, "rankers")
    for mask in cfg.mask:
        one_of("mask", mask, MASKS)
    check_sparsity(cfg.sparsity)
    check_rankers(cfg.rankers)
    lowest = {"items": 2, "seeds": 1, "block": 1, "shards": 1, "devices": 0}
    for name, least in lowest.items():
        at_least(name, least, getattr(cfg, name))
    check_shard(cfg.shard, cfg.shards)
    check_present(cfg.matrix, matrices_folder(cfg))


def matrices_folder(cfg: RealMaskedConf) -> Path:
    """Return the folder that holds the matrices."""
    return Path(cfg.folder) if cfg.folder else shared_matrices()


store = ConfigStore.instance().store
store(name="real_masked_schema", node=RealMaskedConf)
