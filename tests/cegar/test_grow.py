"""Growing pools in real jails, on a handful of programs."""

import numpy as np
import pytest

from irtjax.cegar import (
    AbstractBench,
    Candidate,
    Case,
    Grown,
    JailedBench,
    Label,
    LoopSettings,
    Operator,
    OperatorError,
    SelectionGate,
    Task,
    grow,
    meeting,
    passing,
    pool_verdicts,
    preferred_atoms,
)
from irtjax.cegar.atoms import ATOMS
from irtjax.cegar.generators import ScriptedGenerator

ODD = Operator(
    "odd one out",
    """def operator(task, code, ctx):
    same = sum(peer == code for peer in ctx.peers)
    return "FLAG" if same == 0 else "PASS"
""",
    level=2,
)


def answers(number):
    """A question whose right answer is given three times and two wrong ones once."""
    right = f"{number}"
    texts = {right: 3, f"{number} or so": 1, "no idea": 1, "": 1}
    case = Case(
        Task(f"q{number}", f"What is {number} + 0?"),
        tuple(Candidate(text, count) for text, count in texts.items()),
    )
    return case, tuple(Label(text != "", text == right) for text in texts)


@pytest.fixture(scope="module")
def questions():
    cases, labels = zip(*(answers(number) for number in range(8)), strict=True)
    return cases, labels


def test_only_what_passes_has_a_vote(questions):
    cases, labels = passing(*questions)
    assert {len(case.candidates) for case in cases} == {3}
    assert {len(known) for known in labels} == {3}
    met = [[label.visible for label in known] for known in questions[1]]
    assert meeting(questions[0], met) == cases
    with pytest.raises(ValueError, match="zip"):
        passing(cases, labels[1:])


def test_a_pool_is_grown_and_frozen(questions, harness):
    grown = grow(
        *questions, harness, generator=lambda bench: ScriptedGenerator([ODD]),
        gate=SelectionGate(), settings=LoopSettings(rounds=4), first=(),
    )  # fmt: skip
    assert isinstance(grown, Grown)
    assert [one.name for one in grown.pool.operators] == ["odd one out"]
    assert grown.chosen == (0,)
    assert grown.pool.about["training_tasks"] == 8
    cases, _ = passing(*questions)
    said = pool_verdicts(grown.pool.operators, cases, harness)
    assert said.tolist() == [[0, 1, 1] * 8]
    assert pool_verdicts((), cases, harness).shape == (0, 24)


def test_a_bench_refuses_what_is_no_operator(questions, harness):
    bench = JailedBench(*questions, harness)
    assert isinstance(bench, AbstractBench)
    with pytest.raises(OperatorError):
        bench.verdicts(Operator("broken", "def operator(:\n"))


def test_nothing_to_learn_is_said(questions, harness):
    cases, labels = questions
    same = tuple(tuple(Label(True, True) for _ in known) for known in labels)
    with pytest.raises(ValueError, match="nothing to learn from"):
        grow(cases, same, harness)


def test_atoms_of_texts_alone_are_not_preferred():
    chosen = preferred_atoms()
    assert set(chosen) < set(ATOMS)
    assert all("ctx" in atom.source for atom in chosen.values())
    assert not any(atom.level == 0 for atom in chosen.values())
    assert np.any([atom.level == 2 for atom in chosen.values()])
