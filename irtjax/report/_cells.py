"""A table's observed cells as plain arrays, and means over groups of them."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from irtjax.data import LongResponses, ResponseTable


class Cells(NamedTuple):
    """The observed cells, one a row, with their mean scores."""

    system: Int[np.ndarray, " cell"]
    item: Int[np.ndarray, " cell"]
    score: Float[np.ndarray, " cell"]


def observed_cells(table: ResponseTable) -> Cells:
    """Return the observed cells without ever making a sparse table dense."""
    responses = table.responses
    if isinstance(responses, LongResponses):
        n_item = responses.n_item
        code = np.asarray(responses.system_index, np.int64) * n_item
        code = code + np.asarray(responses.item_index)
        # A pair may stand in several rows, which add up.
        cell, row = np.unique(code, return_inverse=True)
        trials = np.bincount(row, np.asarray(responses.trials, float), len(cell))
        successes = np.bincount(row, np.asarray(responses.successes, float), len(cell))
        seen = trials > 0
        cell = cell[seen]
        return Cells(cell // n_item, cell % n_item, successes[seen] / trials[seen])
    system, item = np.nonzero(np.asarray(responses.observed()))
    score = np.asarray(responses.mean_score(), float)[system, item]
    return Cells(system, item, score)


def group_mean(
    group: Int[np.ndarray, " cell"], score: Float[np.ndarray, " cell"], n_group: int
) -> Float[np.ndarray, " group"]:
    """Return each group's mean score; NaN for one without a cell."""
    count = np.bincount(group, minlength=n_group)
    total = np.bincount(group, weights=score, minlength=n_group)
    return np.where(count > 0, total / np.where(count > 0, count, 1), np.nan)
