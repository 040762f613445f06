"""Outputs compared with expected ones, far from any program."""

import math

import pytest

from irtjax.cegar import Observation
from irtjax.cegar.sandbox import canonical
from irtjax.cegar.tasks import Oracle, close, is_right


def value(each):
    return Observation("value", canonical(each))


def judged(output, wanted, arguments=(), others=(), **settings):
    oracle = Oracle("T/0", "f", "", (), **settings)
    seen = [value(each) for each in others]
    return is_right(oracle, arguments, value(wanted), value(output), seen)


@pytest.mark.parametrize(
    ("output", "wanted", "right"),
    [
        (1, 1, True),
        (True, 1, True),
        (1, 1.0, True),
        ([1, 2], (1, 2), False),
        ((1, (2,)), (1, (2,)), True),
        ({1, 2}, {2, 1}, True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        (None, 0, False),
        ("1", 1, False),
        (0.1 + 0.2, 0.3, True),
        (0.3 + 2e-6, 0.3, False),
        ([1.0, 2.0 + 1e-8], [1.0, 2.0], True),
        ([1.0, 2.0 + 1e-8], [1, 2.0], False),
        ((1.0 + 1e-9,), [1.0], False),
        ([1.0 + 1e-9], [1.0, 2.0], False),
        (10**400, 1.0, False),
        (1e9 + 50, 1e9, True),
        (1e9 + 200, 1e9, False),
        (math.inf, math.inf, True),
        (math.inf, 1.0, False),
        (math.nan, math.nan, False),
        ([math.nan], [math.nan], False),
        ("a", 1.0, False),
    ],
)
def test_plain_equality(output, wanted, right):
    assert judged(output, wanted) is right
    assert close(output, wanted) is right


def test_a_tolerance_of_the_task():
    assert judged(1.00005, 1.0, atol=1e-4)
    assert not judged(1.0002, 1.0, atol=1e-4)
    assert judged([1, 2.00005], [1, 2], atol=1e-4)
    assert not judged(1, 1.00005, atol=1e-4)  # another type
    assert judged("a", "a", atol=1e-4)
    assert not judged("b", "a", atol=1e-4)
    assert judged((1.0, [2.0]), (1.0, [2.00001]), atol=1e-4)


def test_order_free():
    assert judged([3, 1, 1], (1, 3), rule="set")
    assert not judged([3], (1, 3), rule="set")
    assert not judged(None, (1, 3), rule="set")
    assert not judged([[1]], (1, 3), rule="set")


def test_a_truth_value_or_something_that_is_not_none():
    for output, wanted, right in (
        (True, True, True),
        (False, True, False),
        ("match", True, True),
        (None, False, True),
        (0, False, False),
        (None, True, False),
    ):
        assert judged(output, wanted, rule="not none") is right


def test_a_root_is_any_root():
    polynomial = ([-6, 11, -6, 1],)  # roots 1, 2, 3
    for root in (1, 2.0, 3.0 + 1e-6):
        assert judged(root, 1.0, polynomial, rule="root", atol=1e-4)
    assert not judged(4, 1.0, polynomial, rule="root", atol=1e-4)
    assert not judged("a", 1.0, polynomial, rule="root", atol=1e-4)


def test_other_readings_and_outputs():
    assert judged(5, 4, others=[5])
    assert not judged(6, 4, others=[5])
    assert judged(0, 4, extra=(0,))
    assert judged("anything", 4, rule="any")


def test_only_a_value_is_right():
    oracle = Oracle("T/0", "f", "", (), rule="any")
    for seen in (Observation("error", "KeyError"), Observation("timeout")):
        assert not is_right(oracle, (), value(1), seen)
    plain = Oracle("T/0", "f", "", ())
    assert not is_right(plain, (), value(1), Observation("value", "{oh"))
    assert not is_right(plain, (), Observation("error", "E"), value(1))
