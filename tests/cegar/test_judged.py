"""A frozen pool on answers without labels."""

from dataclasses import replace

import numpy as np
import pytest

from irtjax.cegar import (
    ABSTAIN,
    FLAG,
    PASS,
    Candidate,
    Case,
    Judged,
    Operator,
    Pool,
    Task,
    fitting_atoms,
    judge_cases,
)
from irtjax.cegar.atoms import TEXT_ATOMS


def flags(word):
    source = (
        "def operator(task, code):\n"
        f"    return 'FLAG' if {word!r} in code else 'PASS'\n"
    )
    return Operator(f"says {word}", source, defect=f"It says {word}.")


ANSWERS = (Candidate("2", 5), Candidate("3 perhaps"), Candidate("perhaps maybe 4", 9))
CASE = Case(Task("sum", "1 + 1?"), ANSWERS)
POOL = Pool((flags("perhaps"),))


def judged(harness, pool=POOL, met=(True, True, True), case=CASE, seed=0):
    return judge_cases(pool, [case], [met], harness, seed=seed)[0]


def test_what_is_flagged_is_not_kept(harness):
    found = judged(harness)
    assert isinstance(found, Judged)
    np.testing.assert_array_equal(found.verdicts, [[PASS, FLAG, FLAG]])
    np.testing.assert_array_equal(found.kept, [True, False, False])
    assert (found.pick, found.flagged_by(1), found.flagged_by(0)) == (0, (0,), ())


def test_two_of_more_operators_must_agree(harness):
    found = judged(harness, Pool((flags("perhaps"), flags("maybe"))))
    np.testing.assert_array_equal(found.kept, [True, True, False])


def test_where_all_are_flagged_all_are_kept(harness):
    case = replace(CASE, candidates=ANSWERS[1:])
    found = judged(harness, met=(True, True), case=case)
    assert found.kept.all()
    picks = [
        judged(harness, met=(True, True), case=case, seed=n).pick for n in range(40)
    ]
    # By samples: nine in ten.
    assert 30 <= sum(pick == 1 for pick in picks) < 40


def test_what_fails_a_visible_check_is_never_asked_about(harness):
    found = judged(harness, met=(False, True, False))
    np.testing.assert_array_equal(found.verdicts[0], [ABSTAIN, FLAG, ABSTAIN])
    np.testing.assert_array_equal(found.kept, [False, True, False])
    none = judged(harness, met=(False, False, False))
    assert none.pick is None
    assert not none.kept.any()


def test_no_operator_rejects_nothing(harness):
    assert judged(harness, Pool(())).kept.all()


def test_other_peers_are_refused(harness):
    with pytest.raises(ValueError, match="peers of seed 7"):
        judged(harness, replace(POOL, electorate=7))


def test_answers_in_words_have_atoms_of_their_own():
    assert fitting_atoms([CASE]) == dict(TEXT_ATOMS)
    program = replace(CASE, task=replace(CASE.task, entry_point="f"))
    assert not fitting_atoms([program]).keys() & TEXT_ATOMS.keys()
