"""A table's observed cells with their mean outcomes, and means over groups of them."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from ._responses import AbstractResponses, LongResponses


class CellMeans(NamedTuple):
    """The observed cells, each once, in row-major order.

    Attributes:
        system: of each cell.
        item: of each cell.
        score: its mean outcome, from 0 to 1, higher is better.
    """

    system: Int[np.ndarray, " cell"]
    item: Int[np.ndarray, " cell"]
    score: Float[np.ndarray, " cell"]


def cell_means(responses: AbstractResponses) -> CellMeans:
    """Return the observed cells of one table without making a sparse one dense."""
    if not isinstance(responses, LongResponses):
        system, item = np.nonzero(np.asarray(responses.observed()))
        score = np.asarray(responses.mean_score(), float)[system, item]
        return CellMeans(system, item, score)
    n_item = responses.n_item
    code = np.asarray(responses.system_index, np.int64) * n_item
    # A pair may stand in several rows, which add up.
    cell, row = np.unique(code + np.asarray(responses.item_index), return_inverse=True)
    trials = np.bincount(row, np.asarray(responses.trials, float), len(cell))
    successes = np.bincount(row, np.asarray(responses.successes, float), len(cell))
    seen = trials > 0
    cell = cell[seen]
    return CellMeans(cell // n_item, cell % n_item, successes[seen] / trials[seen])


def group_mean(
    group: Int[np.ndarray, " cell"], score: Float[np.ndarray, " cell"], n_group: int
) -> Float[np.ndarray, " group"]:
    """Return each group's mean score; NaN for one without a cell."""
    count = np.bincount(group, minlength=n_group)
    total = np.bincount(group, weights=score, minlength=n_group)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)
