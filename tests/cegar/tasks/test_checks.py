"""Visible checks: read from text, and judged from what calls returned."""

import math

import pytest

from irtjax.cegar import Check, Observation
from irtjax.cegar.sandbox import canonical
from irtjax.cegar.tasks import (
    NotReadableError,
    calls,
    check_inputs,
    checks_met,
    docstring_checks,
    holds,
    make_check,
)


def value(each):
    return Observation("value", canonical(each))


@pytest.mark.parametrize(
    ("text", "arguments", "good", "bad"),
    [
        ("assert f(1, [2]) == 3", (1, [2]), 3, 4),
        ("assert f((1, 2)) == {'a': (1,)}", ((1, 2),), {"a": (1,)}, {"a": [1]}),
        ("assert set(f('x')) == set([1, 2])", ("x",), [2, 1, 2], [2]),
        ("assert math.isclose(f(2), 1.5, rel_tol=0.001)", (2,), 1.501, 1.51),
        ("assert not f({1})", ({1},), [], [0]),
        ("assert f(-1)", (-1,), "a", ""),
        ("assert (f(1j)) is None", (1j,), None, 0),
        ("round(f([1, 2]), 2) == -0.5", ([1, 2],), -0.501, -0.51),
        ("assert f(2 ** 3 - 1, True) != 1 and 1 < 2", (7, True), 2, 1),
        ("assert f(1)[0] in (1, 2)", (1,), [2], [3]),
        ("assert f('a' + 'b')[1:] == [2]", ("ab",), [1, 2], [2]),
        ("assert abs(f(0) - math.pi) < 1e-6", (0,), math.pi, 3.14),
    ],
)
def test_a_check_is_judged_from_its_call(text, arguments, good, bad):
    assert make_check(text, "f") == Check(text, arguments)
    assert holds(text, "f", (good,))
    assert not holds(text, "f", (bad,))
    assert checks_met([make_check(text, "f")], "f", [value(good)]) == (True,)
    assert checks_met([make_check(text, "f")], "f", [value(bad)]) == (False,)


def test_an_output_that_cannot_be_compared_is_wrong():
    assert not holds("assert set(f(1)) == {1}", "f", (None,))
    assert not holds("assert f(1)[0] == 1", "f", ([],))
    assert not holds("assert 1 / f(1) == 1", "f", (0,))


def test_an_entry_point_may_hide_a_builtin():
    assert calls("assert sum(10, 15) == 6", "sum") == ((10, 15),)
    assert holds("assert sum(10, 15) == 6", "sum", (6,))


def test_a_check_with_two_calls_has_no_single_input():
    checks = [make_check("f(1) == f(2)", "f"), make_check("f(3) == 1", "f")]
    assert checks[0].arguments is None
    assert check_inputs(checks, "f") == ((1,), (2,), (3,))
    seen = [value(5), value(5), Observation("error", "TypeError")]
    assert checks_met(checks, "f", seen) == (True, False)
    assert checks_met(checks, "f", seen[:2]) == (True, False)
    assert checks_met(checks[1:], "f", [Observation("value", "no text")]) == (False,)


@pytest.mark.parametrize(
    "text",
    [
        "assert f(x) == 1",
        "assert f(1",
        "import os",
        "assert f(a=1) == 1",
        "assert f(*[1]) == 1",
        "assert f(open('a')) == 1",
        "assert f(1 / 0)",
        "assert f(1); f(2)",
        "assert f([].append)",
    ],
)
def test_what_cannot_be_worked_out_is_refused(text):
    with pytest.raises(NotReadableError):
        make_check(text, "f")


def test_a_check_cannot_do_harm():
    with pytest.raises(NotReadableError):
        holds("assert __import__('os').getcwd() == f(1)", "f", (1,))


@pytest.mark.parametrize(
    ("line", "check"),
    [
        (">>> f(1)\n    2", "assert f(1) == 2"),
        (">>> f(1) == 2", "assert f(1) == 2"),
        (">>> round(f([1]), 2) # near 1\n -0.5", "assert round(f([1]), 2) == -0.5"),
        ("f(1) => true", "assert f(1) == True"),
        ("  * f([]) ==> []", "assert f([]) == []"),
        ("f(1, 'a)') -> (1, 2)", "assert f(1, 'a)') == (1, 2)"),
        ("f(1) ➞ 'x' # since", "assert f(1) == 'x'"),
        ("f('Hi') returns 'iH'", "assert f('Hi') == 'iH'"),
        ("for f(1) = 2.", "assert f(1) == 2."),
        ("f(n) -> f(n-1) + f(n-2)", None),
        ("f(1) = 1 + 1 = 2", None),
        ("f(aa) => False", None),
        (">>> f(1)\n", None),
        ("For 1 the output should be 2", None),
        ("def f(x: int) -> int:", None),
        ("gf(1) == 2", None),
        ('f(1) == ""a"', None),
    ],
)
def test_examples_in_a_docstring(line, check):
    found = docstring_checks(f'"""Text.\n    {line}\n"""', "f")
    assert found == (() if check is None else (check,))


def test_an_example_given_twice_counts_once():
    assert docstring_checks("f(1) == 2\nf(1) == 2\nf(2) == 2", "f") == (
        "assert f(1) == 2",
        "assert f(2) == 2",
    )
