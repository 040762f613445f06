"""Word problems as numbers: a start, operations in order, and numbers to ignore."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ._knobs import Knobs

Kind = Literal["add", "take", "times"]

_TRIES = 30  # draws of a number that carries as wanted, before any will do
_TIMES = 0.25  # share of the operations that multiply
_LARGEST = 10**6  # nothing multiplies beyond


@dataclass(frozen=True)
class Operation:
    """One step of a problem.

    Attributes:
        kind: what happens to the running number.
        number: by how much, or how many times; positive.
    """

    kind: Kind
    number: int

    def apply(self, value: int) -> int:
        """Return the exact result."""
        if self.kind == "add":
            return value + self.number
        return value - self.number if self.kind == "take" else value * self.number


@dataclass(frozen=True)
class Problem:
    """A problem with one right answer.

    Attributes:
        topic: one of `TOPICS`.
        start: the number at the beginning.
        operations: in order.
        distractors: numbers of other things.
    """

    topic: str
    start: int
    operations: tuple[Operation, ...]
    distractors: tuple[int, ...]

    def answer(self) -> int:
        """Return the number at the end."""
        value = self.start
        for operation in self.operations:
            value = operation.apply(value)
        return value


def carries(kind: Kind, value: int, number: int) -> int:
    """Return the longest run of carries of an addition, or borrows of a subtraction.

    Args:
        kind: a multiplication counts none.
        value: the running number, not negative.
        number: what is added or taken, not negative.
    """
    if value < 0 or number < 0:
        raise ValueError(f"Nothing here is negative, got {value} and {number}.")
    if kind == "times":
        return 0
    run = longest = carried = 0
    while value or number:
        one, other = value % 10, number % 10
        carried = (
            int(one + other + carried >= 10)
            if kind == "add"
            else int(one < other + carried)
        )
        run = run + 1 if carried else 0
        longest = max(longest, run)
        value, number = value // 10, number // 10
    return longest


def draw_problem(topic: str, knobs: Knobs, rng: np.random.Generator) -> Problem:
    """Return a problem of a difficulty.

    Nothing ever falls below 0. Where no number of the asked length carries as wanted,
    as with one that is too small to take from, the last one drawn is used.

    Args:
        topic: one of `TOPICS`.
        knobs: its difficulty.
        rng: what draws.
    """
    span = 10 ** (knobs.digits - 1), 10**knobs.digits - 1
    value = start = int(rng.integers(*span, endpoint=True))
    operations: list[Operation] = []
    for step in range(knobs.steps):
        left = knobs.steps - step
        wanted = sum(_carries_at(start, operations)) < knobs.carries
        # The last chances to carry are not spent on a multiplication.
        must = wanted and knobs.carries - sum(_carries_at(start, operations)) >= left
        operation = _draw_operation(value, span, wanted, must, rng)
        operations.append(operation)
        value = operation.apply(value)
    others = rng.integers(2, 99, size=knobs.distractors, endpoint=True)
    return Problem(topic, start, tuple(operations), tuple(others.tolist()))


def knobs_of(problem: Problem) -> Knobs:
    """Return the difficulty that a problem has, cut to the limits of the knobs."""
    numbers = [o.number for o in problem.operations if o.kind != "times"]
    return Knobs(
        steps=min(max(len(problem.operations), 1), 5),
        digits=min(len(str(max([problem.start, *numbers]))), 4),
        carries=min(sum(_carries_at(problem.start, problem.operations)), 5),
        distractors=min(len(problem.distractors), 3),
    )


def _carries_at(start: int, operations) -> list[int]:
    """Return 1 for each operation that carries and 0 for each other."""
    found, value = [], start
    for operation in operations:
        found.append(min(carries(operation.kind, value, operation.number), 1))
        value = operation.apply(value)
    return found


def _draw_operation(
    value: int,
    span: tuple[int, int],
    wanted: bool,
    must: bool,
    rng: np.random.Generator,
) -> Operation:
    if not must and value * 9 <= _LARGEST and rng.random() < _TIMES:
        return Operation("times", int(rng.integers(2, 9, endpoint=True)))
    operation = Operation("add", span[0])
    for _ in range(_TRIES):
        kind: Kind = "take" if value > span[0] and rng.random() < 0.5 else "add"
        top = min(span[1], value) if kind == "take" else span[1]
        operation = Operation(kind, int(rng.integers(span[0], top, endpoint=True)))
        if (carries(kind, value, operation.number) > 0) == wanted:
            break
    return operation
