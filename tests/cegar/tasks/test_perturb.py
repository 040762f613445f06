"""Perturbed inputs: near the visible ones, of their types, always the same."""

import pytest

from irtjax.cegar import Check
from irtjax.cegar.tasks import perturb

ARGUMENTS = {
    "integer": (7,),
    "float and bool": (0.5, True),
    "text": ("Hello there",),
    "nested": ([(3, "a"), (1, "b")], {"k": [1.5]}, None),
    "set": ({1, 2, 3}, frozenset("ab"), b"xyz"),
    "complex": (1 + 2j,),
    "tuple": ((1, 5, 7, (4, 6), 10),),
}


def types(value):
    """The type of a value, with those of its elements in any order or number."""
    if isinstance(value, dict):
        return (
            dict,
            frozenset(map(types, value)),
            frozenset(map(types, value.values())),
        )
    if isinstance(value, list | tuple | set | frozenset):
        return (type(value), frozenset(map(types, value)))
    return type(value)


def within(found, seen):
    """Whether types are those seen; emptied containers hold no other type."""
    if not isinstance(found, tuple) or not isinstance(seen, tuple):
        return found == seen
    return found[0] is seen[0] and all(
        all(any(within(each, other) for other in known) for each in parts)
        for parts, known in zip(found[1:], seen[1:], strict=True)
    )


@pytest.mark.parametrize("name", ARGUMENTS)
def test_types_are_kept_and_inputs_are_new(name):
    arguments = ARGUMENTS[name]
    made = perturb([Check("", arguments)], task_id=name)
    assert len(made) == 24
    assert len(set(map(repr, made))) == 24
    assert repr(arguments) not in set(map(repr, made))
    for each in made:
        assert len(each) == len(arguments)
        for new, old in zip(each, arguments, strict=True):
            assert within(types(new), types(old)), (new, old)


def test_the_seed_and_the_task_decide():
    checks = [Check("", ([1, 2, 3], "ab")), Check("", ([5], "c"))]
    assert perturb(checks, 24, 1, "a") == perturb(checks, 24, 1, "a")
    assert perturb(checks, 24, 1, "a") != perturb(checks, 24, 2, "a")
    assert perturb(checks, 24, 1, "a") != perturb(checks, 24, 1, "b")
    assert perturb(checks, 5, 1, "a") == perturb(checks, 24, 1, "a")[:5]


def test_the_visible_values_are_not_touched():
    arguments = ([3, [1, 2]], {"a": {1}})
    perturb([Check("", arguments)], 200)
    assert arguments == ([3, [1, 2]], {"a": {1}})


def test_nothing_to_change():
    assert perturb([]) == ()
    assert perturb([Check("f(x) == y"), Check("f() == 1", ())]) == ()
    assert perturb([Check("", (None,))]) == ()
    assert perturb([Check("", (True,))]) == ((False,),)


def test_lengths_rows_and_order_mostly_hold():
    checks = [Check("", ([1, 2, 4, 5, 9], 5))]
    made = perturb(checks, 100)
    assert sum(len(values) == length for values, length in made) > 50
    assert sum(values == sorted(values) for values, _ in made) > 50
    rows = perturb([Check("", ([[1, 2], [3, 4], [5, 6]],))], 100)
    assert all(len({len(row) for row in table}) <= 1 for (table,) in rows)


def test_the_edges_are_tried():
    (numbers,) = zip(*perturb([Check("", (7,))], 60), strict=True)
    assert {0, -7, 6, 8} <= set(numbers)
    assert max(numbers) > 20
    (texts,) = zip(*perturb([Check("", ("abcab",))], 60), strict=True)
    assert "" in texts
    assert max(map(len, texts)) > 5
    assert min(map(len, texts)) < 5
    (lists,) = zip(*perturb([Check("", ([4, 4, 2],))], 60), strict=True)
    assert [] in lists
    assert any(sorted(each) == [2, 4, 4] for each in lists)
