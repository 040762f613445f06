"""The settings of every application, as dataclasses: names, types, units, ranges.

`conf/<application>.yaml` starts from its dataclass, so a misspelt key or a wrong type
stops a run before it starts. What a dataclass cannot say (a name out of a list, a
range) `check` says, also before the run.
"""

import dataclasses
import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from hydra.core.config_store import ConfigStore
from omegaconf import OmegaConf

from irtjax.data import (
    MCAR,
    AbstractMask,
    Anti,
    Assortative,
    EasyOnly,
    TwoBlocks,
    published,
)
from irtjax.ranking import RANKERS

from ._simulators import SIMULATORS

MASKS: dict[str, AbstractMask] = {
    "assortative": Assortative(),
    "mcar": MCAR(),
    "anti": Anti(),
    "easy_only": EasyOnly(),
    "two_blocks": TwoBlocks(),
}


class SettingsError(ValueError):
    """A setting has a value that no run can use; the message says what to write."""


def all_rankers() -> list[str]:
    """Return the names that a list of rankers may hold, `model` among them."""
    return [*RANKERS, "model"]


@dataclass
class SweepConf:
    """Settings of `experiments.sweep`: every ranker on data from a known truth."""

    name: str = "sweep"  # of the grid; names the report
    # The grid: a condition takes one value of each.
    # published: the paper's NumPy draws; jax: its 2PL, drawn afresh; others are in
    # `experiments._simulators.SIMULATORS` and break one assumption each.
    simulator: list[str] = field(default_factory=lambda: ["published"])
    mask: list[str] = field(default_factory=lambda: ["assortative", "mcar"])
    sparsity: list[float] = field(default_factory=lambda: [0.5])  # share hidden, [0, 1)
    gap: list[float] = field(default_factory=lambda: [3.0])  # in difficulty, logits
    trials: list[int] = field(default_factory=lambda: [100])  # in each observed cell
    # What each condition is.
    seeds: int = 15  # data sets a condition, seeds 0 to seeds - 1
    systems: int = 10
    items: int = 10
    # What is compared: names out of `irtjax.ranking.RANKERS`, dotted paths of ranker
    # classes of yours, and `model`, which is the response model below under its class's
    # name: a class of yours joins the list, `TwoPL` set otherwise replaces `two_pl`.
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


@dataclass
class ReportConf:
    """Settings of `experiments.report`: which stored grids to report."""

    name: str = ""  # of a grid that was run; empty = every one
    out: str = "results"  # the folder the run wrote to


@dataclass
class ResultsConf:
    """Settings of `experiments.results`: where records are and where the page goes."""

    out: str = "results"  # the folder the runs wrote to
    page: str = "docs/results.md"


@dataclass(frozen=True)
class Application:
    """What `_records` must know of an application's settings.

    Attributes:
        axes: settings that hold a list, of which each condition takes one value.
        launch: settings that change no result, so are in no fingerprint.
    """

    axes: tuple[str, ...]
    launch: tuple[str, ...]


_LAUNCH = ("name", "out", "block", "devices", "shard", "shards", "report")
APPLICATIONS = {
    "sweep": Application(
        axes=("simulator", "mask", "sparsity", "gap", "trials"), launch=_LAUNCH
    ),
    "intervals": Application(
        axes=("method", "systems", "items", "trials", "sparsity", "mask"),
        launch=_LAUNCH,
    ),
    "active": Application(axes=("matrix", "method"), launch=(*_LAUNCH, "folder")),
    "failures": Application(axes=("where", "method"), launch=(*_LAUNCH, "folder")),
    "real_masked": Application(
        axes=("matrix", "mask", "sparsity"), launch=(*_LAUNCH, "folder")
    ),
    "domains": Application(axes=("domain", "reach"), launch=_LAUNCH),
    "cegar": Application(
        axes=("tasks", "variant", "training", "seed"),
        launch=(*_LAUNCH, "path", "cache", "allow_weaker"),
    ),
}


def typed(cfg: Any) -> Any:
    """Return composed settings as their dataclass.

    Raises:
        SettingsError: a key that the dataclass does not have (Hydra lets `+key` pass).
    """
    settings: Any = OmegaConf.to_object(cfg)
    known = [field.name for field in dataclasses.fields(settings)]
    for key in cfg:
        if key not in known:
            raise SettingsError(f"No setting is called '{key}'.{nearest(key, known)}")
    return settings


def nearest(word: str, known: Iterable[str]) -> str:
    """Return " Did you mean 'x'?" with the nearest known word, or the whole list."""
    known = sorted(known)
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    if close:
        return f" Did you mean '{close[0]}'?"
    return f" There are: {', '.join(known)}."


def snake_case(name: str) -> str:
    """Return a class's name as a ranker's: `LapseTwoPL` becomes `lapse_two_pl`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def check(cfg: SweepConf) -> None:
    """Stop on a value that the types allow and no sweep can use.

    Raises:
        SettingsError: names the setting and says what to write instead.
    """
    not_empty(cfg, *APPLICATIONS["sweep"].axes, "rankers")
    for mask in cfg.mask:
        one_of("mask", mask, MASKS)
    for simulator in cfg.simulator:
        one_of("simulator", simulator, ("published", *SIMULATORS))
    check_rankers(cfg.rankers)
    check_sparsity(cfg.sparsity)
    for gap in cfg.gap:
        if not 0 < gap < 50:
            raise SettingsError(f"'gap' is above 0 and below 50 logits, got {gap}.")
    at_least("trials", 1, *cfg.trials)
    lowest = {"seeds": 1, "systems": 3, "items": 2, "block": 1}
    lowest |= {"shards": 1, "devices": 0}
    for name, least in lowest.items():
        at_least(name, least, getattr(cfg, name))
    check_shard(cfg.shard, cfg.shards)
    if "published" in cfg.simulator:
        _check_published(cfg)


def _check_published(cfg: SweepConf) -> None:
    """Stop where no published data exist."""
    remedy = " Write simulator=[jax] to draw such data afresh."
    fixed = {
        "systems": (published.N_SYSTEM, [cfg.systems]),
        "items": (published.N_ITEM, [cfg.items]),
        "trials": (published.N_TRIAL, cfg.trials),
    }
    for name, (value, given) in fixed.items():
        for other in given:
            if other != value:
                raise SettingsError(
                    f"The published data have {name}={value}, got {other}.{remedy}"
                )
    if cfg.seeds > published.N_SEED:
        raise SettingsError(
            f"The published data have {published.N_SEED} seeds, got {cfg.seeds}."
            + remedy
        )
    for mask in cfg.mask:
        if mask not in ("assortative", "mcar"):
            raise SettingsError(f"No published data have the mask '{mask}'.{remedy}")
    steps = {"sparsity": (0.05, 0, 14), "gap": (0.5, 1, 10)}
    for name, (step, first, last) in steps.items():
        for value in getattr(cfg, name):
            number = round(value / step)
            if abs(number * step - value) > 1e-9 or not first <= number <= last:
                raise SettingsError(
                    f"The published {name} goes from {first * step:g} to "
                    f"{last * step:g} in steps of {step}, got {value}.{remedy}"
                )


def not_empty(cfg: Any, *settings: str) -> None:
    """Stop where a list of values has none.

    Raises:
        SettingsError: names the setting.
    """
    for name in settings:
        if not getattr(cfg, name):
            raise SettingsError(f"'{name}' is empty: give at least one value.")


def check_rankers(rankers: list[str]) -> None:
    """Stop on the name of a ranker that there is not; dotted paths are tried later.

    Raises:
        SettingsError: with the nearest name.
    """
    for ranker in rankers:
        if "." not in ranker:
            one_of("rankers", ranker, all_rankers())


def check_sparsity(values: list[float]) -> None:
    """Stop on a share of hidden cells that is none.

    Raises:
        SettingsError: with the value.
    """
    for sparsity in values:
        if not 0 <= sparsity < 1:
            raise SettingsError(f"'sparsity' goes from 0 to below 1, got {sparsity}.")


def one_of(setting: str, value: str, known: Iterable[str]) -> None:
    """Stop where a setting's value is no known name, with the nearest one.

    Raises:
        SettingsError: names the setting.
    """
    if value not in known:
        raise SettingsError(f"'{setting}' knows no '{value}'.{nearest(value, known)}")


def at_least(setting: str, least: int, *values: int) -> None:
    """Stop where a setting has a value below `least`.

    Raises:
        SettingsError: names the setting.
    """
    for value in values:
        if value < least:
            raise SettingsError(f"'{setting}' is at least {least}, got {value}.")


def check_shard(shard: int, shards: int) -> None:
    """Stop on a share of the conditions that does not exist.

    Raises:
        SettingsError: says which shards there are.
    """
    at_least("shard", 0, shard)
    if shard >= shards:
        raise SettingsError(
            f"'shard' counts from 0, so {shards} shards end at {shards - 1}; "
            f"got shard={shard}."
        )


store = ConfigStore.instance().store
store(name="sweep_schema", node=SweepConf)
store(name="report_schema", node=ReportConf)
store(name="results_schema", node=ResultsConf)
