"""One line from a data frame, a file or a matrix to a ranking."""

import os
from pathlib import Path
from typing import Any

import jax
import numpy as np

from irtjax.data import ResponseTable, read_table, table_from_frame, table_from_matrix

from ._rank_table import rank_table
from ._ranker import AbstractRanker
from ._ranking import Ranking
from ._registry import DEFAULT_RANKER


def rank(
    data: Any,
    *,
    ranker: str | AbstractRanker = DEFAULT_RANKER,
    level: float | int = 0.95,
    seed: int = 0,
    **reading: Any,
) -> Ranking:
    """Return the systems of a table ranked, best first in `ranking.to_frame()`.

    Computes in 64-bit whatever the precision set for the rest of the program, which
    stays as it is. `data` is not changed.

    Args:
        data: a pandas, polars or pyarrow data frame, the path of a file, a matrix with
            systems in rows, or a `ResponseTable`.
        ranker: a name out of `irtjax.ranking.RANKERS`, or a ranker.
        level: coverage of every interval, within (0, 1).
        seed: of the draws behind rank intervals; the same seed gives the same result.
        **reading: how to understand the data, as `irtjax.data.read_table` takes it:
            `systems_in`, `score_is`, `trials`, `duplicates` and so on. For a
            `ResponseTable`, which is understood already, only `trials`, as `rank_table`
            takes it.

    Raises:
        ValueError: data that cannot be understood, with the row and column to look at.
    """
    with jax.enable_x64(True):
        if isinstance(data, ResponseTable):
            return rank_table(data, ranker=ranker, level=level, seed=seed, **reading)
        if isinstance(data, str | os.PathLike):
            table = read_table(Path(data), **reading)
        elif isinstance(data, np.ndarray | jax.Array):
            table = table_from_matrix(np.asarray(data), **reading)
        else:
            table = table_from_frame(data, **reading)
        return rank_table(table, ranker=ranker, level=level, seed=seed)
