import numpy as np
import pytest

from irtjax.cegar import ABSTAIN, FLAG, PASS, Candidate, Case, Operator, Task
from irtjax.cegar.atoms import ATOMS
from irtjax.cegar.operators import Verdicts, View, judge, measure_atoms, run_operators


def _operator(body, level=0):
    arguments = "task, code" + (", ctx" if level else "")
    return Operator(
        "test", f"seen = []\n\ndef operator({arguments}):\n{body}", level=level
    )


LONG = _operator("    return 'FLAG' if len(code) > 48 else 'PASS'\n")


def test_verdicts_come_by_case_operator_and_candidate(harness, largest):
    two = Case(Task("demo/2", "?"), (Candidate("x" * 50), Candidate("y")))
    found = run_operators(
        [LONG, _operator("    return 'PASS'\n")], [largest, two], harness
    )
    assert isinstance(found, Verdicts)
    lengths = [len(candidate.text) for candidate in largest.candidates]
    assert found.by_case[0][0].tolist() == [FLAG if n > 48 else PASS for n in lengths]
    assert found.by_case[1].tolist() == [[FLAG, PASS], [PASS, PASS]]
    assert found.refused == {}


@pytest.mark.parametrize(
    "body",
    [
        "    seen.append(code)\n    return 'FLAG' if len(seen) > 2 else 'PASS'\n",
        "    import tempfile\n    return 'PASS'\n",
    ],
)
def test_an_operator_that_cannot_be_trusted_is_refused_and_abstains(
    harness, largest, body
):
    found = run_operators([LONG, _operator(body)], [largest], harness)
    assert list(found.refused) == [1]
    assert found.by_case[0][1].tolist() == [ABSTAIN] * 5
    assert FLAG in found.by_case[0][0]


def test_nothing_is_left_from_one_task_for_the_next(harness, largest):
    body = "    seen.append(task.prompt)\n"
    body += "    return 'FLAG' if len(set(seen)) > 1 else 'PASS'\n"
    cases = [Case(Task(f"demo/{n}", f"{n}?"), largest.candidates[:2]) for n in range(4)]
    found = run_operators([_operator(body)], cases, harness)
    assert np.concatenate(found.by_case, axis=1).tolist() == [[PASS] * 8]


def test_the_same_views_can_be_judged_again(harness, largest):
    views = harness.show([largest], 0)
    assert all(isinstance(view, View) for view in views)
    again = judge([LONG], views, harness)
    once = run_operators([LONG], [largest], harness)
    assert again.by_case[0].tolist() == once.by_case[0].tolist()


def test_reasons_for_abstaining_are_counted(harness, largest):
    body = "    if 'max' in code:\n        raise KeyError\n    return 'PASS'\n"
    found = run_operators([_operator(body)], [largest], harness)
    assert dict(found.wrong[0]) == {"KeyError": 2}


def test_operators_with_an_atoms_text_see_what_was_measured(harness, largest):
    (measured,) = measure_atoms(list(ATOMS), [largest], harness)
    operators, expected = [], []
    for atom, values in zip(ATOMS.values(), measured, strict=True):
        known = np.sort(values[~np.isnan(values)])
        threshold = float(known[len(known) // 2]) if len(known) else 0.0
        source = atom.source + (
            f"\n\ndef operator(task, code{', ctx' if atom.level else ''}):\n"
            f"    value = {atom.name}(task, code, {'ctx' if atom.level else None})\n"
            "    if value is None:\n        return 'ABSTAIN'\n"
            f"    return 'FLAG' if value >= {threshold!r} else 'PASS'\n"
        )
        operators.append(Operator(atom.name, source, level=atom.level))
        expected.append(np.where(np.isnan(values), ABSTAIN, values >= threshold))
    found = run_operators(operators, [largest], harness)
    assert found.refused == {}
    for atom, got, wanted in zip(ATOMS, found.by_case[0], expected, strict=True):
        assert (atom, got.tolist()) == (atom, wanted.tolist())
    assert (found.by_case[0] == FLAG).any(axis=1).sum() > len(ATOMS) - 5


def test_an_unknown_atom_is_an_error(harness, largest):
    with pytest.raises(KeyError):
        measure_atoms(["no_such_atom"], [largest], harness)
