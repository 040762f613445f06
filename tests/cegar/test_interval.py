"""The bootstrap interval of a pool's gain."""

import numpy as np
import pytest

from irtjax.cegar import Candidate, Case, Label, Task, gain, gain_interval, make_panel


def panel(n_task):
    cases = [
        Case(Task(f"t{n}", ""), (Candidate("right"), Candidate("wrong")))
        for n in range(n_task)
    ]
    return make_panel(cases, [[Label(True, True), Label(True, False)]] * n_task)


def test_it_agrees_with_a_loop_over_drawn_tasks():
    rng = np.random.default_rng(3)
    made = panel(40)
    flags = (rng.random(80) < 0.3)[None]
    own = np.array(
        [
            {(False, True): 0.5, (True, False): -0.5}.get(tuple(flags[0, n : n + 2]), 0)
            for n in range(0, 80, 2)
        ]
    )
    means = own[rng.integers(0, 40, (20_000, 40))].mean(axis=1)
    found = gain_interval(made, flags)
    np.testing.assert_allclose(found, np.quantile(means, [0.025, 0.975]), atol=0.015)
    assert found[0] < gain(made, flags).delta < found[1]
    narrow = gain_interval(made, flags, level=0.5)
    assert found[0] < narrow[0] < narrow[1] < found[1]


def test_tasks_in_which_nothing_changes_count():
    flags = np.zeros((1, 40), bool)
    assert gain_interval(panel(20), flags) == (0.0, 0.0)
    with pytest.raises(ValueError, match="within"):
        gain_interval(panel(20), flags, level=1.0)
