"""Bar 5: real tables of language models are fitted, flagged and reported by id, fast."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from . import Measurement
from ._shared import shared
from ._sweep_process import ROOT

TABLES = {"gqa_labels.csv": 14, "chembench_labels.csv": 22}
SECONDS = 10.0
CONSTANT_GQA = 697
# A parameter that a bound holds back has a derivative there; at a mode none has.
STATIONARY = 1e-6


def measure() -> Measurement:
    """Fit and flag each table in a process of its own, nothing compiled before."""
    return judge({name: cold(shared(), name) for name in TABLES})


def judge(found: dict[str, dict[str, Any]]) -> Measurement:
    """Return the bar's verdict.

    Args:
        found: what `cold` returned, by table.
    """
    return {
        "bar": "Real language-model tables: finite, flagged, constant items by id, no "
        "parameter on a bound, under 10 s from the start of a process",
        "command": "scripts/bars 4 5",
        "required": {
            "seconds": SECONDS,
            "constant items of gqa_labels.csv": CONSTANT_GQA,
            "largest derivative an observation": STATIONARY,
            "of each table": "finite, converged, constant items exactly those of the file",
        },
        "measured": found,
        "passed": all(
            entry["seconds"] < SECONDS
            and entry["finite"]
            and entry["code"] == "successful"
            and entry["constant_ids_right"]
            and entry["gradient_norm"] <= STATIONARY
            for entry in found.values()
        )
        and found["gqa_labels.csv"]["constant"] == CONSTANT_GQA,
    }


def cold(folder: Path, name: str) -> dict[str, Any]:
    """Return what a fresh process found about one table, with its wall time.

    Args:
        folder: of the published data.
        name: the file.
    """
    path = folder / "data" / "matrices" / name
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "found.json"
        begin = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", __spec__.name, str(path), str(out)],
            cwd=ROOT,
            env={**os.environ, "JAX_ENABLE_COMPILATION_CACHE": "false"},
            check=True,
        )
        seconds = time.perf_counter() - begin
        found = json.loads(out.read_text())
    ids = found.pop("constant_ids")
    return {
        "seconds": round(seconds, 2),
        **found,
        "constant": len(ids),
        "constant_ids_right": ids == constant_ids(path),
    }


def constant_ids(path: Path) -> list[str]:
    """Return the file's own ids of the rows that all systems got alike, in order."""
    rows = np.loadtxt(path, delimiter=",", skiprows=1, dtype=str)
    scores = rows[:, 1:].astype(float)
    alike = (scores == scores[:, :1]).all(axis=1) & np.isin(scores[:, 0], (0, 1))
    return rows[alike, 0].tolist()


def look(path: Path, out: Path) -> None:
    """Fit and flag one table with the defaults and write what was found."""
    import jax

    jax.config.update("jax_enable_x64", True)
    from irtjax.data import read_table
    from irtjax.irt import RESULTS, Fisher, TwoPL, fit, named
    from irtjax.irt.diagnostics import flags

    table = read_table(path, systems_in="columns", score_is="failure")
    model = TwoPL()
    result = fit(model, table.responses)
    errors = Fisher()(model, table.responses, result.value)
    found = flags(table, model, result, uncertainty=errors)
    values = named(model, result.value)
    numbers = [*values.system.values(), *values.item.values()]
    numbers += [*errors.system.values(), *errors.item.values()]
    unconstrained = np.concatenate(
        [np.ravel(leaf) for leaf in jax.tree.leaves(result.value)]
    )
    counts: dict[str, int] = {}
    for flag in found:
        counts[flag.kind] = counts.get(flag.kind, 0) + 1
    out.write_text(
        json.dumps(
            {
                "systems": table.responses.shape[0],
                "items": table.responses.shape[1],
                "code": RESULTS(int(result.code)).name,
                "gradient_norm": float(result.stats.gradient_norm),
                "finite": all(bool(np.all(np.isfinite(number))) for number in numbers),
                "largest_unconstrained": float(np.max(np.abs(unconstrained))),
                "flags": counts,
                "constant_ids": [f.ids[0] for f in found if f.kind == "constant"],
            }
        )
    )


if __name__ == "__main__":
    look(Path(sys.argv[1]), Path(sys.argv[2]))
