"""The four domains: their published truths, designs and figures.

Source: Kang (2026), "The Scaling Law of Evaluation Failure", arXiv:2605.11205. The
abilities, but for those of two systems, and the masks are published nowhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ._published_claims import Number

SEEDS = 20
"""Data sets behind each published mean."""

BEST = 2.0
"""Ability of the best system, in logits; it is the "True" one where there is a fake."""

TRUE_ITEMS = (2, 3, 4, 5)
"""Items, counted from 0, that the best system is seen on where there is a fake."""

FAKE_ITEMS = (0, 1, 2)
"""Items that the fake, a middling system on easy items only, is seen on."""


@dataclass(frozen=True)
class Domain:
    """One published domain.

    Attributes:
        systems: how many.
        trials: answers a cell.
        coverage: share of cells observed, of the systems but the two planted ones.
        difficulty: of the items, in logits.
        discrimination: of the items.
        fake: the fake's ability in logits; None where nothing is planted.
        average: published mean rho of the average, and its standard deviation.
        two_pl: the same of the paper's IRT; a deviation of None is not printed.
    """

    systems: int
    trials: int
    coverage: float
    difficulty: tuple[float, ...]
    discrimination: tuple[float, ...]
    fake: float | None
    average: tuple[Number, float | None]
    two_pl: tuple[Number, float | None]


ONE = Number(1.0, 3)
DOMAINS: Mapping[str, Domain] = MappingProxyType(
    {
        "nlp": Domain(
            12,
            500,
            1.0,
            (-0.72, -0.55, -0.20, -0.10, 0.15, 0.30, 0.65, 0.89),
            (1.08, 1.45, 2.10, 1.85, 1.60, 1.95, 2.50, 3.21),
            None,
            (ONE, 0.0),
            (ONE, None),
        ),
        "clinical": Domain(
            10,
            200,
            0.65,
            (-1.0, -0.5, 0.0, 0.5, 1.0, 1.5),
            (1.2, 1.5, 2.0, 2.5, 2.8, 3.0),
            -0.2,
            (Number(0.922, 3), 0.029),
            (Number(0.996, 3), 0.005),
        ),
        "driving": Domain(
            10,
            1000,
            0.60,
            (-1.5, -0.5, 0.2, 0.5, 0.75, 1.0),
            (1.56, 2.10, 2.45, 3.69, 2.90, 2.50),
            -0.3,
            (Number(0.916, 3), 0.016),
            (ONE, None),
        ),
        "cyber": Domain(
            8,
            500,
            0.67,
            (-1.5, -0.8, -0.3, 0.5, 1.2, 2.0),
            (1.0, 1.5, 1.8, 2.5, 3.0, 3.5),
            -0.5,
            (Number(0.809, 3), 0.0),
            (ONE, None),
        ),
    }
)
"""Domains by the name that `domain=[...]` takes."""
