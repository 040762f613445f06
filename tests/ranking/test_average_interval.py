import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import expit
from statsmodels.stats.proportion import proportion_confint

from irtjax.data import CategoricalResponses, LongResponses
from irtjax.ranking import average_interval

from .tables import binomial, scores


def single_answers(successes, count):
    return binomial([[1] * successes + [0] * (count - successes)], np.ones((1, count)))


def test_published_case_of_a_zero_standard_error():
    """Complaint 26: 14 of 307 correct."""
    found = average_interval(single_answers(14, 307))
    assert found.mean[0] == pytest.approx(14 / 307)
    assert found.se[0] == pytest.approx(0.011926, abs=5e-7)


@pytest.mark.parametrize("successes", [0, 1, 14, 306, 307])
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_single_answers_get_the_textbook_wilson_interval(successes, level):
    found = average_interval(single_answers(successes, 307), level=level)
    expected = proportion_confint(successes, 307, 1 - level, method="wilson")
    np.testing.assert_allclose(
        (found.lower[0], found.upper[0]), expected, rtol=1e-9, atol=1e-12
    )
    assert found.lower[0] < found.upper[0]


def test_repeats_are_clustered_by_item():
    """Complaint 27: 100 items x 5 epochs."""
    rng = np.random.default_rng(0)
    chance = rng.beta(0.5, 0.5, 100)
    successes = rng.binomial(5, chance)
    found = average_interval(binomial([successes], np.full((1, 100), 5)))
    shares = successes / 5
    assert found.se[0] == pytest.approx(np.std(shares, ddof=1) / 10)
    # The same answer five times over is no more information than once.
    once = average_interval(binomial([shares > 0.5], np.ones((1, 100))))
    five = average_interval(binomial([5 * (shares > 0.5)], np.full((1, 100), 5)))
    np.testing.assert_allclose(once, five)
    # More epochs shrink the part within items alone.
    many = average_interval(
        binomial([rng.binomial(5000, chance)], np.full((1, 100), 5000))
    )
    assert many.se[0] == pytest.approx(np.std(chance, ddof=1) / 10, rel=0.05)
    assert many.se[0] > 0.6 * found.se[0]


def test_each_item_weighs_the_same_whatever_its_trials():
    found = average_interval(binomial([[100, 0, 1]], [[100, 1, 2]]))
    assert found.mean[0] == pytest.approx(0.5)


def test_extreme_scorers_have_an_interval():
    found = average_interval(binomial([[10, 10], [0, 0]], np.full((2, 2), 10)))
    np.testing.assert_array_equal(found.se, [0, 0])
    np.testing.assert_allclose(found.upper, [1, 1 - found.lower[0]])
    assert 0 < found.lower[0] < 1


def test_one_item_and_no_item():
    found = average_interval(binomial([[0, 3], [0, 0]], [[0, 4], [0, 0]]))
    assert np.isnan(found.se).all()
    assert found.lower[0] < 0.75 < found.upper[0]
    assert found.upper[0] - found.lower[0] > 0.7
    assert np.isnan([found.mean[1], found.lower[1], found.upper[1]]).all()


def test_equal_item_means_are_not_certainty():
    known = average_interval(binomial([[7, 7, 7]], [[10, 10, 10]]))
    unknown = average_interval(scores([[0.7, 0.7, 0.7]]))
    assert known.upper[0] - known.lower[0] > 0.2
    assert unknown.upper[0] - unknown.lower[0] > known.upper[0] - known.lower[0]


def test_all_kinds_of_responses():
    long = LongResponses(
        jnp.array([0, 0, 1]),
        jnp.array([0, 1, 1]),
        jnp.array([1.0, 3.0, 2.0]),
        jnp.array([2.0, 4.0, 2.0]),
        2,
        2,
    )
    np.testing.assert_allclose(average_interval(long), average_interval(long.dense()))
    graded = CategoricalResponses(jnp.array([[[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]]]))
    assert average_interval(graded).mean[0] == pytest.approx(0.5)


@pytest.mark.parametrize("level", [0, 1, 95])
def test_level_is_a_probability(level):
    with pytest.raises(ValueError, match="between 0 and 1"):
        average_interval(single_answers(1, 4), level=level)


@pytest.mark.parametrize(
    ("items", "trials", "spread", "centre"),
    [(10, 1, 1, 1), (30, 5, 0.1, 2), (10, 10, 1, 1), (10, 100, 2, 1), (100, 5, 1, 0)],
)
def test_interval_covers_the_mean_over_all_items(items, trials, spread, centre):
    rng = np.random.default_rng(0)
    n_table = 4000
    truth = expit(centre + spread * rng.normal(size=500_000)).mean()
    chance = expit(centre + spread * rng.normal(size=(n_table, items)))
    successes = rng.binomial(trials, chance)
    found = average_interval(binomial(successes, np.full((n_table, items), trials)))
    coverage = np.mean((found.lower <= truth) & (truth <= found.upper))
    # Wilson's interval itself is off by about .03 at ten single answers.
    assert 0.91 < coverage < 0.99
