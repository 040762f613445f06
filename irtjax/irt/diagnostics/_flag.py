"""What is said of a system, an item or a whole table that should not be read blindly."""

import dataclasses
from collections.abc import Hashable, Iterable, Sequence
from typing import Literal

import numpy as np

KINDS = {
    "no data": "nothing was observed: every number about it is its prior's",
    "constant": "every outcome is the same: no slope, and only a bound for the difficulty",
    "perfect": "every outcome is the best there is: the data set no upper limit",
    "zero": "every outcome is the worst there is: the data set no lower limit",
    "few cells": "hardly a cell could have come out either way",
    "duplicate": "the same outcomes throughout, far too alike for chance",
    "reversed": "better systems do worse on it: a wrong key, or a turned scale",
    "disconnected": "no chain of shared items leads to the rest: scales not comparable",
    "not converged": "the fit ended before its optimum: its numbers mean nothing",
    "upside down": "abilities fall as scores rise: turn the signs of all of them",
    "error not known": "the information is not positive definite: no standard errors",
    "at prior": "estimate and error are the prior's: the data had no say",
}
"""The kinds of flags and what each means."""

_SHOWN = 5


@dataclasses.dataclass(frozen=True)
class Flag:
    """One remark about the data or a fit.

    Attributes:
        kind: one of `KINDS`.
        about: what the ids are of.
        ids: as the table holds them, or positions where there was no table: one, or all
            members of a group (duplicates, systems cut off); none for the whole table.
        figure: the number behind the remark; what it counts depends on the kind.
        message: what it means and what to do, in full sentences.
    """

    kind: str
    about: Literal["system", "item", "table"]
    ids: tuple[Hashable, ...]
    figure: float
    message: str


def summarise_flags(flags: Sequence[Flag]) -> tuple[str, ...]:
    """Return one line a kind, with how many there are and the first ids."""
    lines = []
    for kind, meaning in KINDS.items():
        for about in ("system", "item", "table"):
            own = [flag for flag in flags if (flag.kind, flag.about) == (kind, about)]
            if not own:
                continue
            if about == "table":
                lines.append(f"{kind.capitalize()}: {own[0].message}")
                continue
            # One id may have several flags of a kind, one for each parameter.
            ids = list(dict.fromkeys(each for flag in own for each in flag.ids))
            words = about if len(ids) == 1 else f"{about}s"
            lines.append(
                f"{kind.capitalize()}, {len(ids):,} {words} ({meaning}): {listed(ids)}."
            )
    return tuple(lines)


def listed(ids: Iterable[Hashable]) -> str:
    """Return ids in one line, the first few of many."""
    names = [shown(each) for each in ids]
    if len(names) <= _SHOWN:
        return ", ".join(names)
    return f"{', '.join(names[:_SHOWN])} and {len(names) - _SHOWN:,} more"


def shown(identifier: Hashable) -> str:
    """Return an id so that '7' and 7 differ and NumPy's types do not show."""
    value = identifier.item() if isinstance(identifier, np.generic) else identifier
    return repr(value)
