"""Figures stated, before these grids existed, about data the paper did not ask about.

They were measured by a separate implementation, 30 data sets a figure, on 10 systems by
10 items; the grids put their own measurements beside them.
"""

from ._published_claims import Number

SEEDS = 30

FEW_TRIALS_CEILING = 0.993
"""Nothing reaches this mean rho with one answer a cell."""

SHRINKAGE_LOSES = (1, 2, 5)
"""Answers a cell with which the 2PL is below least squares on logits, S = .5."""

BLOCKS = {
    ("two_pl", 1.0, 0): Number(0.67, 2),
    ("average", 1.0, 0): Number(0.99, 2),
    ("two_pl", 3.0, 0): Number(0.525, 3),
    ("average", 3.0, 0): Number(0.765, 3),
    ("two_pl", 3.0, 1): Number(0.92, 2),
    ("two_pl", 3.0, 2): Number(0.98, 2),
    ("two_pl", 3.0, 4): Number(0.996, 3),
    ("two_pl", 3.0, 8): Number(1.0, 3),
}
"""Mean rho by ranker, gap in logits, and cells between two blocks."""

MISFIT = {(0.5, 3.0): (0.94, 0.999), (0.7, 5.0): (0.86, 0.98)}
"""Lowest and highest mean rho of the 2PL over misfits, by sparsity and gap."""
