"""Classes of answers that a pool cannot tell apart."""

import numpy as np

from irtjax.cegar import BlindSpot, blind_spots, signatures, specification

from .panels import random_panel


def test_without_operators_all_answers_are_one_class():
    panel = random_panel(0)
    nothing = np.zeros((0, len(panel.task)), np.int8)
    assert set(signatures(nothing)) == {0}
    (spot,) = blind_spots(panel, nothing)
    assert isinstance(spot, BlindSpot)
    assert spot.samples == panel.count.sum()
    assert len(signatures(np.zeros((2, 0), np.int8))) == 0


def test_a_class_must_mix_inside_a_task():
    panel = random_panel(0)
    truth = panel.right.astype(np.int8)[None]
    assert blind_spots(panel, truth) == []
    split = (panel.task % 2).astype(np.int8)[None]
    first, second = blind_spots(panel, split)
    assert first.samples >= second.samples
    assert first.samples + second.samples == panel.count.sum()
    for spot in (first, second):
        assert len(set(panel.task[spot.member] % 2)) == 1
        assert spot.mixed_tasks > 0
    by_task = panel.task.astype(np.int8)[None]
    pure = [n for n in range(12) if len(set(panel.right[panel.task == n])) == 1]
    assert len(blind_spots(panel, by_task)) == 12 - len(pure)


def test_an_abstention_is_no_pass():
    verdicts = np.array([[0, -1, 0, 1]], np.int8)
    assert signatures(verdicts).tolist() == [0, 1, 0, 2]


def test_tasks_take_turns_in_a_specification():
    panel = random_panel(3)
    (spot,) = blind_spots(panel, np.zeros((0, len(panel.task)), np.int8))
    right, wrong = specification(panel, spot, 5)
    assert len(right) == len(wrong) == 5
    assert panel.right[right].all()
    assert not panel.right[wrong].any()
    assert len(set(panel.task[right])) == len(set(panel.task[wrong])) == 5
    mixed = set(panel.task[panel.right]) & set(panel.task[~panel.right])
    assert set(panel.task[right]) | set(panel.task[wrong]) <= mixed
    every, _ = specification(panel, spot, 10**6)
    assert sorted(every) == np.nonzero(panel.right)[0].tolist()
