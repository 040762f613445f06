"""What a task of the project's own suite is made of."""

import ast
import inspect
import random
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..._task import Check


@dataclass(frozen=True)
class OwnTask:
    """A task written here, as a function that solves it.

    Attributes:
        solution: its docstring asks, its name is the entry point, its body is the
            reference.
        checks: visible examples, as texts of assertions.
        edges: arguments for the hidden checks, chosen to be awkward.
        draw: makes more of them.
    """

    solution: Callable[..., Any]
    checks: tuple[str, ...]
    edges: tuple[tuple[Any, ...], ...]
    draw: Callable[[random.Random], tuple[Any, ...]]

    @property
    def name(self) -> str:
        """Return the entry point."""
        return self.solution.__name__

    @property
    def prompt(self) -> str:
        """Return the task as an answerer sees it: a header with what to do under it."""
        header = self._function()
        header.body = header.body[:1]
        return ast.unparse(header) + "\n"

    @property
    def source(self) -> str:
        """Return the reference solution, without what the prompt says already."""
        function = self._function()
        function.body = function.body[1:]
        return ast.unparse(function) + "\n"

    @property
    def visible(self) -> tuple[Check, ...]:
        """Return the visible examples with the arguments of their calls."""
        return tuple(Check(text, _arguments(text)) for text in self.checks)

    def hidden(self, drawn: int = 24) -> tuple[tuple[Any, ...], ...]:
        """Return the hidden inputs: the awkward ones and `drawn` random ones.

        They are the same in every process. Expected outputs are what the reference
        returns.
        """
        source = random.Random(self.name)
        return self.edges + tuple(self.draw(source) for _ in range(drawn))

    def _function(self) -> ast.FunctionDef:
        source = textwrap.dedent(inspect.getsource(inspect.unwrap(self.solution)))
        found = ast.parse(source).body[0]
        assert isinstance(found, ast.FunctionDef)
        return found


def _arguments(assertion: str) -> tuple[Any, ...]:
    """The arguments in a text like `assert f(1, [2]) == 3`."""
    statement = ast.parse(assertion).body[0]
    assert isinstance(statement, ast.Assert)
    assert isinstance(statement.test, ast.Compare)
    assert isinstance(statement.test.left, ast.Call)
    return tuple(ast.literal_eval(argument) for argument in statement.test.left.args)
