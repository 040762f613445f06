"""The comparisons with outside tools, at the size that a test may take."""

import numpy as np
import pytest

from experiments.bars import (
    _peer_marginal,
    _science,
    issue4_bar1,
    issue4_bar2,
    issue4_bar4,
)
from experiments.bars._nuts_tables import binomial_table


def test_a_short_test_agrees_with_r_mirt(shared, monkeypatch):
    monkeypatch.setenv("IRTJAX_SHARED", str(shared))
    assert issue4_bar1.table("LSAT7").shape == (1000, 5)
    found = issue4_bar1.compare("LSAT7", "2PL")
    for name, most in issue4_bar1.REQUIRED.items():
        assert found[name] <= most


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


@pytest.mark.parametrize(
    ("changes", "times_faster", "passed"),
    [
        ({}, 21.0, True),
        ({}, 19.0, False),
        ({"rmse": 0.11, "mean_error": 0.11}, 21.0, False),
        ({"mean_error": 0.05}, 21.0, False),
        ({"cpu": 2.0}, 21.0, False),
        ({"log_likelihood_gap": 1e-3}, 21.0, False),
        ({"code": 1}, 21.0, False),
    ],
)
def test_bar_2_falls_where_it_should(changes, times_faster, passed):
    row = {
        "code": 0,
        "log_likelihood_gap": 1e-6,
        "rmse": 0.09,
        "mean_error": 0.09,
        "cpu": 1.0,
        "peer_cpu": 1.5,
    }
    many = {"times_faster": times_faster, "converged": issue4_bar2.N_SMALL}
    found = issue4_bar2.judge({"complete": row, "40 % missing": row | changes}, many)
    assert found["passed"] is passed


def test_another_programs_times_come_from_its_own_process():
    assert callable(_peer_marginal.girth_jml)
    assert callable(_peer_marginal.mirt_serial)
