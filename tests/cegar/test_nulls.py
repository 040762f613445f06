"""Nulls against their definitions, and right under the null."""

import itertools

import numpy as np
import pytest
import scipy.stats

from irtjax.cegar import (
    ExactGain,
    Panel,
    RedrawnGain,
    corrected,
    exact_gain,
    gain,
    redrawn_gain,
    sign_test,
)

from .panels import random_flags, random_panel


def small():
    right = np.array([1, 0, 1, 0, 0, 1, 1, 0, 1], bool)
    task = np.array([0, 0, 0, 0, 1, 1, 1, 1, 1])
    places = np.array([0, 1, 2, 3, 0, 1, 2, 3, 4])
    return Panel(task, np.ones(9, int), right, places, ("a", "b"))


def test_the_exact_law_is_that_of_all_redrawings():
    panel = small()
    flags = np.array([[0, 1, 0, 1, 1, 0, 0, 1, 0]], bool)
    found = exact_gain(panel, flags)
    gains = []
    for first in itertools.combinations(range(4), 2):
        for second in itertools.combinations(range(4, 9), 2):
            drawn = np.zeros((1, 9), bool)
            drawn[0, [*first, *second]] = True
            gains.append(gain(panel, drawn).delta)
    assert isinstance(found, ExactGain)
    assert found.delta == pytest.approx(gain(panel, flags).delta)
    assert found.mean == pytest.approx(np.mean(gains), abs=1e-12)
    assert found.sd == pytest.approx(np.std(gains), abs=1e-12)
    exact = np.mean(np.array(gains) >= found.delta - 1e-12)
    assert found.p_value == pytest.approx(exact, abs=1e-9)
    assert found.tolerance < 1e-4


@pytest.mark.parametrize("unit", ["sample", "program"])
def test_redrawing_is_calibrated_and_sees_a_gain(unit):
    panel = random_panel(0, tasks=40)._replace(count=np.ones(240, int))
    lucky = [
        redrawn_gain(
            panel,
            random_flags(panel, 1, seed, 0.3, 0.3),
            draws=199,
            seed=seed,
            unit=unit,
        ).p_value
        for seed in range(60)
    ]
    assert scipy.stats.kstest(lucky, "uniform").pvalue > 0.01
    found = redrawn_gain(panel, random_flags(panel, 1), draws=999, seed=0, unit=unit)
    assert isinstance(found, RedrawnGain)
    assert found.p_value < 0.01
    assert abs(found.mean) < 4 * found.sd / np.sqrt(999)


def test_sampled_and_exact_agree():
    panel = random_panel(4, tasks=25)
    flags = random_flags(panel, 3, right=0.3, wrong=0.4)
    exact = exact_gain(panel, flags)
    drawn = redrawn_gain(panel, flags, draws=4000, seed=2)
    error = np.sqrt(exact.p_value * (1 - exact.p_value) / 4000)
    assert abs(drawn.p_value - exact.p_value) < 4 * error + 1 / 4000
    assert drawn.sd == pytest.approx(exact.sd, rel=0.06)


def test_no_flag_is_no_news():
    panel = random_panel(4)
    nothing = np.zeros((1, len(panel.task)), bool)
    assert exact_gain(panel, nothing).p_value == 1
    assert redrawn_gain(panel, nothing, draws=9, seed=0).p_value == 1


def test_signs_and_corrections():
    assert sign_test(0, 0) == 1
    assert sign_test(3, 0) == pytest.approx(1 / 8)
    found = corrected(np.array([0.01, 0.04, 0.5]))
    assert found.bonferroni == pytest.approx([0.03, 0.12, 1.0])
    assert found.benjamini_hochberg == pytest.approx([0.03, 0.06, 0.5])
    assert len(corrected(np.zeros(0)).bonferroni) == 0
