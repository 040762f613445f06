"""Paired differences against statsmodels, and where nothing varies."""

import numpy as np
import pytest
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.weightstats import DescrStatsW

from irtjax.ranking import PairedDifference, paired_answers, paired_means


def answers(seed, n=60):
    rng = np.random.default_rng(seed)
    return (rng.random((2, n)) < [[0.7], [0.5]]).astype(float)


@pytest.mark.parametrize("seed", range(3))
def test_single_answers_are_tested_as_mcnemar_does(seed):
    first, second = answers(seed)
    found = paired_answers(first, second)
    table = [[np.sum((first == a) & (second == b)) for b in (1, 0)] for a in (1, 0)]
    assert found.p_value == pytest.approx(mcnemar(table, exact=True).pvalue)
    assert (found.wins, found.losses) == (table[0][1], table[1][0])
    # Bonett and Price in their own notation.
    p12, p21 = (table[0][1] + 1) / 62, (table[1][0] + 1) / 62
    half = 1.959964 * np.sqrt((p12 + p21 - (p12 - p21) ** 2) / 62)
    assert (found.lower, found.upper) == pytest.approx(
        (p12 - p21 - half, p12 - p21 + half), abs=1e-6
    )


def test_means_of_items_are_tested_as_student_does():
    first, second = np.random.default_rng(0).random((2, 15))
    found = paired_means(first, second, level=0.9)
    theirs = DescrStatsW(first - second)
    assert found.p_value == pytest.approx(theirs.ttest_mean()[1])
    assert (found.lower, found.upper) == pytest.approx(theirs.tconfint_mean(0.1))


@pytest.mark.parametrize("rule", [paired_answers, paired_means])
@pytest.mark.parametrize("n", [1, 2, 20])
@pytest.mark.parametrize("pair", [(1.0, 1.0), (0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
def test_no_spread_is_not_certainty(rule, n, pair):
    """Complaint 26, of differences: an interval that is never empty."""
    found = rule(*(np.full(n, each) for each in pair))
    assert found.lower <= found.difference <= found.upper
    assert found.upper - found.lower > 0.1
    assert -1 <= found.lower < found.upper <= 1
    assert 0 < found.p_value <= 1
    assert found.wins + found.losses == n * (pair[0] != pair[1])


def test_rounding_is_no_difference():
    found = paired_answers(np.array([0.1 + 0.2, 1.0]), np.array([0.3, 1.0]))
    assert (found.wins, found.losses, found.p_value) == (0, 0, 1.0)


def test_nothing_shared_is_nothing_known():
    found = paired_means(np.zeros(0), np.zeros(0))
    assert isinstance(found, PairedDifference)
    assert found.items == 0
    assert np.isnan([found.difference, found.lower, found.upper, found.p_value]).all()


def test_intervals_cover():
    rng = np.random.default_rng(1)
    chance = rng.random((20, 40)) * 0.6 + 0.2
    inside = 0
    for _ in range(400):
        first = rng.random(40) < chance[0]
        second = rng.random(40) < np.minimum(chance[0] + 0.15, 1)
        found = paired_answers(first.astype(float), second.astype(float))
        truth = np.mean(chance[0] - np.minimum(chance[0] + 0.15, 1))
        inside += found.lower <= truth <= found.upper
    # 0.95 of 400 less three standard deviations; items stand still, so it covers more.
    assert inside >= 400 * 0.95 - 3 * np.sqrt(400 * 0.95 * 0.05)


def test_repeats_of_an_item_are_no_items():
    """Complaint 27: 100 items of 5 answers err as 100 items do, not as 500."""
    rng = np.random.default_rng(3)
    chance = rng.random((2, 100))
    means = [rng.binomial(n, chance) / n for n in (5, 500)]
    widths = [np.subtract(*paired_means(*each)[2:0:-1]) for each in means]
    between = 2 * 1.984 * np.std(chance[0] - chance[1], ddof=1) / 10
    assert widths[0] > widths[1] > 0.95 * between
    assert widths[0] < 1.4 * between
