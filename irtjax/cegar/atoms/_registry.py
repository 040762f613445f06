"""The atoms by name, with the text that rendered operators carry."""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType

from .._levels import LEVELS

FILES = ("_shape.py", "_idioms.py", "_own.py", "_peers.py", "_traces.py")
"""Where atoms of programs are: every public function of these files is one."""

TEXT_FILES = ("_text.py",)
"""Where atoms of answers in words are."""


@dataclass(frozen=True)
class Atom:
    """A number that can be read off one answer.

    Attributes:
        name: also of the function in its source.
        source: that function's text, which needs nothing around it. It is called as
            `name(task, code, ctx)`, with None for `ctx` at level 0, and returns a
            number, or None where it cannot tell.
        level: the lowest of the interface that offers all it uses.
        behaviour: whether it looks at runs, not at texts alone.
        says: what it measures, in a sentence.
    """

    name: str
    source: str
    level: int
    behaviour: bool
    says: str


def atoms_of(text: str) -> dict[str, Atom]:
    """Return the public functions of a module's text as atoms.

    Level and kind are read off the members of `ctx` that a function uses, so they
    cannot be declared wrongly.

    Args:
        text: of a module whose public functions take `(task, code, ctx)`.

    Raises:
        ValueError: a function takes other arguments or has no docstring.
    """
    found = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            names = [argument.arg for argument in node.args.args]
            says = (ast.get_docstring(node) or "").split("\n")[0]
            if names != ["task", "code", "ctx"] or not says:
                raise ValueError(
                    f"An atom takes (task, code, ctx) and has a docstring; {node.name} "
                    f"takes ({', '.join(names)})."
                )
            used = _used(node)
            level = next(n for n in sorted(LEVELS) if used <= LEVELS[n].offers)
            source = ast.get_source_segment(text, node)
            assert source is not None
            found[node.name] = Atom(
                node.name, source + "\n", level, bool(used & {"run", "trace"}), says
            )
    return found


def _used(function: ast.FunctionDef) -> set[str]:
    return {
        node.attr
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "ctx"
    }


def _collect(files: Iterable[str]) -> Mapping[str, Atom]:
    found: dict[str, Atom] = {}
    for name in files:
        more = atoms_of(
            resources.files("irtjax.cegar.atoms").joinpath(name).read_text("utf-8")
        )
        twice = sorted(found.keys() & more.keys())
        if twice:
            raise ValueError(f"{name} defines {twice[0]}, which is an atom already.")
        found |= more
    return MappingProxyType(found)


ATOMS: Mapping[str, Atom] = _collect(FILES)
"""Atoms of programs by name, in the order of the files."""

TEXT_ATOMS: Mapping[str, Atom] = _collect(TEXT_FILES)
"""Atoms of answers in words by name. Of programs they would measure names and layout."""

ALL_ATOMS: Mapping[str, Atom] = _collect((*FILES, *TEXT_FILES))
"""Atoms of both kinds by name."""
