"""Formulas over atoms: what the grammar enumerates, and the Python it turns into."""

import textwrap
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from .._operator import Operator
from ..atoms import Atom

SHAPES = (
    "{0}",
    "{0} and {1}",
    "{0} or {1}",
    "{0} and {1} and {2}",
    "{0} or {1} or {2}",
    "({0} and {1}) or {2}",
    "({0} or {1}) and {2}",
)
"""How literals join, in Python's words. `not` needs none: a literal has two sides."""


class Literal(NamedTuple):
    """An atom on one side of a threshold.

    Attributes:
        atom: its name.
        above: whether values above the threshold are meant, or those at most it.
        threshold: in the atom's units.
    """

    atom: str
    above: bool
    threshold: float

    def says(self) -> str:
        """Return the literal as Python."""
        return f"{self.atom} {'>' if self.above else '<='} {self.threshold!r}"


class Formula(NamedTuple):
    """Up to three literals, joined.

    Attributes:
        shape: of `SHAPES`.
        literals: as many as the shape has places.
    """

    shape: str
    literals: tuple[Literal, ...]

    def says(self) -> str:
        """Return the formula as Python."""
        return self.shape.format(*(literal.says() for literal in self.literals))


def literal_flags(
    literals: list[Literal], values: Mapping[str, Float[np.ndarray, " candidate"]]
) -> Bool[np.ndarray, "literal candidate"]:
    """Return where literals hold; an atom that cannot tell holds on neither side.

    Args:
        literals: at least one.
        values: of each atom.
    """
    return np.stack(
        [
            values[name] > threshold if above else values[name] <= threshold
            for name, above, threshold in literals
        ]
    )


def render(formula: Formula, atoms: Mapping[str, Atom]) -> Operator:
    """Return the operator that flags where a formula holds.

    It abstains where one of its atoms cannot tell.

    Args:
        formula: over atoms of `atoms`.
        atoms: by name; their source becomes part of the operator's.
    """
    names = list(dict.fromkeys(literal.atom for literal in formula.literals))
    level = max(atoms[name].level for name in names)
    context = "ctx" if level else "None"
    parts = [textwrap.dedent(atoms[name].source).strip() for name in names]
    lines = [
        f"def operator(task, code{', ctx' if level else ''}):",
        f'    """Flag if {formula.says()}."""',
        *(f"    {name}_ = {name}(task, code, {context})" for name in names),
        f"    if {' or '.join(f'{name}_ is None' for name in names)}:",
        '        return "ABSTAIN"',
        f'    return "FLAG" if {_values(formula)} else "PASS"',
    ]
    source = "\n\n\n".join([*parts, "\n".join(lines)]) + "\n"
    return Operator(formula.says(), source, "operator", level, _defect(formula, atoms))


def _values(formula: Formula) -> str:
    """Return the formula over the local variables that hold the atoms' values."""
    renamed = [
        literal._replace(atom=f"{literal.atom}_") for literal in formula.literals
    ]
    return Formula(formula.shape, tuple(renamed)).says()


def _defect(formula: Formula, atoms: Mapping[str, Atom]) -> str:
    names = dict.fromkeys(literal.atom for literal in formula.literals)
    return "; ".join(atoms[name].says for name in names)
