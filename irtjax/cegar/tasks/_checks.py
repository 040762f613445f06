"""Visible checks of programming tasks, made from text and judged from observations."""

from collections.abc import Sequence
from typing import Any

from .._observation import Observation
from .._task import Check
from ._expressions import calls, holds
from ._values import value_of


def make_check(text: str, entry_point: str) -> Check:
    """Return a visible check with the arguments of the call in it.

    Args:
        text: such as "assert set(f([3, 1])) == {1, 3}".
        entry_point: the function that is called.

    Raises:
        NotReadableError: it is no expression, or holds more than calls with plain arguments,
            literals, operators, and functions like `set`, `sorted`, `math.isclose`.
    """
    found = calls(text, entry_point)
    return Check(text, found[0] if len(found) == 1 else None)


def check_inputs(
    checks: Sequence[Check], entry_point: str
) -> tuple[tuple[Any, ...], ...]:
    """Return the arguments of all calls in some checks, in order.

    Args:
        checks: of a task.
        entry_point: the function that is called.
    """
    return tuple(
        arguments for check in checks for arguments in calls(check.text, entry_point)
    )


def checks_met(
    checks: Sequence[Check], entry_point: str, observations: Sequence[Observation]
) -> tuple[bool, ...]:
    """Return which checks a program meets, from what its calls returned.

    The expected values are in the checks' text, which the program is never given.

    Args:
        checks: of a task.
        entry_point: the function that is called.
        observations: one for each of `check_inputs`, in that order; a call that did not
            return meets no check.
    """
    met, start = [], 0
    for check in checks:
        number = len(calls(check.text, entry_point))
        mine = observations[start : start + number]
        start += number
        met.append(
            len(mine) == number
            and all(each.kind == "value" for each in mine)
            and holds(check.text, entry_point, tuple(map(value_of, mine)))
        )
    return tuple(met)
