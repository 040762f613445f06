"""What an atom or an operator is handed, as types."""

from typing import Any, Protocol, runtime_checkable

Value = float | None
"""What an atom measures; None: it cannot tell."""


@runtime_checkable
class Shown(Protocol):
    """The task, as operators see it."""

    prompt: str
    entry_point: str
    checks: tuple[str, ...]


@runtime_checkable
class Context(Protocol):
    """What the interface offers above level 0; see `irtjax.cegar.LEVELS`."""

    visible_inputs: list[tuple[Any, ...]]
    inputs: list[tuple[Any, ...]]
    peers: list[str]

    def run(self, code: str, arguments: tuple[Any, ...]) -> Any:
        """Return what one call of a program showed, with `.kind` and `.text`."""

    def trace(self, code: str, arguments: tuple[Any, ...]) -> dict[int, int]:
        """Return how often each line of a program ran, by line number from 1."""
        ...
