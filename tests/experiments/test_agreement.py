from concurrent.futures import ThreadPoolExecutor

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from experiments import _agreement
from experiments._problems import random_table
from irtjax.data import BinomialResponses
from irtjax.irt import TwoPL, fit


@pytest.mark.slow
def test_agree_finds_agreement_on_tables_of_all_kinds():
    tables = [_table(n, m, k) for k, (n, m) in enumerate([(6, 4), (10, 10), (8, 30)])]
    with ThreadPoolExecutor(1) as executor:
        agreement = _agreement.agree(tables, executor)
    assert np.all(agreement.code == 0)
    assert np.max(agreement.excess) <= 1e-8
    assert np.max(agreement.gradient) <= 1e-6
    assert np.max(agreement.error_gap) <= 1e-6


def _table(n_system, n_item, seed):
    rng = np.random.default_rng(seed)
    return random_table(rng, n_system, n_item, sparsity=0.3, trials=20)


def test_hard_tables_cover_what_they_promise():
    tables = _agreement.hard_tables(60, seed=0)
    shapes = np.array([trials.shape for _, trials in tables])
    largest = np.array([trials.max() for _, trials in tables])
    assert shapes.min(axis=0).tolist() >= [6, 4]
    assert np.all(shapes <= [60, 200])
    assert np.all((largest >= 1) & (largest <= 500))
    for successes, trials in tables[::2]:
        assert np.any(np.all(successes == trials, axis=1))
        assert np.any(np.all(successes == 0, axis=1))


def test_dense_errors_of_a_system_without_data_are_the_priors():
    """Nothing was seen of the last system: its error is the prior's deviation, 1."""
    successes, trials = _table(6, 4, 0)
    successes[-1] = trials[-1] = 0
    table = BinomialResponses(jnp.asarray(successes), jnp.asarray(trials))
    errors = jax.jit(_agreement.dense_errors)(table, fit(TwoPL(), table).value)
    assert errors[5] == pytest.approx(1.0, rel=1e-12)
    assert jnp.all(errors[:5] < 1)
