"""Plain Python values as text and back, without running any code of the value.

The text crosses the border between a jail and this process, so both directions must
stand hostile input: writing never calls a method of the value, and reading builds
nothing but plain values. This file is also sent into the jail: it uses the standard
library alone.
"""

import hashlib
import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

DEEPEST = 100
"""Most containers within one another."""

_LONGEST_INT = (
    2048  # bits that are written as decimal digits; above, as hexadecimal ones
)


@dataclass(frozen=True)
class Opaque:
    """Stands for a value that has no text of its own.

    Attributes:
        type: the name of its type; for a value whose text was too long, that text's
            SHA-256.
    """

    type: str


def canonical(value: Any, most: int | None = None) -> str:
    """Return the one text, in ASCII, that equal plain values share.

    It is JSON. What JSON has no word for becomes an object with one entry, the kind:
    `{"tuple": [1, 2]}`. `True`, `1` and `1.0` differ; sets and dictionaries are sorted by
    the text of their members or keys; a subclass counts as the plain type that it
    extends; an object becomes `{"object": "TypeName"}`.

    Args:
        value: None, bool, int, float, complex, str, bytes, bytearray, list, tuple, set,
            frozenset, dict, range, deque, Decimal, Fraction, nested in any way; or
            anything else.
        most: of a longer text, in characters, only its SHA-256 and length are given.

    Raises:
        ValueError: containers are nested more than 100 deep, or hold themselves.
    """
    text = _dumps(_plain(value, 0))
    if most is not None and len(text) > most:
        digest = hashlib.sha256(text.encode()).hexdigest()
        return _dumps({"long": [digest, len(text)]})
    return text


def parse(text: str) -> Any:
    """Return the value that a canonical text was made of, in fresh containers.

    An object, or a text that was too long, comes back as an `Opaque`.

    Args:
        text: what `canonical` returned, or anything at all.

    Raises:
        ValueError: it is no canonical text.
    """
    try:
        return _value(json.loads(text))
    except (ValueError, TypeError, RecursionError, ArithmeticError) as error:
        raise ValueError(f"Not a canonical text: {type(error).__name__}.") from None


def type_name(kind: type) -> str:
    """Return the name of a type as its definition gave it, without running its code."""
    return str.__str__(type.__dict__["__name__"].__get__(kind))


def _dumps(plain: Any) -> str:
    return json.dumps(plain, separators=(",", ":"), check_circular=False)


def _plain(value: Any, depth: int) -> Any:
    kind = type(value)
    if kind is str or kind is float or kind is bool or value is None:
        return value
    if depth > DEEPEST:
        raise ValueError(f"Containers are nested more than {DEEPEST} deep.")
    # Neither `isinstance`, which asks the value for its class, nor a look into a
    # dictionary of types, which may ask the type for its hash.
    write = _WRITE.get(kind) if type(kind) is type else None
    if write is None:
        bases = type.__dict__["__mro__"].__get__(kind)
        write = next((w for k, w in _WRITE.items() if any(b is k for b in bases)), None)
    if write is None:
        return {"object": type_name(kind)}
    return write(value, depth + 1)


def _members(values: Any, depth: int) -> list[Any]:
    return [_plain(value, depth) for value in values]


def _sorted_members(values: Any, depth: int) -> list[Any]:
    return sorted(_members(values, depth), key=_dumps)


def _write_int(value: int, depth: int) -> Any:
    value = int.__pos__(value)
    # Decimal digits take quadratic time, and Python refuses above 4,300 of them.
    return value if value.bit_length() <= _LONGEST_INT else {"int": hex(value)}


def _write_dict(value: dict[Any, Any], depth: int) -> Any:
    pairs = [[_plain(k, depth), _plain(v, depth)] for k, v in dict.items(value)]
    return {"dict": sorted(pairs, key=_dumps)}


def _write_complex(value: complex, depth: int) -> Any:
    parts = complex.__pos__(value)
    return {"complex": [parts.real, parts.imag]}


def _write_fraction(value: Fraction, depth: int) -> Any:
    slots = (vars(Fraction)["_numerator"], vars(Fraction)["_denominator"])
    parts = [slot.__get__(value) for slot in slots]
    if [type(part) for part in parts] != [int, int]:
        return {"object": "Fraction"}
    return {"fraction": _members(parts, depth)}


# In the order in which a subclass is looked for.
_WRITE: dict[type, Callable[[Any, int], Any]] = {
    int: _write_int,
    list: lambda value, depth: _members(list.__iter__(value), depth),
    tuple: lambda value, depth: {"tuple": _members(tuple.__iter__(value), depth)},
    dict: _write_dict,
    set: lambda value, depth: {"set": _sorted_members(set.__iter__(value), depth)},
    frozenset: lambda value, depth: {
        "frozenset": _sorted_members(frozenset.__iter__(value), depth)
    },
    str: lambda value, depth: str.__str__(value),
    float: lambda value, depth: float.__pos__(value),
    complex: _write_complex,
    bytes: lambda value, depth: {"bytes": bytes.hex(value)},
    bytearray: lambda value, depth: {"bytearray": bytearray.hex(value)},
    range: lambda value, depth: {
        "range": _members((value.start, value.stop, value.step), depth)
    },
    deque: lambda value, depth: {"deque": _members(deque.__iter__(value), depth)},
    Decimal: lambda value, depth: {"decimal": Decimal.__str__(value)},
    Fraction: _write_fraction,
}


def _read_long(body: Any) -> Opaque:
    digest, length = body
    if type(digest) is not str or type(length) is not int:
        raise ValueError("no digest")
    return Opaque(digest)


def _texts(read: Callable[[str], Any]) -> Callable[[Any], Any]:
    """Return a reader that takes nothing but text."""

    def checked(body: Any) -> Any:
        if type(body) is not str:
            raise ValueError("no text")
        return read(body)

    return checked


def _values(body: Any) -> list[Any]:
    if type(body) is not list:
        raise ValueError("no list")
    return [_value(member) for member in body]


_READ: dict[str, Callable[[Any], Any]] = {
    "tuple": lambda body: tuple(_values(body)),
    "dict": lambda body: {_value(key): _value(value) for key, value in body},
    "set": lambda body: set(_values(body)),
    "frozenset": lambda body: frozenset(_values(body)),
    "int": _texts(lambda body: int(body, 16)),
    "complex": lambda body: complex(*_values(body)),
    "bytes": _texts(bytes.fromhex),
    "bytearray": _texts(bytearray.fromhex),
    "range": lambda body: range(*_values(body)),
    "deque": lambda body: deque(_values(body)),
    "decimal": _texts(Decimal),
    "fraction": lambda body: Fraction(*_values(body)),
    "object": _texts(Opaque),
    "long": _read_long,
}


def _value(plain: Any) -> Any:
    if type(plain) is list:
        return [_value(member) for member in plain]
    if type(plain) is not dict:
        return plain
    ((kind, body),) = plain.items()
    if kind not in _READ:
        raise ValueError("unknown kind")
    return _READ[kind](body)
