"""Inputs near the visible ones, on which answers to a task can be compared."""

import hashlib
import random
import string
from collections.abc import Sequence
from typing import Any

from .._task import Check

NUMBER = 24
"""Perturbed inputs of a task."""

_ATTEMPTS = 40
"""Tries for each input wanted, before a task is left with fewer."""

_ALPHABETS = (
    string.digits,
    string.ascii_lowercase,
    string.ascii_uppercase,
    string.punctuation + " ",
)


def perturb(
    checks: Sequence[Check], number: int = NUMBER, seed: int = 0, task_id: str = ""
) -> tuple[tuple[Any, ...], ...]:
    """Return arguments made by small changes to those of the visible checks.

    Types are kept: integers move to their neighbours, to 0, change sign or grow; texts
    and containers lose, repeat, gain or swap elements, or become empty; what lies in them
    is changed in the same way. Rows of one length keep it, sorted lists mostly stay
    sorted, an integer that is the length of another argument mostly follows it, new
    characters come from the text itself or are like its own. None and types not named
    here stay as they are. Nothing but the checks is looked at.

    Args:
        checks: visible examples; those without `arguments` say nothing.
        number: of inputs wanted.
        seed: of all draws, with `task_id`: the same two give the same inputs.
        task_id: of the task.

    Returns:
        Distinct inputs, none of them visible; fewer than `number` where the arguments
        leave no more, and none where no check has any.
    """
    known = [check.arguments for check in checks if check.arguments]
    digest = hashlib.sha256(f"{seed}:{task_id}".encode()).digest()
    rng = random.Random(int.from_bytes(digest[:8], "big"))
    seen = {repr(arguments) for arguments in known}
    made: list[tuple[Any, ...]] = []
    for _ in range(_ATTEMPTS * number if known else 0):
        # Half the time a change of a change, so that inputs spread out step by step.
        sources = made if made and rng.random() < 0.5 else known
        changed = _arguments(rng, rng.choice(sources))
        if repr(changed) not in seen:
            seen.add(repr(changed))
            made.append(changed)
        if len(made) == number:
            break
    return tuple(made)


def _arguments(rng: random.Random, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Change at least one argument, and integers that are lengths along with it."""
    every = rng.random() < 0.3
    chosen = rng.randrange(len(arguments))
    changed = [
        _value(rng, each) if every or place == chosen else each
        for place, each in enumerate(arguments)
    ]
    for place, each in enumerate(arguments):
        partners = [
            other
            for other, value in enumerate(arguments)
            if isinstance(value, list | tuple | str) and len(value) == each
        ]
        if type(each) is int and partners and rng.random() < 0.8:
            changed[place] = len(changed[partners[0]])
    return tuple(changed)


def _value(rng: random.Random, value: Any, keep_length: bool = False) -> Any:
    """Return a value of the same type, a small step away."""
    match value:
        case bool():
            return not value
        case int():
            return _integer(rng, value)
        case float():
            return _float(rng, value)
        case complex():
            return complex(_float(rng, value.real), _float(rng, value.imag))
        case str():
            return _text(rng, value, keep_length)
        case bytes():
            return bytes(_elements(rng, list(value), keep_length, _byte))
        case list() | tuple():
            return type(value)(_sequence(rng, list(value), keep_length))
        case set() | frozenset():
            ordered = sorted(value, key=repr)  # a set's own order differs between runs
            return type(value)(_elements(rng, ordered, False, _value))
        case dict():
            return _dictionary(rng, value)
    return value


def _integer(rng: random.Random, value: int) -> int:
    steps = (
        lambda: value + rng.choice((-2, -1, 1, 2)),
        lambda: value + rng.choice((-2, -1, 1, 2)),
        lambda: value + rng.randint(-10, 10),
        lambda: rng.choice((0, 1, 2, 3)),
        lambda: -value,
        lambda: value // 2,
        lambda: value * 2,
        lambda: rng.randint(0, max(100, 3 * abs(value))),
        lambda: value * 10 + rng.randint(0, 9),
    )
    return rng.choice(steps)()


def _byte(rng: random.Random, value: int) -> int:
    return _integer(rng, value) % 256


def _float(rng: random.Random, value: float) -> float:
    steps = (
        lambda: value + rng.choice((-1.0, -0.5, 0.5, 1.0)),
        lambda: round(value * rng.uniform(0.5, 1.5), 2),
        lambda: rng.choice((0.0, 1.0)),
        lambda: -value,
        lambda: value * 10.0,
        lambda: value + rng.choice((-0.01, 0.01)),
    )
    return rng.choice(steps)()


def _text(rng: random.Random, value: str, keep_length: bool) -> str:
    if " " in value and rng.random() < 0.4:  # by words, as sentences are read
        words = value.split(" ")
        return " ".join(_elements(rng, words, False, _word))
    return "".join(_elements(rng, list(value) or ["a"], keep_length, _character))


def _word(rng: random.Random, value: str) -> str:
    return "".join(_elements(rng, list(value) or ["a"], False, _character))


def _character(rng: random.Random, value: str) -> str:
    if rng.random() < 0.25 and value.swapcase() != value:
        return value.swapcase()
    for alphabet in _ALPHABETS:
        if value in alphabet:
            return rng.choice(alphabet)
    return value


def _sequence(rng: random.Random, values: list[Any], keep_length: bool) -> list[Any]:
    alike = len({len(each) for each in values if isinstance(each, list | tuple)}) == 1
    rows = len(values) > 1 and alike
    changed = _elements(
        rng, values, keep_length, lambda rng, each: _value(rng, each, rows)
    )
    if _is_sorted(values) and len(values) > 2 and rng.random() < 0.7:
        return sorted(changed)
    return changed


def _is_sorted(values: list[Any]) -> bool:
    plain = all(isinstance(each, int | float) for each in values) or all(
        isinstance(each, str) for each in values
    )
    return plain and values == sorted(values)


def _elements(rng: random.Random, values: list[Any], keep_length: bool, change) -> list:
    """Change, lose, repeat, gain or swap elements, or leave none."""
    values = list(values)
    if not values:
        return values
    place = rng.randrange(len(values))
    one_other = [*values[:place], change(rng, values[place]), *values[place + 1 :]]
    every_other = [change(rng, each) for each in values]
    swapped = rng.sample(values, len(values))
    if keep_length:
        return rng.choice((one_other, one_other, every_other, swapped))
    copied, new = rng.choice(values), change(rng, rng.choice(values))
    return rng.choice(
        (
            one_other,
            one_other,
            every_other,
            swapped,
            values[:place] + values[place + 1 :],
            values[:place] or values[place:],
            [*values[:place], copied, *values[place:]],
            [*values[:place], new, *values[place:]],
            [*values, *values[: max(1, place)]],
            values[::-1],
            [] if rng.random() < 0.5 else values[:1],
        )
    )


def _dictionary(rng: random.Random, value: dict[Any, Any]) -> dict[Any, Any]:
    keys = list(value)
    if not keys:
        return {}
    key = rng.choice(keys)
    steps = (
        lambda: {**value, key: _value(rng, value[key])},
        lambda: {**value, key: _value(rng, value[key])},
        lambda: {**value, _value(rng, key): _value(rng, value[key])},
        lambda: {each: value[each] for each in keys if each != key},
        lambda: {**value, key: value[rng.choice(keys)]},
        lambda: {},
    )
    return rng.choice(steps)()
