"""Selection accuracy by its definition, one pick at a time."""

from fractions import Fraction

import numpy as np
import pytest

from irtjax.cegar import (
    Candidate,
    Case,
    Label,
    Panel,
    Task,
    decidable,
    deltas,
    gain,
    make_panel,
    pick_chances,
    rejected,
    remaining,
    select_tasks,
    task_gains,
    votes_needed,
)

from .panels import random_flags, random_panel


def accuracy(panel, out):
    """The definition, in fractions, sample by sample."""
    total = Fraction(0)
    for number in range(len(panel.task_ids)):
        inside = np.nonzero(panel.task == number)[0]
        kept = [n for n in inside if not out[n]] or list(inside)
        samples = [bool(panel.right[n]) for n in kept for _ in range(panel.count[n])]
        if samples:
            total += Fraction(sum(samples), len(samples))
    return total / len(panel.task_ids)


@pytest.mark.parametrize("operators", [0, 1, 2, 5])
def test_the_gain_is_that_of_the_definition(operators):
    panel = random_panel(3)
    flags = random_flags(panel, operators)
    out = flags.sum(axis=0) >= max(1, min(2, operators))
    assert np.array_equal(rejected(flags), out)
    found = gain(panel, flags)
    before = accuracy(panel, np.zeros(len(panel.task), bool))
    assert found.accuracy == pytest.approx(float(accuracy(panel, out)), abs=1e-14)
    assert found.delta == pytest.approx(float(accuracy(panel, out) - before), abs=1e-14)
    perfect = float(accuracy(panel, ~panel.right) - before)
    assert found.headroom == pytest.approx(perfect, abs=1e-14)
    assert found.closed == pytest.approx(found.delta / perfect)


def test_a_perfect_operator_closes_the_headroom_and_hurts_nobody():
    panel = random_panel(5)
    found = gain(panel, ~panel.right[None])
    assert found.closed == pytest.approx(1)
    assert found.hurt == 0
    assert found.helped == len(decidable(panel).task)
    assert gain(panel, panel.right[None]).delta < 0


def test_many_sets_and_labellings_are_scored_as_one_at_a_time():
    panel = random_panel(7)
    tasks = decidable(panel)
    flags = random_flags(panel, 9)[:, tasks.member]
    flags[0] = True  # all rejected: the pick is as without it
    truths = np.stack([tasks.right, ~tasks.right, tasks.right[::-1]])
    found = deltas(tasks, flags, truths)
    assert found.shape == (9, 3)
    assert found[0] == pytest.approx(np.zeros(3))
    one = task_gains(tasks, flags).sum(axis=1) / tasks.n_task
    assert found[:, 0] == pytest.approx(one, abs=1e-14)
    flipped = tasks._replace(right=~tasks.right, base=1 - tasks.base)
    again = task_gains(flipped, flags).sum(axis=1) / tasks.n_task
    assert found[:, 1] == pytest.approx(again, abs=1e-14)
    picked = pick_chances(tasks, flags) * tasks.count
    assert np.add.reduceat(picked, tasks.start, axis=1) == pytest.approx(1)


def test_tasks_without_a_passing_answer_count_nothing():
    cases = [
        Case(Task("a", "?"), (Candidate("x", 2), Candidate("y"))),
        Case(Task("b", "?"), (Candidate("x"),)),
    ]
    labels = [[Label(True, True), Label(True, False)], [Label(False, True)]]
    panel = make_panel(cases, labels)
    assert gain(panel, np.zeros((0, 2), bool)).accuracy == pytest.approx(1 / 3)
    with pytest.raises(ValueError, match="2 answers but 1 labels"):
        make_panel(cases, [labels[1], labels[1]])
    with pytest.raises(ValueError, match="2 tasks but labels of 1"):
        make_panel(cases, labels[:1])
    with pytest.raises(ValueError, match="a comes twice"):
        make_panel([cases[0], cases[0]], [labels[0], labels[0]])
    with pytest.raises(ValueError, match="no task"):
        gain(make_panel([], []), np.zeros((0, 0), bool))


def test_a_part_of_the_tasks_scores_as_if_it_were_alone():
    panel = random_panel(1)
    part = select_tasks(panel, ["t7", "t2"])
    assert part.task_ids == ("t2", "t7")
    inside = np.isin(panel.task, [2, 7])
    assert isinstance(part, Panel)
    assert np.array_equal(part.right, panel.right[inside])
    assert np.array_equal(np.unique(part.task), [0, 1])
    with pytest.raises(ValueError, match="no task t99"):
        select_tasks(panel, ["t99"])


def test_what_remains_after_a_vote():
    panel = random_panel(2)
    flags = random_flags(panel, 1)
    flags[0, panel.task == 4] = True
    left = remaining(panel, flags)
    kept = ~flags[0] | (panel.task == 4)
    assert np.array_equal(left.member, np.nonzero(kept)[0])
    everything = gain(left.panel, np.zeros((0, kept.sum()), bool)).accuracy
    assert everything == pytest.approx(gain(panel, flags).accuracy)


def test_votes():
    assert [votes_needed(k) for k in (0, 1, 2, 6)] == [0, 1, 2, 2]
    with pytest.raises(ValueError, match="at least one sample"):
        Candidate("x", 0)
    with pytest.raises(ValueError, match="same answer twice"):
        Case(Task("a", "?"), (Candidate("x"), Candidate("x")))
