"""The comparisons with outside tools, at the size that a test may take."""

import numpy as np

from experiments.bars import _science, issue4_bar1, issue4_bar4
from experiments.bars._nuts_tables import binomial_table


def test_a_short_test_agrees_with_r_mirt(shared, monkeypatch):
    monkeypatch.setenv("IRTJAX_SHARED", str(shared))
    assert issue4_bar1.table("LSAT7").shape == (1000, 5)
    found = issue4_bar1.compare("LSAT7", "2PL")
    assert found["log_likelihood"] <= issue4_bar1.REQUIRED["log_likelihood"]
    for name in ("estimate", "error"):
        assert found["apart"][name] <= issue4_bar1.REQUIRED[name]


def test_graded_answers_agree_with_r_mirt(shared, monkeypatch):
    monkeypatch.setenv("IRTJAX_SHARED", str(shared))
    found = _science.compare()
    assert found["log_likelihood"] <= 1e-4
    assert found["estimates"] <= 2e-4
    assert found["errors"] <= 1e-3


def test_tables_for_the_sampler_repeat():
    one, other = binomial_table(3), binomial_table(3)
    np.testing.assert_array_equal(one.successes, other.successes)
    assert one.shape == (20, 20)
    assert (issue4_bar4.RHAT, issue4_bar4.SECONDS, issue4_bar4.RATIO) == (1.01, 30, 5)
