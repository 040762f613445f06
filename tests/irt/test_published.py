"""Fits of the published data order the systems as the published ones do."""

import csv

import jax.numpy as jnp
import numpy as np
from scipy import stats

from irtjax.data import BinomialResponses, published
from irtjax.irt import RESULTS, TwoPL, fit_many

from .cases import stack

EVERY = 12  # one condition in twelve: all gaps and sparsities come up
SEEDS = (0, 7)


def test_two_pl_has_the_published_rank_correlations(shared):
    path = shared / "reference" / "kang2026" / "grid_raw_runs_seeds0-9.csv"
    with path.open() as file:
        rows = [row for row in csv.DictReader(file) if row["method"] == "irt"]
    expected = {
        (float(r["S"]), float(r["D"]), int(r["seed"])): float(r["rho"]) for r in rows
    }
    wanted = [
        (number, sparsity, gap, seed)
        for number, sparsity, gap in published.conditions()[::EVERY]
        for seed in SEEDS
    ]
    sets = [
        published.dataset(sparsity, gap, number, seed, "assortative")
        for number, sparsity, gap, seed in wanted
    ]
    tables = [BinomialResponses(*(jnp.asarray(part) for part in s)) for s in sets]
    result = fit_many(TwoPL(), stack(tables))
    assert np.all(result.code == RESULTS.successful)
    truth = np.linspace(-2, 2, 10)
    for (_, sparsity, gap, seed), ability in zip(
        wanted, result.value.system[..., 0], strict=True
    ):
        rho = stats.spearmanr(ability, truth).statistic
        assert round(rho, 4) == expected[sparsity, gap, seed], (sparsity, gap, seed)
