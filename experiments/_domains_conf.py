"""The settings of `experiments.domains`: names, types, units, ranges."""

from dataclasses import dataclass, field
from typing import Any

from hydra.core.config_store import ConfigStore

from ._domain_claims import BEST, DOMAINS
from ._schema import (
    APPLICATIONS,
    SettingsError,
    all_rankers,
    at_least,
    check_rankers,
    check_shard,
    not_empty,
    one_of,
)


@dataclass
class DomainsConf:
    """Settings of `experiments.domains`: the four published domains, masks redrawn."""

    name: str = "domains"  # of the grid; names the report
    # The grid: a condition takes one value of each.
    domain: list[str] = field(
        default_factory=lambda: list(DOMAINS)
    )  # names out of `experiments._domain_claims.DOMAINS`
    # Published nowhere: the abilities of all but two systems. They go evenly from minus
    # this to below this, in logits.
    reach: list[float] = field(default_factory=lambda: [1.0, 1.75, 2.0])
    # What each condition is.
    seeds: int = (
        1000  # data sets a condition; the first 20 stand for the published ones
    )
    # What is compared, as in `experiments.sweep`.
    rankers: list[str] = field(default_factory=all_rankers)
    model: dict[str, Any] = field(default_factory=dict)  # group `model`
    estimator: dict[str, Any] = field(default_factory=dict)  # how `model` is fitted
    x64: bool = True  # 64-bit arithmetic
    # How it is run: none of these changes a result.
    out: str = "results"  # folder of records and reports
    block: int = 128  # data sets in one compiled call; equal to 1e-10 whatever it is
    devices: int = 1  # accelerators or CPU devices used; 0 = all
    shard: int = 0  # this process does the conditions shard, shard + shards, ...
    shards: int = 1
    report: bool = True  # write the report once no condition is missing


def check_domains(cfg: DomainsConf) -> None:
    """Stop on a value that the types allow and no run can use.

    Raises:
        SettingsError: names the setting and says what to write instead.
    """
    not_empty(cfg, *APPLICATIONS["domains"].axes, "rankers")
    for domain in cfg.domain:
        one_of("domain", domain, DOMAINS)
    check_rankers(cfg.rankers)
    for reach in cfg.reach:
        if not 0 < reach <= BEST:
            raise SettingsError(
                f"'reach' is above 0 and at most {BEST:g} logits, which is the best "
                f"system's ability; got {reach}."
            )
    for name, least in {"seeds": 1, "block": 1, "shards": 1, "devices": 0}.items():
        at_least(name, least, getattr(cfg, name))
    check_shard(cfg.shard, cfg.shards)


store = ConfigStore.instance().store
store(name="domains_schema", node=DomainsConf)
