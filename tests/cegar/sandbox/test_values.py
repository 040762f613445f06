"""Canonical texts: equal values share one, nothing of the value runs, parsing is safe."""

import contextlib
import math
from collections import Counter, OrderedDict, deque, namedtuple
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irtjax.cegar.sandbox import Opaque, canonical, parse

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.complex_numbers(allow_nan=False)
    | st.text()
    | st.binary()
    | st.fractions()
    | st.decimals(allow_nan=False)
)
hashable = st.recursive(
    scalars,
    lambda inner: st.lists(inner).map(tuple) | st.frozensets(inner),
    max_leaves=8,
)
values = st.recursive(
    hashable,
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.lists(inner).map(deque)
        | st.sets(hashable)
        | st.dictionaries(hashable, inner)
    ),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None)
@given(values)
def test_a_value_comes_back_as_it_was(value):
    text = canonical(value)
    assert text.isascii()
    back = parse(text)
    assert back == value
    assert type(back) is type(value)
    assert canonical(back) == text


@settings(max_examples=60, deadline=None)
@given(st.text() | st.binary().map(lambda b: b.decode("latin-1")))
def test_any_text_is_parsed_or_refused(text):
    with contextlib.suppress(ValueError):
        canonical(parse(text))


@pytest.mark.parametrize(
    "text",
    [
        '{"dict":[[[],1]]}',
        '{"what":1}',
        '{"int":5}',
        '{"tuple":1,"set":2}',
        "[" * 100_000,
        '{"tuple":' * 5_000 + "1" + "}" * 5_000,
        "9" * 10_000,
        '{"decimal":"x"}',
        '{"fraction":[1,0]}',
        '{"object":[1]}',
        '{"long":[1]}',
        "",
    ],
)
def test_what_is_no_canonical_text_is_refused(text):
    with pytest.raises(ValueError, match="Not a canonical text"):
        parse(text)


def test_types_that_compare_equal_differ():
    texts = [canonical(v) for v in (1, 1.0, True, "1", 1 + 0j, [1], (1,), {1}, {1: 1})]
    assert len(set(texts)) == len(texts)
    assert canonical(0.0) != canonical(-0.0)


def test_order_of_sets_and_dictionaries_does_not_matter():
    assert canonical({"b": 1, "a": {3, 1, 2}}) == canonical({"a": {2, 3, 1}, "b": 1})
    assert canonical([1, 2]) != canonical([2, 1])


def test_numbers_of_any_size():
    assert math.isnan(parse(canonical(math.nan)))
    assert parse(canonical(-math.inf)) == -math.inf
    huge = -(7**30_000)
    assert parse(canonical([huge, 2**2048])) == [huge, 2**2048]


def test_a_subclass_counts_as_what_it_extends():
    Point = namedtuple("Point", "x y")
    Color = IntEnum("Color", "RED")
    assert canonical(Point(1, 2)) == canonical((1, 2))
    assert canonical(Color.RED) == canonical(1)
    assert canonical(Counter("aab")) == canonical(OrderedDict(b=1, a=2))
    assert canonical(type("Text", (str,), {})("x")) == '"x"'
    assert canonical(type("Real", (float,), {})(0.5)) == "0.5"


class Hostile(list):
    """Everything that can be called on it fails."""

    def _fail(self, *_):
        raise AssertionError("its code ran")

    __iter__ = __len__ = __repr__ = __str__ = __eq__ = __reduce__ = _fail
    __getitem__ = __getattribute__ = __format__ = _fail
    __hash__ = None


class HostileType(type):
    """A type that lies about its name."""

    @property
    def __name__(cls):
        raise AssertionError("its code ran")


def test_no_code_of_the_value_runs():
    assert canonical(Hostile([1, 2])) == "[1,2]"
    assert canonical({"a": Hostile()}) == '{"dict":[["a",[]]]}'
    thing = HostileType("Thing", (), {"__class__": property(Hostile._fail)})()
    assert canonical(thing) == '{"object":"Thing"}'


def test_objects_have_a_type_and_no_address():
    assert canonical(object()) == canonical(object()) == '{"object":"object"}'
    assert parse(canonical([len, (x for x in ())])) == [
        Opaque("builtin_function_or_method"),
        Opaque("generator"),
    ]


def test_more_plain_values():
    for value in (range(1, 9, 2), bytearray(b"a"), Decimal("1.50"), Fraction(1, 3)):
        assert parse(canonical(value)) == value


def test_a_long_text_is_known_by_its_hash():
    long = canonical(list(range(1000)), most=100)
    assert len(long) < 100
    assert long != canonical(list(range(1001)), most=100)
    assert long == canonical(list(range(1000)), most=99)
    assert isinstance(parse(long), Opaque)
    assert canonical([1], most=3) == "[1]"


def test_what_holds_itself_is_refused():
    loop: list = []
    loop.append(loop)
    with pytest.raises(ValueError, match="100 deep"):
        canonical(loop)
