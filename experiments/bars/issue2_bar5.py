"""Bar 5: results depend on neither batch, device, order nor kills in between."""

import random
import signal
import tempfile
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from experiments._draws import MASKS, draw
from irtjax.data import BinomialResponses
from irtjax.irt import TwoPL, fit_many

from . import Measurement
from ._sweep_process import require, run_sweep

REQUIRED = (
    "draws bit for bit and fits to 1e-10 for batches of 1, 7, 512, all; tables "
    "byte-equal for one and two devices, any order, and killed three times and resumed"
)
SEEDS = 600
BATCHES = (1, 7, 512, SEEDS)
GRID = (
    "+grid=sd150_fresh",
    "sparsity=[0.0,0.2,0.5,0.7]",
    "gap=[1.0,3.0,5.0]",
    "seeds=100",
)


def measure() -> Measurement:
    """Draw and fit in several batch sizes, and run one grid in several ways."""
    # As an application, not the library, may: before the first array is made.
    jax.config.update("jax_enable_x64", True)
    batches = [compare_batches(mask) for mask in MASKS]
    with tempfile.TemporaryDirectory() as folder:
        ways = compare_ways(Path(folder), GRID, kills=3)
    return judge(batches, ways)


def judge(batches: list[dict[str, Any]], ways: list[dict[str, Any]]) -> Measurement:
    """Return the bar's verdict.

    Args:
        batches: what `compare_batches` found for each mask.
        ways: what `compare_ways` found.
    """
    return {
        "bar": "Results depend on neither batch size, devices, order nor being killed",
        "command": "scripts/bars 2 5",
        "required": REQUIRED,
        "measured": {"batches": batches, "ways": ways},
        "passed": all(
            entry["draws_equal"] and entry["largest_difference"] <= 1e-10
            for entry in batches
        )
        and all(way["byte_equal"] for way in ways),
    }


def compare_batches(mask: str) -> dict[str, Any]:
    """Return how far draws and fits of one condition depend on the batch size."""
    settings = {
        "simulator": "jax",
        "mask": mask,
        "sparsity": 0.5,
        "gap": 3.0,
        "systems": 10,
        "items": 10,
        "trials": 100,
    }
    drawn, fitted = {}, {}
    for batch in BATCHES:
        parts = [
            draw(settings, range(start, min(start + batch, SEEDS))).responses
            for start in range(0, SEEDS, batch)
        ]
        whole = jax.tree.map(lambda *leaves: np.concatenate(leaves), *parts)
        drawn[batch] = whole
        fitted[batch] = fit_in_batches(whole, batch)
    first = BATCHES[-1]
    return {
        "mask": mask,
        "problems": SEEDS,
        "draws_equal": all(
            np.array_equal(drawn[batch].successes, drawn[first].successes)
            and np.array_equal(drawn[batch].trials, drawn[first].trials)
            for batch in BATCHES
        ),
        "largest_difference": max(
            float(np.max(np.abs(fitted[batch] - fitted[first]))) for batch in BATCHES
        ),
    }


def fit_in_batches(responses: BinomialResponses, batch: int) -> np.ndarray:
    """Return every parameter of every fit, one row a problem."""
    rows = []
    for first in range(0, SEEDS, batch):
        part = slice(first, first + batch)
        some = jax.vmap(BinomialResponses)(
            jnp.asarray(responses.successes[part]), jnp.asarray(responses.trials[part])
        )
        value = fit_many(TwoPL(), some, block=batch).value
        count = some.trials.shape[0]
        leaves = [np.asarray(x).reshape(count, -1) for x in jax.tree.leaves(value)]
        rows.append(np.concatenate(leaves, axis=1))
    return np.concatenate(rows)


def compare_ways(
    folder: Path, grid: tuple[str, ...], *, kills: int
) -> list[dict[str, Any]]:
    """Return whether other ways to run a grid give the same tables byte for byte.

    Args:
        folder: an empty one, for everything written.
        grid: the overrides that say what is computed.
        kills: how often the killed run is killed before it is let through.
    """

    def command(way: str, *more: str) -> list[str]:
        return [*grid, f"out={folder / way}", *more]

    cache = folder / "cache"
    require(run_sweep(command("whole"), cache=cache))
    expected = tables(folder / "whole")
    require(run_sweep(command("devices", "devices=2"), cache=cache, cpu_devices=2))
    for shard in (1, 0):
        order = command("order", "shards=2", f"shard={shard}")
        require(run_sweep(order, cache=cache))
    killed = _killed(command("killed"), folder / "killed", len(expected), kills)
    require(run_sweep(command("killed"), cache=cache))
    return [
        {
            "way": way,
            "tables": len(expected),
            "byte_equal": tables(folder / way) == expected,
            **({"killed_at_table": killed} if way == "killed" else {}),
        }
        for way in ("devices", "order", "killed")
    ]


def _killed(command: list[str], out: Path, tables: int, kills: int) -> list[int]:
    """Kill a sweep several times at random and return the tables found after each."""
    chance = random.Random(0)
    found = []
    for kill in range(kills):
        # At a random table of an equal share each: every run gets a little further.
        share = (kill + chance.random()) / kills
        wanted = max(1, round(share * (tables - 2)))

        def reached(wanted: int = wanted) -> bool:
            return len(list(out.glob("sweep/*/runs.parquet"))) >= wanted

        ended = run_sweep(command, cache=out.parent / "cache", kill_when=reached)
        if ended.code != -signal.SIGKILL:
            raise RuntimeError(f"Not killed but ended with {ended.code}: {ended.said}")
        found.append(len(list(out.glob("sweep/*/runs.parquet"))))
    return found


def tables(out: Path) -> dict[str, bytes]:
    """Return every stored table by its place in the results folder."""
    return {
        str(path.relative_to(out)): path.read_bytes()
        for path in sorted(out.rglob("*.parquet"))
        if not path.name.startswith(".")
    }
