"""The operators that were written by hand, read as texts and never imported."""

import ast
import functools
from importlib.resources import files

from .._levels import LEVELS
from .._operator import Operator
from ._source import offers_used

_COMPARATOR = "comparator"


@functools.cache
def hand_written() -> tuple[Operator, ...]:
    """Return 15 operators, 10 of an answer's text and 5 of its runs, by name.

    Each looks for one named defect. They define the first signatures and are the human
    baseline.
    """
    found = (
        entry.name
        for entry in files("irtjax.cegar.operators").joinpath("sources").iterdir()
    )
    names = sorted(name[:-3] for name in found if name.endswith(".py"))
    return tuple(_read(n) for n in names if n not in ("__init__", _COMPARATOR))


@functools.cache
def comparator() -> Operator:
    """Return the operator that flags who differs from most peers on a perturbed input."""
    return _read(_COMPARATOR)


def _read(name: str) -> Operator:
    path = files("irtjax.cegar.operators").joinpath("sources").joinpath(f"{name}.py")
    source = path.read_text("utf-8")
    used = offers_used(source)
    level = next(number for number in sorted(LEVELS) if used <= LEVELS[number].offers)
    defect = (ast.get_docstring(ast.parse(source)) or "").split("\n\n")[0]
    return Operator(name.replace("_", " "), source, "operator", level, defect)
