"""Checks and kinds: from observations as written to responses that engines take.

Every check is vectorised over the rows; the first offender is named by file, row and
column.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from ._kinds import binomial_cells, categorical_cells, score_cells
from ._merge import merge, store
from ._observations import Observations, refuse
from ._options import Options, ScoreIs
from ._responses import AbstractResponses
from ._source import DataError


class Resolved(NamedTuple):
    """Responses, where their numbers of trials are from, and notes on guesses."""

    responses: AbstractResponses
    trials_from: str
    notes: tuple[str, ...]


def resolve(
    observations: Observations, options: Options, score_is: ScoreIs, source: str
) -> Resolved:
    """Return the responses that the observations make up, higher is better.

    Args:
        observations: as written in the input.
        options: the caller's.
        score_is: what the numbers count.
        source: the input's name.

    Raises:
        DataError: at the first row that cannot be right, or if too few systems or
            items or no observed cell is left.
    """
    _refuse_too_small(observations, options.least, source)
    value = observations.value
    if options.missing is not None:
        value = np.where(value == options.missing, np.nan, value)
    observations = observations._replace(value=value)
    _refuse_impossible(observations, options)
    if options.categories is not None:
        cells = categorical_cells(observations, options, score_is)
    elif observations.trials is None and not _all_binary(value, options):
        cells = score_cells(observations, options, score_is)
    else:
        cells = binomial_cells(observations, options, score_is)
    if not cells.seen.any():
        raise DataError(f"{source}: every result is missing.")
    merged = merge(cells, observations, options.duplicates)
    responses, stored = store(merged, cells.kind, observations, options.storage)
    return Resolved(responses, cells.trials_from, cells.notes + merged.notes + stored)


def _all_binary(value: Float[np.ndarray, " row"], options: Options) -> bool:
    scaled = value / options.out_of
    return bool(np.all((scaled == 0) | (scaled == 1) | np.isnan(scaled)))


def _refuse_too_small(observations: Observations, least: int, source: str) -> None:
    for word, ids in (
        ("system", observations.system.ids),
        ("item", observations.item.ids),
    ):
        if len(ids) < least:
            raise DataError(
                f"{source}: there is only one {word} ({next(iter(ids))!r}); a table "
                "needs at least two systems and two items. If rows and columns are "
                "swapped, pass systems_in=."
            )


def _refuse_impossible(observations: Observations, options: Options) -> None:
    value = observations.value
    refuse(np.isinf(value), observations, "{value} is not a finite number")
    if options.categories is None:
        refuse(
            value < 0,
            observations,
            "{value} is negative",
            "If that number marks a missing result, pass missing={value}.",
        )
