"""The settings of `experiments.bench`: names, types, units."""

from dataclasses import dataclass, field

from hydra.core.config_store import ConfigStore
from omegaconf import MISSING


@dataclass
class CaseConf:
    """Tables of one size, fitted by both sides."""

    name: str = MISSING
    published: bool = False  # the incomplete published sets instead of random tables
    problems: int = MISSING  # how many tables; of the published sets, the first ones
    systems: int = MISSING
    items: int = MISSING
    memory: int = 10  # step pairs kept by L-BFGS-B; the best for the size
    threads: int = 1  # of linear algebra on L-BFGS-B's side; the best for the size
    repeats: int = 3  # times that each side runs, in turn


@dataclass
class BenchConf:
    """Settings of `experiments.bench`: our fits against scipy's L-BFGS-B."""

    cases: list[CaseConf] = field(default_factory=list)
    trials: int = 100  # answers in each observed cell of a random table
    seed: int = 0  # of the random tables
    matrix: int = 3000  # rows of the matrices in the peak's product
    length: int = 20_000_000  # of the arrays in the peak's triad
    out: str = "results"  # folder of the record


store = ConfigStore.instance().store
store(name="bench_schema", node=BenchConf)
