"""Bar 2 of issue 4: marginal fits of a large table and of many small ones, timed.

The other programs run in an interpreter of their own: `$IRTJAX_PEERS` names a Python
that has girth 0.8.0 and mirt 1.2.0 (`pip install girth==0.8.0 mirt==1.2.0`).
"""

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import polars as pl

from irtjax.data import BinomialResponses
from irtjax.irt import (
    RESULTS,
    AdaptiveQuadrature,
    Estimate,
    FixedQuadrature,
    MarginalFisher,
    MarginalMAP,
    TwoPL,
    fit,
    fit_many,
    marginal_log_likelihood,
    posterior,
)
from irtjax.irt.marginal import MarginalPosterior

from . import Measurement
from ._shared import shared

LARGE = {"complete": "s500x1000_m00", "40 % missing": "s500x1000_m40"}
REFERENCE = FixedQuadrature(400, 6.0)
N_SMALL = 200
REQUIRED = {
    "log_likelihood_gap": 1e-4,
    "rmse": 0.10,
    "error_gap": 0.10,
    "cpu_ratio": 1.0,
    "times_faster": 20.0,
}


def measure() -> Measurement:
    """Time both programs on the stored tables, one after the other."""
    jax.config.update("jax_enable_x64", True)
    return judge({name: large(stem) for name, stem in LARGE.items()}, small())


def judge(tables: dict[str, dict[str, Any]], many: dict[str, Any]) -> Measurement:
    """Return the verdict on what `large` and `small` found."""
    passed = all(
        found["code"] == RESULTS.successful
        and found["log_likelihood_gap"] <= REQUIRED["log_likelihood_gap"]
        and found["rmse"] <= REQUIRED["rmse"]
        and abs(found["mean_error"] / found["rmse"] - 1) <= REQUIRED["error_gap"]
        and found["cpu"] / found["peer_cpu"] <= REQUIRED["cpu_ratio"]
        for found in tables.values()
    )
    quick = many["times_faster"] >= REQUIRED["times_faster"]
    return {
        "bar": "500 x 1000: log-likelihood within 1e-4 of a 400-node reference, ability "
        "RMSE at most .10, reported errors within 10 % of it, CPU time at most that of "
        "girth's JML; 200 tables of 20 x 20 at least 20 times faster than mirt's loop",
        "command": "scripts/bars 4 2",
        "required": {**REQUIRED, "goal_times_faster": 100.0},
        "measured": {"large": tables, "small": many},
        "passed": bool(passed and quick and many["converged"] == N_SMALL),
    }


def large(stem: str) -> dict[str, Any]:
    """Return how well, and at what cost, a stored table is fitted."""
    answers = _answers(stem)
    responses = BinomialResponses(
        jnp.asarray(np.where(answers < 0, 0, answers), float),
        jnp.asarray(answers >= 0, float),
    )
    model = TwoPL()
    result, cold, cpu = _timed(lambda: fit(model, responses, estimator=MarginalMAP()))
    errors, _, cpu_errors = _timed(
        lambda: MarginalFisher()(model, responses, result.value)
    )
    truth = json.loads(
        (shared() / "reference" / "sim" / "s500x1000_truth.json").read_text()
    )
    true = np.asarray(truth["theta"])
    ability = np.asarray(result.value.system[:, 0])
    ours, theirs = (
        float(marginal_log_likelihood(model, responses, result.value, quadrature=rule))
        for rule in (MarginalMAP().quadrature, REFERENCE)
    )
    peer = _peer("girth", answers)
    return {
        "code": int(result.code),
        "iterations": int(result.stats.iterations),
        "log_likelihood_gap": abs(ours / theirs - 1),
        "rmse": _rmse(ability, true),
        "rmse_with_true_items": _rmse(_scores_with_true_items(responses, truth), true),
        "mean_error": float(np.mean(errors.system["ability"])),
        "cpu": cpu,
        "cpu_errors": cpu_errors,
        "wall_of_first_call": cold,
        "peer": peer["version"],
        "peer_cpu": peer["cpu_fit"],
        "peer_cpu_with_scores": peer["cpu_fit_and_scores"],
        "peer_rmse": _rmse(np.asarray(peer["ability"]), true),
    }


def small() -> dict[str, Any]:
    """Return how fast many small tables are fitted, beside a serial loop."""
    answers = np.stack([_drawn(seed) for seed in range(N_SMALL)])
    responses = BinomialResponses(
        jnp.asarray(np.where(answers < 0, 0, answers), float),
        jnp.asarray(answers >= 0, float),
    )
    runs = []
    for _ in range(6):
        begin = time.perf_counter()
        found = fit_many(TwoPL(), responses, estimator=MarginalMAP())
        runs.append(time.perf_counter() - begin)
    ours = min(runs[1:]) / N_SMALL
    peer = _peer("mirt", answers)
    return {
        "converged": int(np.sum(found.code == RESULTS.successful)),
        "seconds_a_table": ours,
        "seconds_of_first_call": runs[0],
        "peer": peer["version"],
        "peer_seconds_a_table": peer["wall_per_table"],
        "peer_failed": peer["failed"],
        "times_faster": peer["wall_per_table"] / ours,
    }


def _answers(stem: str) -> np.ndarray:
    path = shared() / "reference" / "sim" / f"{stem}.csv.gz"
    values = pl.read_csv(path, null_values=["NA", ""]).drop("subject").to_numpy()
    return np.nan_to_num(values.astype(float), nan=-1.0)


def _drawn(seed: int) -> np.ndarray:
    """Return a 20 x 20 table of one answer a cell, 40 % of them missing at random."""
    rng = np.random.default_rng(seed)
    ability, difficulty = rng.normal(size=20), rng.normal(size=20)
    slope = np.exp(0.35 * rng.normal(size=20))
    chance = 1 / (1 + np.exp(-slope * (ability[:, None] - difficulty)))
    right = rng.random((20, 20)) < chance
    return np.where(rng.random((20, 20)) < 0.4, -1.0, right)


def _timed(run: Callable[[], Any]) -> tuple[Any, float, float]:
    """Return a result, the first call's seconds, the CPU seconds of a later one."""
    begin = time.perf_counter()
    jax.block_until_ready(run())
    cold = time.perf_counter() - begin
    used = []
    for _ in range(3):
        begin = time.process_time()
        result = jax.block_until_ready(run())
        used.append(time.process_time() - begin)
    return result, cold, min(used)


def _peer(name: str, answers: np.ndarray) -> dict[str, Any]:
    python = os.environ.get("IRTJAX_PEERS")
    if not python:
        raise FileNotFoundError(
            "This bar runs other programs beside ours: set IRTJAX_PEERS to a Python that "
            "has girth 0.8.0 and mirt 1.2.0."
        )
    script = Path(__file__).with_name("_peer_marginal.py")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tables.npy"
        np.save(path, answers)
        done = subprocess.run(
            [python, str(script), name, str(path)],
            capture_output=True,
            text=True,
            check=True,
        )
    return json.loads(done.stdout.splitlines()[-1])


def _scores_with_true_items(
    responses: BinomialResponses, truth: dict[str, Any]
) -> np.ndarray:
    """Return posterior means given the true items: no fit can be expected to do better."""
    items = np.stack([truth["b"], np.log(truth["a"])], axis=1)
    at = Estimate(jnp.zeros((responses.shape[0], 1)), jnp.asarray(items), jnp.zeros(0))
    problem = MarginalPosterior(posterior(TwoPL(), responses), AdaptiveQuadrature())
    return np.asarray(problem.settled(at).system[:, 0])


def _rmse(found: np.ndarray, true: np.ndarray) -> float:
    return float(np.sqrt(np.mean((found - true) ** 2)))
