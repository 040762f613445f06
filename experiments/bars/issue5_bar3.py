"""Bar 3: seconds and bytes, against careful NumPy and the published package."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from experiments._leave_one_out import leave_one_out
from experiments._matrices import NAMES, load_errors
from irtjax.active import (
    EVALUATIONS,
    Estimates,
    FinitePopulation,
    Planned,
    SourceErrors,
    SystematicThenGreedy,
    Target,
)

from . import Measurement
from ._plain_quadrature import hybrid, quadrature
from ._proeval_environment import proeval_python, published_seconds
from ._shared import shared
from ._sweep_process import ROOT

SIZES = ((20_000, 13), (100_000, 50))
BUDGET = 100
PUBLISHED = (10_000, 13)
REPEATS = 5
SLOWER = 100.0
FASTER = 5.0
SWEEP = (10, 20, 50, 100, 200)
SEEDS = 20
TIMES_F, EXTRA = 3, 50 * 2**20


@eqx.filter_jit
def plan_and_estimates(
    errors: Float[Array, "item source"], outcome: Float[Array, " item"]
) -> Estimates:
    """Return the published method's estimate after each of its picks."""
    return EVALUATIONS["proeval"](
        SourceErrors(errors, jnp.ones(errors.shape, bool)),
        Target(outcome, jnp.ones(outcome.shape, bool)),
        tuple(range(1, BUDGET + 1)),
        key=jax.random.key(0),
    )


def drawn(items: int, sources: int) -> tuple[np.ndarray, np.ndarray]:
    """Return random errors of sources and of a target."""
    generator = np.random.default_rng(0)
    errors = (generator.random((items, sources)) < 0.5).astype(float)
    return errors, (generator.random(items) < 0.5).astype(float)


def measure() -> Measurement:
    """Time both sides in turn; the least of a few runs counts."""
    jax.config.update("jax_enable_x64", True)
    rows = [_row(*size) for size in SIZES]
    with proeval_python() as python:
        theirs = published_seconds(python, *PUBLISHED, BUDGET)
    errors, outcome = map(jnp.asarray, drawn(*PUBLISHED))
    ours = _least(lambda: jax.block_until_ready(plan_and_estimates(errors, outcome)))
    return judge(rows, theirs / ours, _sweep())


def _row(items: int, sources: int) -> dict[str, Any]:
    errors, outcome = drawn(items, sources)
    here, there = jnp.asarray(errors), jnp.asarray(outcome)
    found = plan_and_estimates(here, there).mean
    gap = float(np.abs(found - quadrature(errors, outcome, BUDGET)[1]).max())
    return {
        "items": items,
        "sources": sources,
        "ours": _least(lambda: jax.block_until_ready(plan_and_estimates(here, there))),
        "numpy": _least(lambda: quadrature(errors, outcome, BUDGET)),
        "difference": gap,
        "bytes": _bytes(items, sources),
        "bytes_allowed": TIMES_F * errors.nbytes + EXTRA,
    }


def _sweep() -> dict[str, float]:
    """Return the seconds of every target, seed and budget, ours and a loop's.

    A design that draws, so that no seed is for nothing.
    """
    folder = shared() / "data" / "matrices"
    way = Planned(FinitePopulation(), SystematicThenGreedy())
    ours = loop = 0.0
    for name in NAMES:
        errors = load_errors(name, folder)
        key = jax.random.key(0)
        leave_one_out(way, errors, SWEEP, SEEDS, key=key)
        begin = time.perf_counter()
        leave_one_out(way, errors, SWEEP, SEEDS, key=key)
        between = time.perf_counter()
        for target in range(errors.shape[1]):
            rest = np.delete(errors, target, axis=1)
            for seed in range(SEEDS):
                hybrid(rest, errors[:, target], SWEEP, np.random.default_rng(seed))
        ours += between - begin
        loop += time.perf_counter() - between
    return {"ours": ours, "loop": loop}


def _least(function: Callable[[], Any], repeats: int = REPEATS) -> float:
    function()
    spent = []
    for _ in range(repeats):
        begin = time.perf_counter()
        function()
        spent.append(time.perf_counter() - begin)
    return min(spent)


def _bytes(items: int, sources: int) -> int:
    """Return the bytes that a fresh process takes for the call, once it is compiled."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "experiments.bars.issue5_bar3",
            str(items),
            str(sources),
        ],
        cwd=ROOT,
        env=os.environ.copy(),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return int(done.stdout)


def judge(
    rows: list[dict[str, Any]], published: float, sweep: dict[str, float]
) -> Measurement:
    """Return the bar's verdict.

    Args:
        rows: for each size, seconds of ours and of NumPy, and bytes.
        published: how many times as long the published package takes.
        sweep: seconds of ours and of a loop over NumPy for all targets.
    """
    short = [
        f"{name} at {row['items']} items"
        for row in rows
        for name, fine in (
            ("seconds", row["ours"] <= row["numpy"]),
            ("bytes", row["bytes"] <= row["bytes_allowed"]),
            ("agreement", row["difference"] <= 1e-9),
        )
        if not fine
    ]
    ratio = sweep["loop"] / sweep["ours"]
    if published < SLOWER:
        short.append("published package")
    if ratio < FASTER:
        short.append("all targets")
    return {
        "bar": "A plan with all its estimates is no slower than careful NumPy and takes "
        "at most 3 times the errors' bytes plus 50 MB; the published package takes 100 "
        "times as long at 10,000 items; all targets, seeds and budgets of the matrices "
        "take at most a fifth of a loop over NumPy",
        "command": "scripts/bars 5 3",
        "required": {
            "seconds": "at most NumPy's",
            "published_times": SLOWER,
            "all_targets_times": FASTER,
            "falling_short": [],
        },
        "measured": {
            "falling_short": short,
            "sizes": rows,
            "published_times": published,
            "all_targets_times": ratio,
            "all_targets": sweep,
        },
        "passed": bool(rows) and not short,
    }


def _status(name: str) -> int:
    """Return a number of kilobytes that the kernel keeps of this process, in bytes."""
    with open("/proc/self/status") as lines:
        line = next(line for line in lines if line.startswith(name))
    return int(line.split()[1]) * 1024


def _peak_bytes(items: int, sources: int) -> int:
    """Return by how much the process grew at most while it ran the compiled call."""
    jax.config.update("jax_enable_x64", True)
    errors, outcome = map(jnp.asarray, drawn(items, sources))
    compiled = plan_and_estimates.lower(errors, outcome).compile()
    # Writing 5 there makes the present size the highest so far.
    with open("/proc/self/clear_refs", "w") as refs:
        refs.write("5")
    before = _status("VmRSS")
    jax.block_until_ready(compiled(errors, outcome))
    return _status("VmHWM") - before


if __name__ == "__main__":
    print(_peak_bytes(int(sys.argv[1]), int(sys.argv[2])))
