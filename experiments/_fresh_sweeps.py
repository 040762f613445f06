"""Published numbers against fresh data: where each lies among sweeps of its own size.

On other draws no number is met to its printed digits, so each is compared with the
range of what sweeps of as many seeds as the published one give.
"""

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import polars as pl

from irtjax.report import Verdict

from . import _published_claims as published
from ._tables import Cells, cells


def sweeps_of(runs: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Yield the runs of each whole sweep of 15 seeds: 0 to 14, 15 to 29, ..."""
    count = runs["seed"].n_unique()
    for first in range(0, count - published.SEEDS + 1, published.SEEDS):
        last = first + published.SEEDS - 1
        yield runs.filter(pl.col("seed").is_between(first, last))


def range_verdicts(
    runs: pl.DataFrame,
    mask: str,
    claim: str,
    numbers: Mapping[str, published.Number],
    measure: Callable[[Cells], Mapping[str, float]],
) -> Iterator[Verdict]:
    """Yield whether each published number lies within the range of fresh sweeps.

    Args:
        runs: rows of `_tables.RUN`.
        mask: whose runs count.
        claim: what the numbers are of; each one's name is added.
        numbers: published, by name.
        measure: gives our numbers, under the same names, from one sweep's cell means
            of the plain average.
    """
    of_mask = runs.filter(pl.col("mask") == mask)
    found = [measure(cells(sweep, mask, "average")) for sweep in sweeps_of(of_mask)]
    for name, number in numbers.items():
        sentence = f"{claim}: {name}, on fresh data"
        if len(found) < 2:
            why = f"Needs two sweeps of {published.SEEDS} seeds; there is {len(found)}."
            yield Verdict(sentence, str(number), "-", "not run", why)
            continue
        values = np.array([each[name] for each in found])
        low, high = values.min(), values.max()
        inside = low <= number.value <= high
        yield Verdict(
            sentence,
            str(number),
            f"{values.mean():.4f} ({low:.4f} to {high:.4f})",
            "holds" if inside else "does not hold",
            f"Mean and range of {len(found)} fresh sweeps of {published.SEEDS} seeds; "
            f"the published value is {'within' if inside else 'outside'} the range.",
        )
