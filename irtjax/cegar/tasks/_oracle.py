"""The hidden half of a programming task: what decides whether a program is right."""

from dataclasses import dataclass
from typing import Any, Literal

Rule = Literal["equal", "set", "not none", "root", "any"]


@dataclass(frozen=True)
class Oracle:
    """How one task's programs are judged. No `Case` leads here, by any attribute.

    Expected outputs are not stored: they are what the reference program returns, run in
    the same sandbox as the programs that it judges.

    Attributes:
        task_id: of the task.
        entry_point: the function that is called.
        reference: a whole right program.
        base: arguments of the benchmark's original tests.
        plus: of the tests added later.
        rule: when an output counts as right. "equal": as Python compares, numbers within
            `atol`. "set": the same elements. "not none": a truth value, or whether it is
            not None, is the expected truth value. "root": the polynomial that is the
            argument is 0 there, within `atol`. "any": whatever it is.
        atol: absolute tolerance, in units of the output; 0 means 1e-6 where an expected
            output is a float, or all floats, and none elsewhere.
        others: programs of other readings of the task; what one of them returns is right
            too, if it is exactly that.
        extra: outputs that are right whatever the input.
    """

    task_id: str
    entry_point: str
    reference: str
    base: tuple[tuple[Any, ...], ...]
    plus: tuple[tuple[Any, ...], ...] = ()
    rule: Rule = "equal"
    atol: float = 0.0
    others: tuple[str, ...] = ()
    extra: tuple[Any, ...] = ()
