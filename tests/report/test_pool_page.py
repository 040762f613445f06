"""What is said of a grown pool, from values made by hand; commands test the rest."""

import numpy as np

from irtjax.cegar import (
    Archive,
    Attempt,
    Candidate,
    Case,
    Label,
    Operator,
    Task,
    evaluate,
    make_panel,
)
from irtjax.report import gain_remarks, refusal_counts, unproven_remark

NOTHING = np.zeros(0, np.int8)


def found(n_task, flagged):
    cases = [
        Case(Task(f"t{n}", ""), (Candidate("right"), Candidate("wrong", 2)))
        for n in range(n_task)
    ]
    labels = [[Label(True, True), Label(True, False)]] * n_task
    verdicts = np.array([[0, 1] * flagged + [0, 0] * (n_task - flagged)], np.int8)
    return evaluate(make_panel(cases, labels), verdicts)


def test_a_sure_gain_needs_no_warning():
    said = " ".join(gain_remarks(found(12, 9), (0.3, 0.7), 12, "held-out"))
    assert "On 12 held-out tasks a pick is right with chance 0.8333" in said
    assert "Delta +0.5000 (95 % interval +0.3000 to +0.7000), 75.0 %" in said
    assert "Helped 9 tasks, hurt 0; flagged 18 samples, 18 of them wrong." in said
    assert "luck may" not in said
    assert "holds 0" not in said


def test_luck_and_wide_intervals_are_said():
    assert "not proven" in gain_remarks(found(3, 0), (0.0, 0.0), 3, "x")[-1]
    assert "interval holds 0" in gain_remarks(found(12, 9), (-0.1, 0.7), 12, "x")[-1]
    (nothing,) = gain_remarks(evaluate(make_panel([], [])._replace(
        task_ids=("t",)), np.zeros((1, 0), np.int8)), (0.0, 0.0), 1, "x")  # fmt: skip
    assert "nothing to gain" in nothing
    assert "not proven" in unproven_remark()


def test_refusals_are_counted_by_kind():
    reasons = [
        "gains +0.0100 on the training tasks, helps 4, hurts 1",
        "gains -0.0200 on the training tasks, helps 1, hurts 9",
        "flags the same answers as 'an old one'",
        "branches on the prompt: 3 of 36 verdicts changed",
        "branches on the prompt: 5 of 36 verdicts changed",
        "branches on the prompt: 6 of 30 verdicts changed",
    ]
    operator = Operator("x", "")
    attempts = [Attempt(operator, NOTHING, False, each, 0, "", 1) for each in reasons]
    kept = Attempt(operator, NOTHING, True, "gains +1", 0, "", 1)
    counts = refusal_counts(Archive([*attempts, kept]))
    assert [number for _, number in counts] == [3, 2, 1]
    assert counts[0][0] == "branches on the prompt: # of # verdicts changed"
