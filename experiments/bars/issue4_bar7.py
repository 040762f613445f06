"""Bar 7: the same bits again, the same results in any order, and 32 bits."""

import hashlib
import json
import os
import subprocess
import sys
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from . import Measurement
from ._sweep_process import ROOT
from ._ways import MODELS, Found, drawn, example, moved, ways

DIFFERENCE = 1e-8
# Of a value up to 1 in size, in logits; of a larger one as a share of it.
FLOAT32 = 1e-4
SEED = 4


def measure() -> Measurement:
    """Go every way twice here and once in another process, permuted and in 32 bits."""
    jax.config.update("jax_enable_x64", True)
    there = _elsewhere()
    rows = []
    for name, model in MODELS.items():
        responses = example(name, key=jax.random.key(SEED))
        order = _orders(responses.shape)
        permuted = responses.take(*map(jnp.asarray, order))
        low = jax.tree.map(lambda leaf: leaf.astype(jnp.float32), responses)
        for kind, way in (ways(name) | drawn(name)).items():
            found = way(model, responses)
            row = {
                "model": name,
                "way": kind,
                "same_bits": digest(found) == digest(way(model, responses)),
                "same_bits_elsewhere": digest(found) == there[f"{name}: {kind}"],
            }
            if kind in ways(name):
                other = way(model, permuted)
                row["permuted"] = _number(largest_gap(moved(found, *order), other))
                row["float32"] = _number(largest_gap(found, way(model, low)))
            rows.append(row)
    return judge(rows)


def judge(rows: list[dict[str, Any]]) -> Measurement:
    """Return the bar's verdict.

    Args:
        rows: for each model and way, what changed; None = one side has no number. A way
            that draws at random has bits alone.
    """

    def within(row: dict[str, Any], name: str, limit: float) -> bool:
        changed = row.get(name, 0.0)
        return changed is not None and changed <= limit

    short = [
        f"{row['model']}: {row['way']}"
        for row in rows
        if not (
            row["same_bits"]
            and row["same_bits_elsewhere"]
            and within(row, "permuted", DIFFERENCE)
            and within(row, "float32", FLOAT32)
        )
    ]
    return {
        "bar": "The same seed gives the same bits on every path, in another process too; "
        "a permutation permutes; 32 bits stay within their tolerance",
        "command": "scripts/bars 4 7",
        "required": {"permuted": DIFFERENCE, "float32": FLOAT32, "falling_short": []},
        "measured": {"falling_short": short, "ways": rows},
        "passed": bool(rows) and not short,
    }


def digest(found: Found) -> str:
    """Return a hash of every bit of what was found."""
    parts = [np.asarray(leaf).tobytes() for leaf in jax.tree.leaves(found)]
    return hashlib.sha256(b"".join(parts)).hexdigest()


def largest_gap(one: Found, other: Found) -> float:
    """Return the largest difference, of large numbers as a share of their size.

    Not a number where only one side has one; equal infinities are no difference.
    """
    gaps = [0.0]
    for left, right in zip(
        jax.tree.leaves(one[:3]), jax.tree.leaves(other[:3]), strict=True
    ):
        here, there = np.asarray(left, float), np.asarray(right, float)
        same = (here == there) | (np.isnan(here) & np.isnan(there))
        apart = np.abs(np.subtract(here, there, where=~same, out=np.zeros(here.shape)))
        size = np.where(np.isfinite(here), np.maximum(np.abs(here), 1), 1)
        gaps.append(float(np.max(apart / size, initial=0)))
    return float(np.max(gaps))


def _number(value: float) -> float | None:
    return float(f"{value:.2g}") if np.isfinite(value) else None


def _orders(shape: tuple[int, int]):
    generator = np.random.default_rng(SEED)
    return generator.permutation(shape[0]), generator.permutation(shape[1])


def _digests() -> dict[str, str]:
    jax.config.update("jax_enable_x64", True)
    return {
        f"{name}: {kind}": digest(way(model, example(name, key=jax.random.key(SEED))))
        for name, model in MODELS.items()
        for kind, way in (ways(name) | drawn(name)).items()
    }


def _elsewhere() -> dict[str, str]:
    """Return every way's digest as another process finds it."""
    done = subprocess.run(
        [sys.executable, "-m", "experiments.bars.issue4_bar7"],
        cwd=ROOT,
        env=os.environ.copy(),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


if __name__ == "__main__":
    print(json.dumps(_digests()))
