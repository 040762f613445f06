"""Every published number that a verdict compares with, in one place, with its source.

Source of all of them: Kang (2026), "The Scaling Law of Evaluation Failure",
arXiv:2605.11205, its text and its author's published outputs (CC BY 4.0). Numbers of
the plain average and of its regressions follow from `grid_summary.csv` of those
outputs, whose conditions are all 15 values of S by all 10 of D.
"""

from dataclasses import dataclass

from irtjax.data import published


@dataclass(frozen=True)
class Number:
    """A published number.

    Attributes:
        value: as printed.
        digits: how many decimals were printed, so how far ours has to agree.
    """

    value: float
    digits: int

    def __str__(self) -> str:
        return f"{self.value:.{self.digits}f}"

    def agrees(self, ours: float) -> bool:
        """Return whether ours, rounded to the printed digits, is the printed number."""
        return bool(abs(round(ours, self.digits) - self.value) < 0.1 * 10**-self.digits)


GRID = tuple((cell.sparsity, cell.gap) for cell in published.conditions())
"""Sparsity and gap of every condition, S-major."""

CELLS = len(GRID)
SIZE = (published.N_SYSTEM, published.N_ITEM, published.N_TRIAL)
"""Systems, items and trials a cell."""

SEEDS = published.N_SEED
MEAN_DIGITS = 4
"""Decimals of the published cell means, from which the regressions were computed."""

SURFACE = {
    "assortative": {
        "intercept": Number(0.06155, 5),
        "S": Number(0.28142, 5),
        "D": Number(0.04329, 5),
        "S x D": Number(0.19857, 5),
        "t of S x D": Number(13.05, 2),
        "R squared": Number(0.7772, 4),
    },
    "mcar": {
        "intercept": Number(0.03139, 5),
        "S": Number(0.12683, 5),
        "D": Number(0.01633, 5),
        "S x D": Number(0.06330, 5),
        "t of S x D": Number(15.49, 2),
        "R squared": Number(0.8778, 4),
    },
}
"""Ordinary least squares of a cell's error of the plain average, by mask."""

POWER_LAW = {
    "alpha": Number(0.0262, 4),
    "beta": Number(1.8334, 4),
    "R squared": Number(0.5870, 4),
}
"""Error = alpha (S D)^beta under the assortative mask."""

POWER_LAW_CELLS = 129

LOWEST_AVERAGE = {"assortative": Number(0.242, 3), "mcar": Number(0.770, 3)}
"""The lowest cell mean of the plain average's rho, by mask."""

TWO_PL_FLOOR = (0.993, 0.996)
"""Claimed: the 2PL's rho is at least this in all conditions."""

TWO_PL_UNFITTED = 1.0
"""At S = 0 the published rho of the 2PL was set to this, without a fit."""
