"""The bar on the comparator, on tasks made up."""

import numpy as np
import pytest

from experiments._cegar_tasks import Labelled
from experiments.bars import issue6_bar2
from experiments.bars.issue6_bar2 import flagged, judge, score, standard_error, unseen
from irtjax.cegar import Candidate, Case, Label, Task, make_panel
from irtjax.cegar.operators import Harness

CASES = tuple(
    Case(Task(f"demo/{n}", "?"), tuple(Candidate(f"{n} {k}") for k in range(4)))
    for n in range(80)
)
LABELS = ((Label(True, True), Label(True, False)) * 2,) * 80
DATA = Labelled(CASES, LABELS)
FLAGS = {case.task.task_id: np.array([False, True] * 2) for case in CASES}


def test_a_perfect_operator_closes_all_headroom():
    found = score(DATA, FLAGS)
    assert (found["delta"], found["closed"]) == (0.5, 1.0)
    assert (found["helped"], found["hurt"]) == (80, 0)
    assert found["p, samples redrawn, exact"] < 1e-9
    panel = make_panel(CASES, LABELS)
    rows = np.concatenate(list(FLAGS.values()))[None]
    assert standard_error(panel, rows) == 0.0
    half = rows & (panel.task < 40)
    assert standard_error(panel, half) == pytest.approx(0.25 / np.sqrt(79))


def test_unseen_tasks_are_those_that_no_split_trains_on():
    found = unseen(DATA, FLAGS)
    assert len(found) == issue6_bar2.SPLITS
    assert {entry["tasks"] for entry in found.values()} == {80 - issue6_bar2.TRAINING}


def test_a_gain_far_from_the_published_one_fails():
    entry = {"delta": 0.024, "p, samples redrawn, exact": 1e-5, "standard error": 0.01}
    assert judge({"a unseen": entry})["passed"]
    assert not judge({"a unseen": {**entry, "delta": 0.06}})["passed"]
    assert not judge({"a unseen": {**entry, "delta": -0.01}})["passed"]
    assert not judge({"a unseen": {**entry, "p, samples redrawn, exact": 0.01}})[
        "passed"
    ]
    assert not judge({})["passed"]


def test_answers_without_runs_are_not_flagged(monkeypatch):
    class Nothing(Harness):
        def __init__(self):
            pass

    def run(operators, cases, harness):
        rows = [np.zeros((1, len(case.candidates)), np.int8) for case in cases]
        return type("Found", (), {"by_case": rows, "refused": {}})

    monkeypatch.setattr(issue6_bar2, "run_operators", run)
    flags = flagged(DATA, Nothing())
    assert not any(row.any() for row in flags.values())
