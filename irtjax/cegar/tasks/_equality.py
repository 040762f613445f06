"""Whether a program's output is right: compared here, where no program runs."""

import math
from collections.abc import Sequence
from typing import Any

from .._observation import Observation
from ._oracle import Oracle
from ._values import value_of

ATOL = 1e-6
"""Tolerance of floats where a task states none, in units of the output."""

RTOL = 1e-7
"""Relative tolerance wherever there is an absolute one (that of `numpy.allclose`)."""


def is_right(
    oracle: Oracle,
    arguments: tuple[Any, ...],
    expected: Observation,
    observed: Observation,
    others: Sequence[Observation] = (),
) -> bool:
    """Return whether a program did on one input what its task asks for.

    Args:
        oracle: of the task.
        arguments: of the call.
        expected: what the reference returned.
        observed: what the program returned; anything but a value is wrong.
        others: what programs of other readings returned.
    """
    if observed.kind != "value":
        return False
    if oracle.rule == "any":
        return True
    output = value_of(observed)
    if oracle.rule == "root":
        return _is_root(arguments[0], output, oracle.atol)
    if expected.kind != "value":
        return False
    if oracle.rule == "equal" and observed == expected and "NaN" not in expected.text:
        return True
    wanted = value_of(expected)
    accepted = [value_of(other) for other in others if other.kind == "value"]
    if any(_same(output, each) for each in (*accepted, *oracle.extra)):
        return True
    if oracle.rule == "set":
        return _same_elements(output, wanted) or close(output, wanted, oracle.atol)
    if oracle.rule == "not none":
        said = output if isinstance(output, bool) else output is not None
        return said == (wanted if isinstance(wanted, bool) else wanted is not None)
    return close(output, wanted, oracle.atol)


def close(output: Any, wanted: Any, atol: float = 0.0) -> bool:
    """Return whether an output equals the expected one, floats within a tolerance.

    Exactly equal is always enough (so 1, 1.0 and True are). Else both must be of one type
    and, element by element, within atol + 1e-7 |wanted|; without a tolerance of the task
    that is tried only where the expected output is a float or holds floats alone.

    Args:
        output: of a program.
        wanted: of the reference.
        atol: of the task, in units of the output; 0 for none.
    """
    if _same(output, wanted):
        return True
    if atol == 0.0:
        if not _is_floats(wanted):
            return False
        atol = ATOL
    try:
        return type(output) is type(wanted) and _within(output, wanted, atol)
    except OverflowError:  # an integer that no float holds
        return False


def _same(output: Any, wanted: Any) -> bool:
    try:
        return bool(output == wanted) and not _holds_nan(wanted)
    except RecursionError:
        return False


def _holds_nan(value: Any) -> bool:
    """Return whether a value is or holds NaN, which equals nothing, itself included."""
    if isinstance(value, dict):
        return any(map(_holds_nan, [*value, *value.values()]))
    if isinstance(value, list | tuple | set | frozenset):
        return any(map(_holds_nan, value))
    return isinstance(value, float) and math.isnan(value)


def _same_elements(output: Any, wanted: Any) -> bool:
    try:
        return set(output) == set(wanted)
    except TypeError:
        return False


def _is_floats(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return bool(value) and all(isinstance(each, float) for each in value)
    return isinstance(value, float)


def _within(output: Any, wanted: Any, atol: float) -> bool:
    if isinstance(wanted, list | tuple):
        return (
            isinstance(output, list | tuple)
            and len(output) == len(wanted)
            and all(map(_within, output, wanted, [atol] * len(wanted)))
        )
    if not isinstance(output, int | float) or not isinstance(wanted, int | float):
        return False
    if math.isinf(output) or math.isinf(wanted):
        return output == wanted
    return abs(output - wanted) <= atol + RTOL * abs(wanted)


def _is_root(coefficients: Any, place: Any, atol: float) -> bool:
    """Return whether sum_k coefficients[k] place^k is 0 within `atol`."""
    try:
        total = sum(each * place**power for power, each in enumerate(coefficients))
        return abs(total) <= atol
    except (TypeError, ArithmeticError):
        return False
