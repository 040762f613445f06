import csv

import numpy as np
import pytest
from scipy.stats import spearmanr

from irtjax.data import published

_ABILITY = np.linspace(-2, 2, 10)
_MASK = {"biased": "assortative", "mcar": "mcar"}


def _rows(shared):
    path = shared / "reference" / "kang2026" / "grid_raw_runs_seeds0-9.csv"
    with path.open() as file:
        return [row for row in csv.DictReader(file) if row["method"] == "avg"]


def _wrong(rows):
    condition = {(c.sparsity, c.gap): c for c in published.conditions()}
    wrong = []
    for row in rows:
        c = condition[float(row["S"]), float(row["D"])]
        data = published.dataset(
            c.sparsity, c.gap, c.cell_number, int(row["seed"]), _MASK[row["miss"]]
        )
        rho = spearmanr(published.published_average(*data), _ABILITY).statistic
        if round(float(rho), 4) != float(row["rho"]):
            wrong.append(row)
    return wrong


def test_a_part_of_the_published_averages(shared):
    rows = _rows(shared)[::23]
    assert len(rows) == 131
    assert _wrong(rows) == []


@pytest.mark.slow
def test_every_published_average(shared):
    rows = _rows(shared)
    assert len(rows) == 3000
    assert _wrong(rows) == []


def test_conditions_change_sparsity_slowest():
    grid = published.conditions()
    assert [c.cell_number for c in grid] == list(range(1, 151))
    assert grid[0] == (1, 0.0, 0.5)
    assert grid[9] == (10, 0.0, 5.0)
    assert grid[10] == (11, 0.05, 0.5)
    assert grid[149] == (150, 0.7, 5.0)


def test_one_call_of_binomial_takes_the_stream_of_many():
    probability = np.random.default_rng(3).uniform(size=100)
    together = np.random.default_rng(4).binomial(100, probability)
    rng = np.random.default_rng(4)
    assert together.tolist() == [rng.binomial(100, p) for p in probability]


@pytest.mark.parametrize("mask", ["assortative", "mcar"])
def test_counts_of_observed_cells(mask):
    for c in published.conditions()[::7]:
        successes, trials = published.dataset(*c[1:], c.cell_number, 0, mask)
        observed = trials > 0
        assert observed.sum() >= round(100 * (1 - c.sparsity))
        assert observed.sum(axis=1).min() >= 2
        assert observed.sum(axis=0).min() >= 3
        assert np.all(successes <= trials)
        assert set(np.unique(trials)) <= {0.0, 100.0}


def test_the_average_of_a_system_with_no_data_is_nan():
    trials = np.array([[10.0, 0.0], [0.0, 0.0]])
    average = published.published_average(trials / 2, trials)
    assert average[0] == 0.5
    assert np.isnan(average[1])
