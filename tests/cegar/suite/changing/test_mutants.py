"""Mutants: one small mistake each, of every kind, and mostly wrong."""

import ast
import random

import pytest

from irtjax.cegar.suite import OWN_TASKS, Mutant, mutants, random_mutant

SOURCE = """
def f(xs, n):
    total = 0
    for x in sorted(xs, reverse=True):
        if x > n and not x == 3:
            total += max(x, 1)
        elif x < 0:
            continue
        else:
            break
    return total
"""


def test_each_mutant_is_another_program():
    found = mutants(SOURCE)
    texts = [mutant.source for mutant in found]
    assert len(set(texts)) == len(texts) > 20
    original = ast.dump(ast.parse(SOURCE))
    for mutant in found:
        assert isinstance(mutant, Mutant)
        assert ast.dump(ast.parse(mutant.source)) != original
    assert found == mutants(SOURCE)


@pytest.mark.parametrize(
    ("mistake", "line"),
    [
        ("comparison boundary", "if x >= n and (not x == 3):"),
        ("comparison", "if x < n and (not x == 3):"),
        ("boolean operator", "if x > n or not x == 3:"),
        ("boolean operator", "if x > n:"),
        ("missing negation", "if x > n and x == 3:"),
        ("constant", "total = 1"),
        ("missing sort or dedupe", "for x in list(xs):"),
        ("missing sort or dedupe", "for x in sorted(xs):"),
        ("min or max", "total += min(x, 1)"),
        ("min or max", "total += x"),
        ("wrong variable", "if n > n and (not x == 3):"),
        ("negated condition", "if not (x > n and (not x == 3)):"),
        ("update", "total = max(x, 1)"),
        ("update", "total -= max(x, 1)"),
        ("other jump", "break"),
    ],
)
def test_known_mistakes_are_made(mistake, line):
    made = [mutant.source for mutant in mutants(SOURCE) if mutant.mistake == mistake]
    assert any(line in [each.strip() for each in text.splitlines()] for text in made)


@pytest.mark.parametrize(
    ("mistake", "source", "wrong"),
    [
        ("off by one", "y = x[a:b]", "y = x[a:b - 1]"),
        ("off by one", "y = range(n)", "y = range(n + 1)"),
        ("slice bounds", "y = x[a:b]", "y = x[a:]"),
        ("wrong end", "y = x[-1]", "y = x[0]"),
        ("arithmetic operator", "y = a // b", "y = a % b"),
        ("swapped operands", "y = a - b", "y = b - a"),
        ("swapped arguments", "y = f(a, b, c)", "y = f(b, a, c)"),
        ("method", "y = x.lower()", "y = x"),
        ("constant", "y = True", "y = False"),
        ("removed branch", "if a:\n    x = 1\nelse:\n    x = 2", "x = 2"),
        ("removed condition", "if a:\n    x = 1", "x = 1"),
        ("removed statement", "if a:\n    x += 1", "if a:\n    pass"),
        (
            "separate branches",
            "if a:\n    x = 1\nelif b:\n    x = 2",
            "if a:\n    x = 1\nif b:\n    x = 2",
        ),
        (
            "early return",
            "def f(a):\n    for x in a:\n        g(x)\n    return x",
            "def f(a):\n    for x in a:\n        g(x)\n        return x\n    return x",
        ),
        (
            "swapped statements",
            "for x in a:\n    y = x\n    z = y",
            "for x in a:\n    z = y\n    y = x",
        ),
    ],
)
def test_a_mistake_gives_the_program_written_here(mistake, source, wrong):
    made = [m.source.strip() for m in mutants(source) if m.mistake == mistake]
    assert wrong in made


def test_a_random_mutant_is_one_of_them():
    draw = random.Random(0)
    every = {mutant.source: mutant for mutant in mutants(OWN_TASKS[0].source)}
    drawn = [random_mutant(OWN_TASKS[0].source, draw) for _ in range(20)]
    assert all(mutant.source in every for mutant in drawn)
    assert len({mutant.mistake for mutant in drawn}) > 5


def test_a_program_without_a_place_for_mistakes_is_refused():
    with pytest.raises(ValueError, match="no place for a mistake"):
        random_mutant("pass", random.Random(0))
