"""How hard a word problem is, in four whole numbers."""

from dataclasses import dataclass, fields, replace

import numpy as np


@dataclass(frozen=True)
class Knobs:
    """Difficulty of a word problem.

    Attributes:
        steps: operations to carry out, 1 to 5.
        digits: of the numbers added and taken, 1 to 4.
        carries: how many of the additions and subtractions carry or borrow, at least.
        distractors: numbers that do not matter, 0 to 3.
    """

    steps: int
    digits: int
    carries: int
    distractors: int

    def __post_init__(self):
        for field in fields(self):
            least, most = LIMITS[field.name]
            value = getattr(self, field.name)
            if not least <= value <= most:
                raise ValueError(
                    f"`{field.name}` goes from {least} to {most}, got {value}."
                )


LIMITS = {"steps": (1, 5), "digits": (1, 4), "carries": (0, 5), "distractors": (0, 3)}
"""Least and largest value of each knob."""

_EVERYDAY = {
    "steps": (1, 3),
    "digits": (1, 3),
    "carries": (0, 1),
    "distractors": (0, 1),
}
"""Where the knobs of everyday questions lie."""


def draw_knobs(rng: np.random.Generator) -> Knobs:
    """Return the difficulty of an everyday question, each knob even over its range.

    Args:
        rng: what draws.
    """
    return Knobs(
        **{
            name: int(rng.integers(*span, endpoint=True))
            for name, span in _EVERYDAY.items()
        }
    )


def harder(knobs: Knobs, rng: np.random.Generator) -> Knobs:
    """Return a difficulty that is equal, or higher in one knob by one.

    Args:
        knobs: what to start from.
        rng: what draws which knob, or none; one that is at its limit stays there.
    """
    names = [field.name for field in fields(knobs)]
    chosen = int(rng.integers(len(names) + 1))
    if chosen == len(names):
        return knobs
    name = names[chosen]
    return replace(knobs, **{name: min(getattr(knobs, name) + 1, LIMITS[name][1])})
