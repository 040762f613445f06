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
    literals: list[Literal],
    flags: Bool[np.ndarray, "literal candidate"],
    worth: Float[np.ndarray, " candidate"],
    most: int,
) -> Int[np.ndarray, " kept"]:
    """Return the literals whose flags are worth most, each flag set once.

    Args:
        literals: with their flags.
        flags: of each literal.
        worth: of flagging each answer; right ones have a negative one.
        most: how many to keep.

    Returns:
        Indices, best first.
    """
    score = _score(flags, worth)
    order = np.lexsort((np.arange(len(literals)), -score))
    _, first = np.unique(np.packbits(flags[order], axis=1), axis=0, return_index=True)
    return order[np.sort(first)[:most]]


def enumerate_formulas(
    literals: list[Literal],
    values: Mapping[str, Float[np.ndarray, " candidate"]],
    worth: Float[np.ndarray, " candidate"],
    *,
    size: int,
    wide: int,
    narrow: int,
) -> Found:
    """Return formulas of up to `size` literals that flag different answers.

    All joins of two among the best `wide` literals; of three, those of the `narrow` best
    pairs with each of the best `narrow` literals.

    Args:
        literals: to join, see `make_literals`.
        values: of each atom.
        worth: of flagging each answer, which ranks literals and pairs.
        size: 1, 2 or 3 literals.
        wide: literals joined in pairs.
        narrow: pairs and literals joined in triples.

    Raises:
        ValueError: another size.
    """
    if size not in (1, 2, 3):
        raise ValueError(f"A formula joins 1, 2 or 3 literals, got {size}.")
    flags = literal_flags(literals, values)
    kept = best_literals(literals, flags, worth, wide)
    one = [Formula(SHAPES[0], (literals[number],)) for number in kept]
    known = _Known()
    known.add(one, flags[kept])
    # An atom that cannot tell makes the operator abstain, also behind an `or`.
    told = np.stack([np.isfinite(values[literals[n].atom]) for n in kept])
    if size > 1:
        known.add(*_joined(literals, kept, flags[kept], told, range(len(kept))))
    if size > 2:
        pairs = known.best(worth, narrow, start=len(one))
        known.add(*_extended(pairs, literals, kept[:narrow], flags, told, values))
    return known.found()


class _Known:
    """Formulas by their flags."""

    def __init__(self):
        self.formulas: list[Formula] = []
        self.flags: list[np.ndarray] = []
        self.seen: set[bytes] = set()

    def add(self, formulas, flags):
        packed = np.packbits(flags, axis=1)
        for formula, row, bits in zip(formulas, flags, packed, strict=True):
            key = bits.tobytes()
            if key not in self.seen and row.any() and not row.all():
                self.seen.add(key)
                self.formulas.append(formula)
                self.flags.append(row)

    def best(self, worth, most, *, start):
        """Return the worthiest formulas from place `start` on, with their flags."""
        part = np.array(self.flags[start:]).reshape(-1, len(worth))
        order = np.argsort(-_score(part, worth), kind="stable")[:most]
        return [(self.formulas[start + n], self.flags[start + n]) for n in order]

    def found(self) -> Found:
        empty = np.zeros((0, 0), np.bool_)
        return Found(self.formulas, np.array(self.flags) if self.flags else empty)


def _joined(literals, kept, flags, told, places):
    """Return all joins of two literals and their flags."""
    formulas, rows = [], []
    for i, j in itertools.combinations(places, 2):
        pair = (literals[kept[i]], literals[kept[j]])
        both = told[i] & told[j]
        formulas += [Formula(SHAPES[1], pair), Formula(SHAPES[2], pair)]
        rows += [flags[i] & flags[j], (flags[i] | flags[j]) & both]
    return formulas, np.array(rows).reshape(len(formulas), flags.shape[1])


def _extended(pairs, literals, kept, flags, told, values):
    """Return joins of pairs with one more literal and their flags."""
    formulas, rows = [], []
    for pair, row in pairs:
        both = np.all(
            [np.isfinite(values[part.atom]) for part in pair.literals], axis=0
        )
        anded = pair.shape == SHAPES[1]
        with_and, with_or = (SHAPES[3], SHAPES[5]) if anded else (SHAPES[6], SHAPES[4])
        for place, number in enumerate(kept):
            third = literals[number]
            if third in pair.literals:
                continue
            joined = (*pair.literals, third)
            formulas += [Formula(with_and, joined), Formula(with_or, joined)]
            can = both & told[place]
            rows += [row & flags[number] & can, (row | flags[number]) & can]
    n_candidate = flags.shape[1]
    return formulas, np.array(rows).reshape(len(formulas), n_candidate)


def _score(flags, worth) -> Float[np.ndarray, " formula"]:
    """Return what is flagged is worth, in units of its root sum of squares."""
    spread = np.sqrt(flags @ worth**2)
    return np.divide(flags @ worth, spread, out=np.zeros(len(flags)), where=spread > 0)


def _short(low: float, high: float) -> float:
    """Return a number from `low` to below `high` with few digits, near the middle."""
    middle = low + (high - low) / 2
    for digits in range(1, 17):
        short = float(f"{middle:.{digits}g}")
        if low <= short < high:
            return short
    return float(low)
