"""Enumeration of formulas: every join of the most telling literals, each flag set once."""

import itertools
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from ._formula import SHAPES, Formula, Literal, literal_flags

QUANTILES = tuple(np.arange(1, 10) / 10)
"""Where an atom's values are cut."""


class Found(NamedTuple):
    """Formulas that flag different answers, smaller ones first.

    Attributes:
        formulas: each the first with its flags.
        flags: of each.
    """

    formulas: list[Formula]
    flags: Bool[np.ndarray, "formula candidate"]


def make_literals(
    values: Mapping[str, Float[np.ndarray, " candidate"]],
) -> list[Literal]:
    """Return both sides of each atom's thresholds.

    Args:
        values: of each atom on the training answers; nan where it cannot tell.

    Returns:
        Thresholds lie half-way between neighbouring values: at all of them where there
        are ten values or fewer, else at those nearest to `QUANTILES`.
    """
    literals = []
    for name, column in values.items():
        distinct, times = np.unique(column[np.isfinite(column)], return_counts=True)
        if len(distinct) < 2:
            continue
        cut = np.arange(len(distinct) - 1)
        if len(distinct) > 10:
            share = np.cumsum(times) / times.sum()
            cut = np.unique(np.searchsorted(share, QUANTILES).clip(0, cut[-1]))
        for place in cut:
            low, high = distinct[place], distinct[place + 1]
            threshold = _short(low, high)
            literals += [Literal(name, side, threshold) for side in (False, True)]
    return literals


def best_literals(
    flags: Bool[np.ndarray, "literal candidate"],
    score: Int[np.ndarray, " literal"],
    most: int,
) -> Int[np.ndarray, " kept"]:
    """Return the literals with the highest score, each flag set once.

    Args:
        flags: of each literal.
        score: such as `splits`; literals with none are left out.
        most: how many to keep.

    Returns:
        Indices, best first.
    """
    order = np.argsort(-score, kind="stable")[: int((score > 0).sum())]
    return order[_first_of_each(flags[order])[:most]]


def enumerate_formulas(
    literals: list[Literal],
    values: Mapping[str, Float[np.ndarray, " candidate"]],
    score: Int[np.ndarray, " literal"],
    *,
    size: int,
    wide: int,
    narrow: int,
) -> Found:
    """Return formulas of up to `size` literals that flag different answers.

    All joins of two among the `wide` literals with the highest score, and of three among
    the `narrow` highest. The score must not depend on the truth: a search among formulas
    that truth favours would pass for luck that a shuffled truth cannot match.

    Args:
        literals: to join, see `make_literals`.
        values: of each atom.
        score: of each literal, see `splits`.
        size: 1, 2 or 3 literals.
        wide: literals joined in pairs.
        narrow: literals joined in triples.

    Raises:
        ValueError: another size.
    """
    if size not in (1, 2, 3):
        raise ValueError(f"A formula joins 1, 2 or 3 literals, got {size}.")
    every = literal_flags(literals, values)
    kept = best_literals(every, score, wide)
    flags = every[kept]
    # An atom that cannot tell makes the operator abstain, also behind an `or`.
    told = np.stack([np.isfinite(values[literals[number].atom]) for number in kept])
    places, shapes, rows = [np.arange(len(kept))[:, None]], [SHAPES[0]], [flags]
    if size > 1:
        pair = np.array(list(itertools.combinations(range(len(kept)), 2)), np.int64)
        for shape in SHAPES[1:3]:
            places.append(pair.reshape(-1, 2))
            shapes.append(shape)
            rows.append(_joined(shape, places[-1], flags, told))
    if size > 2:
        few = range(min(narrow, len(kept)))
        triple = np.array(list(itertools.combinations(few, 3)), np.int64).reshape(-1, 3)
        for shape in SHAPES[3:]:
            turns = ((0, 1, 2),) if shape in SHAPES[3:5] else _TURNS
            for turn in turns:
                places.append(triple[:, turn])
                shapes.append(shape)
                rows.append(_joined(shape, places[-1], flags, told))
    every_row = np.concatenate(rows)
    mixed = every_row.any(axis=1) & ~every_row.all(axis=1)
    (number,) = np.nonzero(mixed)
    number = number[_first_of_each(every_row[number])]
    ends = np.cumsum([len(block) for block in places])
    return Found(
        [_formula(int(n), ends, shapes, places, kept, literals) for n in number],
        every_row[number],
    )


_TURNS = ((0, 1, 2), (0, 2, 1), (1, 2, 0))  # which of three stands apart


def _formula(number, ends, shapes, places, kept, literals) -> Formula:
    """Return the formula at a place among all blocks of joins."""
    block = int(np.searchsorted(ends, number, side="right"))
    row = places[block][number - (ends[block - 1] if block else 0)]
    return Formula(shapes[block], tuple(literals[kept[place]] for place in row))


def _joined(shape, places, flags, told) -> Bool[np.ndarray, "formula candidate"]:
    """Return the flags of joins of one shape."""
    first, second, *third = (flags[column] for column in places.T)
    can = np.all([told[column] for column in places.T], axis=0)
    if shape == SHAPES[1]:
        return first & second
    if shape == SHAPES[2]:
        return (first | second) & can
    if shape == SHAPES[3]:
        return first & second & third[0]
    if shape == SHAPES[4]:
        return (first | second | third[0]) & can
    if shape == SHAPES[5]:
        return ((first & second) | third[0]) & can
    return (first | second) & third[0] & can


def _first_of_each(
    flags: Bool[np.ndarray, "row candidate"],
) -> Int[np.ndarray, " kept"]:
    """Return the first row of each flag set, in order."""
    packed = np.ascontiguousarray(np.packbits(flags, axis=1))
    if not packed.size:
        return np.zeros(0, np.int64)
    rows = packed.view(np.dtype((np.void, packed.shape[1])))[:, 0]
    _, first = np.unique(rows, return_index=True)
    return np.sort(first)


def _short(low: float, high: float) -> float:
    """Return a number from `low` to below `high` with few digits, near the middle."""
    middle = low + (high - low) / 2
    for digits in range(1, 17):
        short = float(f"{middle:.{digits}g}")
        if low <= short < high:
            return short
    return float(low)
