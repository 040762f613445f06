"""Gates: chance must not pass for gain, whatever was tried."""

import numpy as np
import pytest

from irtjax.cegar import (
    AbstractGate,
    Luck,
    MaximumGate,
    RecallGate,
    SelectionGate,
    Trial,
    decidable,
    luck,
    shuffled_truths,
    splits,
)

from .panels import random_flags, random_panel

GATES = [MaximumGate(0.01, 199), RecallGate(), SelectionGate()]


def trial(panel, flags, considered=None, pool=None, seed=0):
    nothing = np.zeros((0, len(panel.task)), bool)
    return Trial(
        panel,
        nothing if pool is None else pool,
        flags,
        nothing if considered is None else considered,
        np.arange(len(panel.task)),
        seed,
    )


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: type(gate).__name__)
def test_every_gate_admits_the_perfect_operator_and_refuses_its_opposite(gate):
    panel = random_panel(0, tasks=30)
    assert isinstance(gate, AbstractGate)
    good = gate(trial(panel, ~panel.right))
    assert good.admitted, good.reason
    bad = gate(trial(panel, panel.right))
    assert not bad.admitted
    assert bad.delta < 0 < good.delta


def test_the_best_of_many_by_luck_passes_the_published_gate_alone():
    panel = random_panel(1, tasks=30)
    lucky = 0
    for seed in range(20):
        tried = random_flags(panel, 300, seed, 0.3, 0.3)
        tasks = decidable(panel)
        gains = luck(tasks, tried[:, tasks.member], shuffles=9, seed=0).gain
        best = trial(panel, tried[int(np.argmax(gains))], tried, seed=seed)
        assert SelectionGate()(best).admitted
        lucky += MaximumGate(0.05, 99)(best).admitted
    assert lucky <= 4  # 1 expected; 5 or more have a chance of .003


def test_a_pool_leaves_the_next_operator_what_it_keeps():
    panel = random_panel(2, tasks=40)
    rng = np.random.default_rng(0)
    wrong = ~panel.right
    first = wrong & (rng.random(len(wrong)) < 0.6)
    gate = MaximumGate(0.01, 199)
    again = gate(trial(panel, first, first[None], first[None]))
    assert not again.admitted
    assert again.p_value == 1
    new = gate(trial(panel, wrong, wrong[None], first[None]))
    assert new.admitted


def test_scores_and_bounds():
    panel = random_panel(3, tasks=30)
    tasks = decidable(panel)
    tried = np.concatenate(
        [
            ~panel.right[None],
            np.ones((1, len(panel.task)), bool),
            random_flags(panel, 9),
        ]
    )[:, tasks.member]
    found = luck(tasks, tried, shuffles=199, seed=0)
    assert isinstance(found, Luck)
    assert found.sd[1] == found.score[1] == found.gain[1] == 0
    assert found.p_values()[0] == 1 / 200
    bounds = found.bounds(0.05)
    assert bounds[0] > 0
    significant = found.p_values() <= 0.05
    assert np.array_equal(significant, bounds > 0)
    shuffled = shuffled_truths(tasks, 5, 0)
    assert np.array_equal(
        np.add.reduceat(shuffled, tasks.start, axis=1, dtype=int),
        np.tile(np.add.reduceat(tasks.right, tasks.start, dtype=int), (5, 1)),
    )
    touched = splits(tried, tasks.of_member())
    assert touched.tolist()[:2] == [len(tasks.task), 0]


def test_too_few_shuffles_are_refused():
    with pytest.raises(ValueError, match="raise `shuffles` or `level`"):
        MaximumGate(0.001, 99)
