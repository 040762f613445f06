"""Two systems of one table, paired and by a ranker."""

import dataclasses

import numpy as np
import pytest
from scipy.special import ndtri

from irtjax.ranking import (
    SystemComparison,
    compare_systems,
    paired_answers,
    rank_table,
    system_position,
)

from .tables import binomial, draw, labelled, scores


@pytest.fixture(scope="module")
def table():
    return labelled(draw(3, n_system=8, n_item=30, trials=1, sparsity=0.3))


@pytest.fixture(scope="module")
def found(table):
    return compare_systems(table, "s7", "s2")


def test_the_paired_part_uses_shared_items_alone(table, found):
    seen, mean = table.responses.observed(), table.responses.mean_score()
    shared = np.asarray(seen[7] & seen[2])
    expected = paired_answers(np.asarray(mean[7])[shared], np.asarray(mean[2])[shared])
    assert found.paired == expected
    assert found.paired.test == "McNemar, exact"
    assert found.first_shared - found.second_shared == pytest.approx(
        found.paired.difference
    )
    assert found.first_items == int(seen[7].sum())
    assert found.first_interval[0] < found.first_mean < found.first_interval[1]


def test_the_rankers_part_agrees_with_the_ranking(table, found):
    ranking = rank_table(table)
    gap = ranking.score[7] - ranking.score[2]
    assert found.score_difference == pytest.approx(gap)
    assert found.p_beats == pytest.approx(ranking.p_beats[7, 2], rel=1e-6)
    se = gap / ndtri(found.p_beats)
    assert found.score_upper - gap == pytest.approx(1.959964 * se, rel=1e-4)
    assert found.codes == {"successful": 1}


def test_turning_the_pair_round_turns_the_answer_round(table, found):
    other = compare_systems(table, "s2", "s7")
    assert isinstance(other, SystemComparison)
    assert other.paired.difference == -found.paired.difference
    assert other.paired.lower == pytest.approx(-found.paired.upper)
    assert other.score_lower == pytest.approx(-found.score_upper)
    assert other.p_beats == pytest.approx(1 - found.p_beats)


def test_equal_systems_are_equal():
    """Complaint 30: no one is better for standing first."""
    responses = draw(0, n_system=5)
    rows = np.array([0, 1, 2, 2, 4])
    twins = labelled(binomial(responses.successes[rows], responses.trials[rows]))
    for ranker in ("two_pl", "average"):
        found = compare_systems(twins, "s2", "s3", ranker=ranker)
        assert found.paired.difference == 0
        assert found.paired.p_value == 1
        assert found.score_difference == pytest.approx(0, abs=1e-9)
        assert found.p_beats == pytest.approx(0.5, abs=1e-6)


def test_what_is_not_comparable_is_said_to_be():
    trials = np.zeros((6, 6))
    trials[:3, :3] = trials[3:, 3:] = 20
    parts = labelled(binomial(trials * 0.5, trials))
    found = compare_systems(parts, "s0", "s5")
    assert not found.comparable
    assert np.isnan([found.score_difference, found.score_lower, found.p_beats]).all()
    assert any("not comparable on these data" in each for each in found.remarks)
    assert any("No item was run by both" in each for each in found.remarks)
    assert found.paired.items == 0


def test_few_shared_items_are_said_to_be_few():
    trials = np.full((5, 12), 10.0)
    trials[0, 6:] = trials[1, :5] = 0
    found = compare_systems(labelled(binomial(trials * 0.5, trials)), "s0", "s1")
    assert found.paired.items == 1
    assert "They share only 1 item: the paired difference rests on little." in (
        found.remarks
    )
    assert any("rests on the model" in each for each in found.remarks)


def test_scores_without_trials():
    rng = np.random.default_rng(0)
    shares = np.clip(
        rng.normal(0.5, 0.2, (6, 12)) + np.linspace(0, 0.3, 6)[:, None], 0, 1
    )
    found = compare_systems(labelled(scores(shares), trials_from="unknown"), "s5", "s0")
    assert found.paired.test == "paired t"
    assert any("number of trials" in each for each in found.remarks)
    assert found.score_lower < found.score_difference < found.score_upper


def test_a_wrong_name_gets_the_nearest(table):
    named = dataclasses.replace(
        table, system_ids=("gpt-4", "gpt-4o", "claude", 7, *"wxyz")
    )
    assert system_position(named, "7") == system_position(named, 7) == 3
    with pytest.raises(ValueError, match=r"no system 'claud'\. Did you mean 'claude'"):
        compare_systems(named, "claud", "gpt-4")
    with pytest.raises(ValueError, match=r"no system 'qqqqqq'\.$"):
        compare_systems(named, "gpt-4", "qqqqqq")
    with pytest.raises(ValueError, match="with itself"):
        compare_systems(named, "gpt-4", "gpt-4")
    with pytest.raises(ValueError, match="level"):
        compare_systems(named, "gpt-4", "gpt-4o", level=1)


def test_neighbours_on_a_leaderboard_are_not_told_apart_but_the_ends_are():
    """Complaint 29: 396 and 382 of 500 do not differ, 396 and 250 do."""
    rng = np.random.default_rng(0)
    hard = np.linspace(0, 1, 500)
    answers = np.zeros((3, 500))
    for row, solved in enumerate((396, 382, 250)):
        answers[row, np.argsort(hard + rng.normal(size=500) / 4)[:solved]] = 1
    board = labelled(binomial(answers, np.ones((3, 500))))
    near, far = (
        compare_systems(board, "s0", other, ranker="average") for other in ("s1", "s2")
    )
    assert near.paired.p_value > 0.05 > far.paired.p_value
    assert near.paired.lower < 0 < far.paired.lower
    assert near.p_beats < 0.975 < far.p_beats
