"""Inputs that JSON could not hold as they were: tuples, sets and numbers given as text.

EvalPlus stores the hidden inputs of a task as JSON, where a tuple is a list and a complex
number a text. What they were is read off the task's own assertions: those whose arguments,
turned into JSON, are among the stored inputs show which places of the arguments hold what.
"""

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from ._expressions import NotReadableError, calls

_CONTAINERS = (list, tuple, set, frozenset)


@dataclass
class Shape:
    """What one place of a task's arguments was seen to hold.

    Attributes:
        kinds: types seen there, in the assertions.
        inside: of its elements, all alike; of a dictionary its values.
    """

    kinds: set[type] = field(default_factory=set)
    inside: "Shape | None" = None

    def see(self, value: Any) -> None:
        """Take note of a value and of what is in it."""
        self.kinds.add(type(value))
        parts = value.values() if isinstance(value, dict) else value
        if isinstance(value, (dict, *_CONTAINERS)) and len(value):
            self.inside = self.inside or Shape()
            for part in parts:
                self.inside.see(part)

    def container(self) -> type:
        """Return what a JSON list is at this place: a list where anything is unclear."""
        seen = self.kinds & set(_CONTAINERS)
        return next(iter(seen)) if len(seen) == 1 else list

    def changes(self) -> bool:
        """Return whether any value is not what JSON makes of it."""
        return self.container() is not list or bool(
            self.inside and self.inside.changes()
        )

    def repeats(self) -> bool:
        """Return whether containers of one kind lie in each other beside plain values.

        Seen twice, such nesting is taken to have no bottom: (4, (6, (2, 4)), 8).
        """
        inner = self.inside
        deeper = inner.inside if inner else None
        return bool(
            inner
            and deeper
            and self.container() is inner.container() is deeper.container()
            and len(inner.kinds) > 1
        )

    def describe(self) -> str:
        """Return the shape in words, such as "list of tuple"."""
        name = self.container().__name__
        if self.repeats():
            return f"{name} at every depth"
        seen = self.kinds & {*_CONTAINERS, dict}
        name = "dict" if seen == {dict} else name
        if self.inside is None or not self.inside.changes():
            return name
        return f"{name} of {self.inside.describe()}"


@dataclass(frozen=True)
class Conversion:
    """How the stored inputs of one task become the arguments that it is called with.

    Attributes:
        task_id: of the task.
        places: for each argument its shape, or None where it stays as it is.
        numbers: for each argument the type of number that it is, where JSON has it as
            text, else None.
    """

    task_id: str
    places: tuple[Shape | None, ...]
    numbers: tuple[type | None, ...]

    def __call__(self, stored: Sequence[Any]) -> tuple[Any, ...]:
        """Return the arguments that stored JSON values stand for."""
        if not any(self.places) and not any(self.numbers):
            return tuple(stored)
        return tuple(
            number(value) if number else _converted(value, shape)
            for value, shape, number in zip_longest(
                stored, self.places[: len(stored)], self.numbers[: len(stored)]
            )
        )

    def describe(self) -> str:
        """Return the conversion in words, argument by argument; "" where there is none."""
        said = [
            number.__name__ if number else shape.describe() if shape else "as stored"
            for shape, number in zip(self.places, self.numbers, strict=True)
        ]
        return ", ".join(said) if set(said) != {"as stored"} and said else ""


def conversion(
    task_id: str,
    entry_point: str,
    assertions: Iterable[str],
    stored: Sequence[Sequence[Any]],
    contract: str = "",
) -> Conversion:
    """Return how a task's stored inputs become arguments.

    A place becomes a tuple or a set if all assertions that belong to a stored input have
    one there, and the contract does not accept a list as well: then the list is kept, as
    the inputs were made with it. A text is a number if the assertions have one there.

    Args:
        task_id: of the task.
        entry_point: its function.
        assertions: the task's own, as text; those that cannot be read say nothing.
        stored: the inputs as JSON gives them.
        contract: source of what the inputs must meet, or "".
    """
    shapes: list[Shape] = []
    for arguments in _arguments(entry_point, assertions):
        if _as_json(arguments) not in stored and _as_texts(arguments) not in stored:
            continue
        shapes += [Shape() for _ in range(len(arguments) - len(shapes))]
        for shape, argument in zip(shapes, arguments, strict=False):
            shape.see(argument)
    lenient = _accepts_both(contract)
    return Conversion(
        task_id,
        tuple(shape if shape.changes() and not lenient else None for shape in shapes),
        tuple(_number_kind(place, shape, stored) for place, shape in enumerate(shapes)),
    )


def _arguments(entry_point: str, assertions: Iterable[str]) -> list[tuple[Any, ...]]:
    found = []
    for text in assertions:
        try:
            found += calls(text, entry_point)
        except NotReadableError:
            continue
    return found


def _as_json(value: Any) -> Any:
    if isinstance(value, _CONTAINERS):
        return [_as_json(each) for each in value]
    if isinstance(value, dict):
        return {str(key): _as_json(each) for key, each in value.items()}
    return value


def _as_texts(arguments: tuple[Any, ...]) -> list[str]:
    """Return arguments as EvalPlus stores them where one is a complex number."""
    return [str(each) for each in arguments]


def _accepts_both(contract: str) -> bool:
    """Return whether a contract has `isinstance(x, (list, tuple))` in it."""
    try:
        tree = ast.parse("if True:\n" + contract)  # it is the body of a function
    except SyntaxError:  # there is none, or it cannot be read
        return False
    return any(
        isinstance(node, ast.Call)
        and ast.unparse(node.func) == "isinstance"
        and len(node.args) == 2
        and isinstance(node.args[1], ast.Tuple)
        and {"list", "tuple"} <= {ast.unparse(each) for each in node.args[1].elts}
        for node in ast.walk(tree)
    )


def _number_kind(
    place: int, shape: Shape, stored: Sequence[Sequence[Any]]
) -> type | None:
    """Return the type that reads all numbers given as text at one place, if any are."""
    values = [each[place] for each in stored if place < len(each)]
    if not shape.kinds & {int, float, complex} or not any(
        isinstance(value, str) for value in values
    ):
        return None
    for kind in (float, complex):
        try:
            for value in values:
                kind(value)
        except (TypeError, ValueError):
            continue
        return kind
    return None


def _converted(value: Any, shape: Shape | None) -> Any:
    if shape is None:
        return value
    inside = shape if shape.repeats() else shape.inside
    if isinstance(value, dict):
        return {key: _converted(each, inside) for key, each in value.items()}
    if isinstance(value, list):
        return shape.container()(_converted(each, inside) for each in value)
    return value
