"""Stored inputs become what the assertions have."""

import pytest

from irtjax.cegar.tasks import Conversion, conversion


def made(assertions, stored, contract=""):
    found = conversion("T/0", "f", assertions, stored, contract)
    assert isinstance(found, Conversion)
    return found, [found(each) for each in stored]


@pytest.mark.parametrize(
    ("assertion", "stored", "words", "converted"),
    [
        ("assert f((1, 2))", [[1, 2]], "tuple", ((1, 2),)),
        ("assert f([(1, 2)], 3)", [[[1, 2]], 3], "list of tuple, as stored", None),
        ("assert f({'a': (1,)})", [{"a": [1]}], "dict of tuple", ({"a": (1,)},)),
        ("assert f([{1, 2}])", [[[1, 2]]], "list of set", ([{1, 2}],)),
        ("assert f(0, 1j)", ["0", "1j"], "float, complex", (0.0, 1j)),
        ("assert f(((1,),))", [[[1]]], "tuple of tuple", (((1,),),)),
        ("assert f([1, [2]], 'a')", [[1, [2]], "a"], "", ([1, [2]], "a")),
    ],
)
def test_types_are_read_off_an_assertion(assertion, stored, words, converted):
    found, values = made([assertion], [stored])
    assert found.describe() == words
    assert values[0] == (converted or ([(1, 2)], 3))
    assert list(map(type, values[0])) == list(map(type, converted or ([], 0)))


def test_other_inputs_follow():
    _, values = made(["assert f([(1, 2)])"], [[[[1, 2]]], [[[3], []]], [[]]])
    assert values == [([(1, 2)],), ([(3,), ()],), ([],)]


def test_nesting_seen_twice_has_no_bottom():
    found, values = made(
        ["assert f((4, (7, (2, 4)), 6))"],
        [[[4, [7, [2, 4]], 6]], [[1, [2, [3, [4, [5]]]]]]],
    )
    assert found.describe() == "tuple at every depth"
    assert values[1] == ((1, (2, (3, (4, (5,))))),)


def test_an_assertion_of_no_stored_input_says_nothing():
    assert made(["assert f((1, 2))", "assert f(x)"], [[[3, 4]]])[1] == [([3, 4],)]


def test_places_that_hold_lists_too_stay():
    stored = [[[1, 2]], [[3]]]
    assert made(["assert f((1, 2))", "assert f([3])"], stored)[1] == [([1, 2],), ([3],)]


def test_a_contract_that_takes_lists_keeps_them():
    contract = "\n  assert isinstance(x, (tuple, list)), 'no'\n"
    assert made(["assert f((1, 2))"], [[[1, 2]]], contract)[1] == [([1, 2],)]
    contract = "\n  assert isinstance(x, tuple), 'no'\n"
    assert made(["assert f((1, 2))"], [[[1, 2]]], contract)[1] == [((1, 2),)]
    assert made(["assert f((1, 2))"], [[[1, 2]]], "\n  oh (")[1] == [((1, 2),)]


def test_numbers_of_one_place_have_one_type():
    found, values = made(["assert f(1)"], [[1], ["(1+2j)"], ["3"]])
    assert found.describe() == "complex"
    assert values == [(1 + 0j,), (1 + 2j,), (3 + 0j,)]
    assert list(map(type, (row[0] for row in values))) == [complex] * 3
    assert made(["assert f(1)"], [[1], ["a"]])[1] == [(1,), ("a",)]
