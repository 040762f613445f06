"""Estimates: exact at the end, right in polarity, intervals that hold, and refusals."""

import numpy as np
import pytest
import scipy.stats

from irtjax.active import FinitePopulation, Systematic
from irtjax.active.pipeline import (
    METHODS,
    CategoryScore,
    Interval,
    ScoreDifference,
    ScoreEstimate,
    answers_from,
    estimate_score,
    make_plan,
    score_difference,
)
from irtjax.active.pipeline._left_out import reach
from irtjax.data import DataError

from .histories import answered, history, scores

PRIOR = FinitePopulation()
MATRIX = scores()


@pytest.fixture(scope="module")
def past():
    return history(MATRIX[:, 2:])


@pytest.fixture(scope="module")
def plan(past):
    return make_plan(past, 24, prior=PRIOR, design=Systematic())


def everything(past, target, **more):
    return answers_from(
        past, dict(zip(past.item_ids, map(float, target), strict=True)), **more
    )


def test_with_everything_answered_the_score_is_known(past):
    found = estimate_score(past, everything(past, MATRIX[:, 0]), prior=PRIOR)
    assert isinstance(found, ScoreEstimate)
    for value in (found.score, found.lower, found.upper):
        assert value == pytest.approx(MATRIX[:, 0].mean(), abs=1e-9)


def test_polarity_turns_score_and_interval(past, plan):
    right = estimate_score(past, answered(past, plan, MATRIX[:, 0]), prior=PRIOR)
    turned = history(1 - MATRIX[:, 2:], "failure")
    wrong = estimate_score(
        turned, answered(turned, plan, 1 - MATRIX[:, 0]), prior=PRIOR
    )
    assert wrong.score == pytest.approx(1 - right.score)
    assert wrong.lower == pytest.approx(1 - right.upper)
    assert (right.score_is, wrong.score_is) == ("success", "failure")
    assert right.lower < right.score < right.upper
    assert {each.method for each in right.intervals} == set(METHODS)


def test_the_sample_interval_by_hand(past, plan):
    answers = answered(past, plan, MATRIX[:, 0])
    found = estimate_score(past, answers, prior=PRIOR, level=0.9)
    [sample] = [each for each in found.intervals if each.method == "sample"]
    assert isinstance(sample, Interval)
    expected = MATRIX[:, 2:].mean(axis=1)
    rows = [past.item_ids.index(each) for each in plan.item_ids]
    off = MATRIX[rows, 0] - expected[rows]
    half = scipy.stats.t.ppf(0.95, 23) * off.std(ddof=1) * np.sqrt((1 - 24 / 120) / 24)
    assert sample.score == pytest.approx(expected.mean() + off.mean())
    assert sample.upper - sample.score == pytest.approx(half)


def test_weights_and_categories_are_totals_of_their_own(past, plan):
    categories = ["hard" if k % 3 else "easy" for k in range(120)]
    answers = answered(past, plan, MATRIX[:, 0])
    found = estimate_score(past, answers, prior=PRIOR, categories=categories)
    for each in found.categories:
        assert isinstance(each, CategoryScore)
        only = np.array([kind == each.category for kind in categories], float)
        alone = estimate_score(past, answers, prior=PRIOR, weights=only)
        assert alone.score == pytest.approx(each.interval.score)
        assert alone.lower == pytest.approx(each.interval.lower)
        assert each.n_item == only.sum()
    shares = np.array([each.n_item for each in found.categories]) / 120
    parts = np.array([each.interval.score for each in found.categories])
    assert shares @ parts == pytest.approx(found.score)
    assert sum(each.n_answer for each in found.categories) == 24


def test_noise_keeps_an_answer_from_counting_in_full(past, plan):
    exact = answered(past, plan, MATRIX[:, 0])
    noisy = answered(past, plan, MATRIX[:, 0], noisy=True)
    one, other = (estimate_score(past, each, prior=PRIOR) for each in (exact, noisy))
    assert other.upper - other.lower > (one.upper - one.lower)
    assert any("noisy" in note for note in other.notes)


def test_missing_answers_and_a_plan_without_a_sample_are_remarked(past):
    given = {"q001": 1.0, "q002": None}
    found = estimate_score(past, answers_from(past, given), prior=PRIOR)
    assert found.missing == ("q002",)
    assert any("listed without a score" in note for note in found.notes)
    assert any("drawn by chance" in note for note in found.notes)
    assert {each.method for each in found.intervals} == {"left out", "model"}


def test_the_history_knows_nothing_of_the_target(past, plan):
    """Only what was answered can move the estimate: the rest is not even looked at."""
    target = MATRIX[:, 0].copy()
    before = estimate_score(past, answered(past, plan, target), prior=PRIOR)
    rest = [k for k, each in enumerate(past.item_ids) if each not in plan.item_ids]
    target[rest] = 1 - target[rest]
    after = estimate_score(past, answered(past, plan, target), prior=PRIOR)
    assert before == after


def test_reach_is_the_conformal_rank_or_student():
    rng = np.random.default_rng(0)
    off, sd = rng.normal(size=(39, 1)), np.ones((39, 1))
    assert reach(off, sd, 0.95)[0] == np.sort(np.abs(off[:, 0]))[37]
    few = reach(off[:9], sd[:9], 0.95)[0]
    scale = np.sqrt(np.mean(off[:9] ** 2))
    assert few == pytest.approx(scale * scipy.stats.t.ppf(0.975, 9))
    assert reach(off, np.zeros((39, 1)), 0.95)[0] == 0


@pytest.mark.slow
def test_intervals_hold_what_they_say():
    """Every system of three histories in turn: 72 targets, whose share has an sd of .026."""
    held, difference_held = {name: [] for name in METHODS}, []
    for seed in range(3):
        matrix = scores(24, 120, seed=10 + seed)
        for target in range(0, 24, 2):
            rest = np.delete(matrix, [target, target + 1], axis=1)
            past = history(rest)
            plan = make_plan(past, 30, prior=PRIOR, design=Systematic(), seed=target)
            truth = matrix[:, target : target + 2].mean(axis=0)
            both = [answered(past, plan, matrix[:, target + k]) for k in range(2)]
            for answers, true in zip(both, truth, strict=True):
                for each in estimate_score(past, answers, prior=PRIOR).intervals:
                    held[each.method].append(each.lower <= true <= each.upper)
            found = score_difference(past, *both, prior=PRIOR)
            difference_held.append(found.lower <= truth[0] - truth[1] <= found.upper)
    for name, each in held.items():
        assert len(each) == 72
        assert np.mean(each) > 0.87, name
    assert np.mean(difference_held) > 0.83


def test_a_difference_is_antisymmetric_and_exact_at_the_end(past, plan):
    first, second = (answered(past, plan, MATRIX[:, k]) for k in range(2))
    one = score_difference(past, first, second, prior=PRIOR)
    other = score_difference(past, second, first, prior=PRIOR)
    assert isinstance(one, ScoreDifference)
    assert one.difference == pytest.approx(-other.difference)
    assert one.lower == pytest.approx(-other.upper)
    assert one.chance_above == pytest.approx(1 - other.chance_above)
    assert one.n_common == 24
    complete = [everything(past, MATRIX[:, k]) for k in range(2)]
    known = score_difference(past, *complete, prior=PRIOR)
    truth = MATRIX[:, 0].mean() - MATRIX[:, 1].mean()
    assert known.difference == pytest.approx(truth)
    assert known.upper - known.lower == pytest.approx(0, abs=1e-6)
    assert known.chance_above == float(truth > 0)


def test_levels_out_of_range_are_refused(past, plan):
    answers = answered(past, plan, MATRIX[:, 0])
    for level in (0, 1, 95):
        with pytest.raises(DataError, match="level="):
            estimate_score(past, answers, level=level)
        with pytest.raises(DataError, match="level="):
            score_difference(past, answers, answers, level=level)
