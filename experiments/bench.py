"""Speed against scipy: `python -m experiments.bench`; about ten minutes on two cores.

Everything is measured in one run, in float64: the machine's peak, then for each size our
fits and L-BFGS-B's, in turn. Run it on an idle machine. It keeps no compiled program, so
that the time to compile is the true one.
"""

import dataclasses
import json
from pathlib import Path

import jax
from rich.console import Console
from rich.table import Table

from irtjax.report import write_whole

from . import _runtime
from ._bench_conf import BenchConf, CaseConf
from ._peak import Peak, measured_peak
from ._problems import Tables, published_tables, random_tables
from ._speed import Speed, compare


@_runtime.application("bench")
def main(cfg: BenchConf) -> float:
    """Compare both sides, store the record and return the smallest ratio."""
    jax.config.update("jax_enable_x64", True)
    peak, speeds = measure(cfg)
    record = {
        "peak": dataclasses.asdict(peak),
        "cases": [dataclasses.asdict(speed) for speed in speeds],
        **_runtime.provenance(),
    }
    path = Path(cfg.out) / "bench" / "bench.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, (json.dumps(record, indent=2) + "\n").encode())
    _show(speeds)
    print(f"Record: {path}")
    return min(speed.times_faster for speed in speeds)


def measure(cfg: BenchConf) -> tuple[Peak, list[Speed]]:
    """Return the machine's peak and the times of every case."""
    peak = measured_peak(cfg.matrix, cfg.length, repeats=5)
    speeds = []
    for case in cfg.cases:
        speed = compare(
            case.name,
            tables(case, trials=cfg.trials, seed=cfg.seed),
            memory=case.memory,
            threads=case.threads,
            repeats=case.repeats,
            peak=peak,
        )
        print(f"{case.name}: {speed.times_faster:.1f} times faster", flush=True)
        speeds.append(speed)
    return peak, speeds


def tables(case: CaseConf, *, trials: int, seed: int) -> Tables:
    """Return the tables of a case."""
    if case.published:
        every = published_tables(complete=False)
        return Tables(every.successes[: case.problems], every.trials[: case.problems])
    return random_tables(
        case.problems, case.systems, case.items, trials=trials, seed=seed
    )


def _show(speeds: list[Speed]) -> None:
    table = Table(title="Time a fit, to within 1e-10 of the best known objective")
    for heading in ("size", "fits", "ours", "scipy", "faster", "close", "compile"):
        table.add_column(heading, justify="right")
    for speed in speeds:
        table.add_row(
            speed.name,
            str(speed.problems),
            _per_fit(speed.our_fits_per_second),
            _per_fit(speed.rival_fits_per_second),
            f"{speed.times_faster:.1f} x",
            f"{speed.our_share_close:.2%}",
            f"{speed.compile_seconds:.1f} s",
        )
    Console().print(table)


def _per_fit(fits_per_second: float) -> str:
    return f"{1e3 / fits_per_second:.3g} ms"


if __name__ == "__main__":
    main()
