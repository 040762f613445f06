"""Simulated systems answer as their skill says, and repeat with the seed."""

import itertools
import random

import pytest

from irtjax.cegar.suite import SKILLS, Habits, Tally, sample_answers

RIGHT = ["r1", "r2", "r3"]
WRONG = [f"w{number}" for number in range(30)]


def _tallies(number, **more):
    return [
        sample_answers(RIGHT, WRONG, random.Random(seed), **more)
        for seed in range(number)
    ]


def test_better_systems_are_right_more_often():
    rights = dict.fromkeys(SKILLS, 0)
    for tally in _tallies(200):
        for answer in RIGHT:
            for system, count in tally.given.get(answer, {}).items():
                rights[system] += count
    ordered = sorted(SKILLS, key=lambda system: SKILLS[system])
    shares = [rights[system] / (200 * Habits().samples) for system in ordered]
    assert shares[0] + 0.3 < shares[-1]
    assert sum(a > b for a, b in itertools.pairwise(shares)) <= 2


def test_samples_are_all_counted():
    (tally,) = _tallies(1)
    counted = sum(sum(counts.values()) for counts in tally.given.values())
    assert counted == len(SKILLS) * Habits().samples


def test_wrong_answers_are_as_many_as_wanted():
    for tally in _tallies(20, distinct_wrong=20):
        assert sum(answer in tally.given for answer in WRONG) >= 20


def test_tempting_answers_are_given_more_often():
    def share(tallies):
        given = [t.given.get("w7", {}) for t in tallies]
        return sum(sum(counts.values()) for counts in given)

    assert share(_tallies(80, tempting=["w7"])) > 1.3 * share(_tallies(80))


def test_the_majority_is_mostly_but_not_always_right():
    wins = 0
    for tally in _tallies(150):
        sizes = {answer: sum(c.values()) for answer, c in tally.given.items()}
        right = sum(sizes.get(answer, 0) for answer in RIGHT)
        wins += right > sum(sizes.values()) / 2
    assert 0.3 < wins / 150 < 0.9


def test_nothing_to_say_is_refused():
    with pytest.raises(ValueError, match="no answers to draw from"):
        sample_answers([], [], random.Random(0))


def test_a_tally_counts_by_system():
    tally = Tally()
    for system in ("a", "b", "a"):
        tally.add("x", system)
    assert tally.given == {"x": {"a": 2, "b": 1}}
