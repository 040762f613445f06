"""Bar 4 of issue 4: NUTS on 20 x 20 tables, cold, and a hundred of them at once."""

import json
import os
import subprocess
import sys
import tempfile
import time

import jax
import numpy as np

from irtjax.irt import TwoPL
from irtjax.irt.posteriors import SAMPLING, NUTSTrace, nuts_many, sample_posterior

from . import Measurement
from ._nuts_tables import binomial_table
from ._plain_numpyro import plain_sampler, run_plain
from ._sweep_process import ROOT

TABLES, ALONE, PLAIN = 100, 8, 3
RHAT, SECONDS, RATIO = 1.01, 30.0, 5.0


def measure() -> Measurement:
    """Sample one table cold, some one by one, all together; about two minutes."""
    jax.config.update("jax_enable_x64", True)
    cold = _cold()
    tables = [binomial_table(number) for number in range(TABLES)]
    stacked = jax.tree.map(lambda *leaves: np.stack(leaves), *tables)
    key = jax.random.key(0)

    def alone(number: int) -> float:
        start = time.perf_counter()
        sample_posterior(TwoPL(), tables[number], key=jax.random.fold_in(key, number))
        return time.perf_counter() - start

    alone(0)
    nuts_many(TwoPL(), stacked, key=key)
    # By turns, so that a busy machine is busy for both.
    one_by_one = [alone(number) for number in range(ALONE // 2)]
    start = time.perf_counter()
    found = nuts_many(TwoPL(), stacked, key=key)
    together = time.perf_counter() - start
    one_by_one += [alone(number) for number in range(ALONE // 2, ALONE)]

    sampler, plain = plain_sampler(), []
    for number in range(PLAIN + 1):
        start = time.perf_counter()
        run_plain(sampler, tables[number].successes, tables[number].trials, number)
        plain.append(time.perf_counter() - start)

    assert isinstance(found.trace, NUTSTrace)
    ratio = float(np.mean(one_by_one)) / (together / TABLES)
    rhat = max(float(np.max(x)) for x in jax.tree.leaves(found.mixing.rhat) if x.size)
    measured = {
        **cold,
        "ratio": ratio,
        "seconds_one_by_one_a_table": float(np.mean(one_by_one)),
        "tables_one_by_one": ALONE,
        "seconds_together_a_table": together / TABLES,
        "tables_together": TABLES,
        "plain_numpyro_seconds_a_table": float(np.mean(plain[1:])),
        "ratio_to_plain_numpyro": float(np.mean(plain[1:])) / (together / TABLES),
        "together_by_code": {
            code.name: int(np.sum(found.code == code)) for code in SAMPLING
        },
        "together_largest_rhat": rhat,
        "together_divergences": int(np.sum(found.trace.diverging)),
    }
    return {
        "bar": "NUTS, 4 chains x 1,000 draws on 20 x 20 tables of 10 trials: R-hat below "
        "1.01, no divergence, under 30 s in a fresh process with nothing compiled; 100 "
        "such tables together at least 5 times faster than one by one, both compiled",
        "command": "scripts/bars 4 4",
        "required": {
            "largest_rhat": RHAT,
            "divergences": 0,
            "cold_seconds": SECONDS,
            "ratio": RATIO,
        },
        "measured": measured,
        "passed": bool(
            cold["largest_rhat"] < RHAT
            and cold["divergences"] == 0
            and cold["cold_seconds"] < SECONDS
            and ratio >= RATIO
        ),
    }


def _cold() -> dict:
    """Return what a fresh process with an empty cache finds, and how long it takes."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "JAX_COMPILATION_CACHE_DIR": cache}
        start = time.perf_counter()
        finished = subprocess.run(
            [sys.executable, "-m", "experiments.bars._cold_nuts"],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        seconds = time.perf_counter() - start
    return {"cold_seconds": seconds, **json.loads(finished.stdout)}
