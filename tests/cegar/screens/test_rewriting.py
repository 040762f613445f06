"""Rewritings leave alone what programs do, and change what they should."""

import ast
import random

import pytest

from irtjax.cegar.operators import View
from irtjax.cegar.sandbox import Job, Limits, run_programs
from irtjax.cegar.screens._forms import in_other_forms
from irtjax.cegar.screens._layout import spread_out
from irtjax.cegar.screens._wording import respaced, translated
from irtjax.cegar.screens._worlds import nearby
from irtjax.cegar.suite import OWN_TASKS, mutants, restyle


def _programs(own, number):
    """Return a task's solution, in two styles, and some of its mutants."""
    draw = random.Random(own.name)
    changed = [mutant.source for mutant in mutants(own.source)]
    return [
        own.source,
        restyle(own.source, draw),
        *draw.sample(changed, min(number, len(changed))),
    ]


def test_spread_out_programs_are_the_same_line_for_line():
    for own in OWN_TASKS[::4]:
        for code in _programs(own, 3):
            spread = spread_out(code)
            assert spread != code
            assert ast.dump(ast.parse(spread)) == ast.dump(ast.parse(code))
            lines = zip(code.splitlines(), spread.splitlines(), strict=True)
            assert all(_bare(old) == _bare(new) for old, new in lines)


def _bare(line):
    return "".join(line.split()).replace("(", "").replace(")", "")


@pytest.mark.parametrize(
    ("code", "spread"),
    [
        ("x = a - 1 - 1", "x  =  ( ( a  -  1 )  -  1 )"),
        ("x = [not é < b]", "x  =  [( not  ( é  <  b ) )]"),
        ("x = f'{a + 1} b'", "x  =  f'{a + 1} b'"),
        ("def broken(:", "def broken(:"),
    ],
)
def test_compound_expressions_stand_in_parentheses(code, spread):
    assert spread_out(code) == spread


@pytest.mark.parametrize(
    ("code", "other"),
    [
        ("if not a():\n    c = 1", "if a():\n    pass\nelse:\n    c = 1"),
        (
            "if a:\n    b = 1\nelse:\n    b = 2",
            "if not a:\n    b = 2\nelse:\n    b = 1",
        ),
        ("x = 1 if a else 2", "x = 2 if not a else 1"),
        ("x = 1 if not a else 2", "x = 2 if a else 1"),
        ("x = a < 3", "x = 3 > a"),
        ("x += 1", "x = x + 1"),
        ("x = x - 2", "x -= 2"),
        ("x = v[a - 1 - 1:b + 1 - 1]", "x = v[a - 2:b + 0]"),
        ("x = range(a + 1 + 1)", "x = range(a + 2)"),
    ],
)
def test_forms_are_exchanged(code, other):
    assert in_other_forms(code).strip() == other


@pytest.mark.parametrize(
    "code",
    [
        "x += y",  # may be a list that has another name
        "x *= 2",
        "x = f() < g()",  # which is called first may matter
        "x = a - 1 - 1",  # may be a fraction
        "x = a < b < c",
        "def broken(:",
    ],
)
def test_what_might_do_something_else_stays(code):
    assert in_other_forms(code) == code


def test_programs_in_other_forms_do_the_same(jail):
    """Run solutions and mutants, before and after, on inputs of the suite."""
    limits = Limits(cpu_seconds=0.25)
    pairs = []
    for own in OWN_TASKS[::3]:
        inputs = tuple(list(own.hidden())[:6])
        for code in _programs(own, 2):
            other = in_other_forms(code)
            if other != code:
                pairs += [Job(one, own.name, inputs, limits) for one in (code, other)]
    assert len(pairs) > 100
    seen = run_programs(jail, pairs)
    for job, once, again in zip(pairs[::2], seen[::2], seen[1::2], strict=True):
        # One that needs all its time may be stopped sooner or later.
        late = any(one.kind == "timeout" for one in [*once, *again])
        assert late or once == again, job.code


def _view(prompt, codes, visible=()):
    return View(prompt, "", (), codes, ((),) * len(codes), visible, (), ())


def test_another_topic_leaves_relations_alone():
    view = _view(
        "Lea has 12 apples. How many apples does Lea give?", ("3 apples", "km")
    )
    other = translated(view)
    assert other.prompt == "Lea has 12 eqqmit. How many eqqmit does Lea howi?"
    assert other.codes == ("3 eqqmit", "km")
    assert translated(_view("Is 3 > 2?", ("yes",))).prompt == "Is 3 > 2?"


def test_other_spaces_leave_words_alone():
    view = respaced(_view("How  many\nare 2?", ()))
    assert view.prompt != "How  many\nare 2?"
    assert view.prompt.split() == ["How", "many", "are", "2?"]


def test_nearby_arguments_have_their_types_and_are_new():
    given = (([1, 2.5], "ab", (True, {"a": 3})), ([2, 3.5], "abb", (True, {"a": 4})))
    found = nearby(_view("", (), given), 1).visible
    assert found[0] == ([3, 4.5], "abbb", (True, {"a": 5}))
    assert found[1] == ([4, 5.5], "abbbb", (True, {"a": 6}))
    assert not set(map(repr, found)) & set(map(repr, given))
    assert nearby(_view("", (), ((None,),)), 1).visible == ((None,),)
