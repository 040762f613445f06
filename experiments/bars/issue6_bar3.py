"""Bar 3: the loop with the grammar on real programs, and with shuffled truth."""

import os
from typing import Any

import numpy as np
import polars as pl

from .. import _records
from .._cegar_conf import CegarConf
from .._cegar_tables import pool_scores
from .._cegar_variants import FULL
from ..cegar import RECIPE
from . import Measurement
from ._shared import ROOT, shared
from ._sweep_process import require, run_application

SEEDS = 8
SHUFFLED = 20
TRAINING = 150
CURVE = (75, 225)
OTHERS = ("text_only", "paper_gate", "recall_gate")
OUT = ROOT / "results" / "bars" / "issue6"
"""Where records are kept: a bar that was stopped goes on."""


def measure() -> Measurement:
    """Run every condition that has no record yet, and judge the records."""
    os.environ["IRTJAX_SHARED"] = str(shared())
    grids = {
        "full": _grid([FULL], [TRAINING], SEEDS),
        "shuffled": _grid(["shuffled"], [TRAINING], SHUFFLED),
        "curve": _grid([FULL], list(CURVE), SEEDS),
        "others": _grid(list(OTHERS), [TRAINING], SEEDS),
    }
    return judge({name: _run(name, cfg) for name, cfg in grids.items()})


def _grid(variant: list[str], training: list[int], seeds: int) -> CegarConf:
    return CegarConf(
        tasks=["mbpp_plus"], variant=variant, training=training,
        seed=list(range(seeds)), out=str(OUT),
    )  # fmt: skip


def _run(name: str, cfg: CegarConf) -> pl.DataFrame:
    listed = {
        "tasks": cfg.tasks,
        "variant": cfg.variant,
        "training": cfg.training,
        "seed": cfg.seed,
    }
    overrides = [
        f"{key}=[{','.join(map(str, value))}]" for key, value in listed.items()
    ]
    require(run_application("cegar", [*overrides, f"name={name}", f"out={cfg.out}"]))
    return pool_scores(_records.expand("cegar", cfg, recipe=RECIPE).runs())


def judge(scores: dict[str, pl.DataFrame]) -> Measurement:
    """Return the bar's verdict.

    Args:
        scores: of `pool_scores`, by the name of the grid.
    """
    full = summed(scores["full"])
    shuffled = int((scores["shuffled"].unique("seed")["admitted"] > 0).sum())
    unseen, others = full["unseen"], full["humaneval_plus"]
    comparator = unseen["comparator closed, mean"]
    corrected = unseen["least p"] * SEEDS
    measured = {
        "full": full,
        "shuffled, runs that admit": f"{shuffled} of {SHUFFLED}",
        "best p after Bonferroni": corrected,
        "curve": {
            str(size): summed(scores["curve"].filter(pl.col("seed") >= 0), size)
            for size in sorted(set(scores["curve"]["training"].to_list()))
        },
        "others": {
            name: summed(scores["others"].filter(pl.col("variant") == name))
            for name in OTHERS
        },
    }
    return {
        "bar": "The grammar's loop on 150 training tasks of MBPP+, eight runs: admits, "
        "gains on unseen tasks and on HumanEval+, closes as much as the comparator, and "
        "admits next to nothing when truth is shuffled",
        "command": "scripts/bars 6 3",
        "required": {
            "runs that admit": 6,
            "of these without a gain, on either set": 1,
            "best closed": "the comparator's",
            "median closed": "half of the comparator's",
            "best p after Bonferroni": 0.001,
            "shuffled, runs that admit": 1,
        },
        "measured": measured,
        "passed": bool(
            unseen["admit"] >= 6
            and all(part["admit"] - part["positive"] <= 1 for part in (unseen, others))
            and unseen["best closed"] >= comparator
            and unseen["median closed"] >= comparator / 2
            and corrected <= 0.001
            and shuffled <= 1
        ),
    }


def summed(scores: pl.DataFrame, training: int | None = None) -> dict[str, Any]:
    """Return by scored set what the runs that admit an operator are worth.

    Args:
        scores: of `pool_scores`.
        training: tasks; by default whatever there is.
    """
    if training is not None:
        scores = scores.filter(pl.col("training") == training)
    found = {}
    for where in ("unseen", "humaneval_plus"):
        here = scores.filter(pl.col("where") == where)
        admits = here.filter(pl.col("admitted") > 0)
        closed = admits["closed"].to_numpy()
        found[where] = {
            "runs": len(here),
            "admit": len(admits),
            "positive": int((admits["delta"] > 0).sum()),
            "delta, mean": _rounded(admits["delta"].to_numpy()),
            "closed": [round(float(value), 3) for value in closed],
            "median closed": _rounded(closed, np.median),
            "best closed": _rounded(closed, np.max),
            "comparator closed, mean": _rounded(
                here["comparator_closed"].drop_nulls().to_numpy()
            ),
            "least p": float(np.min(admits["p_exact"].to_numpy(), initial=1.0)),
        }
    return found


def _rounded(values: np.ndarray, sum_up=np.mean) -> float | None:
    """Return a figure for the record; None where no run admitted anything."""
    return round(float(sum_up(values)), 4) if len(values) else None
