"""Wide input: one row a system and one column an item, or the other way round."""

from collections.abc import Hashable

import numpy as np

from ._columns import Frame, Identifiers, identifiers, is_numeric, numbers
from ._observations import Observations, Reading, declared_trials
from ._options import Options, SystemsIn
from ._roles import (
    ITEM_NAMES,
    ROW_NUMBER_NAMES,
    SYSTEM_NAMES,
    plain_name,
    require_column,
)
from ._source import DataError


def read_wide(frame: Frame, options: Options) -> Reading:
    """Return the observations of a frame with systems along one of its sides."""
    if isinstance(options.trials, str):
        raise DataError(
            f"{frame.source.name}: trials={options.trials!r} names a column, which a "
            "wide table cannot hold. Pass a number, or a mapping from every system, or "
            "every item, to one."
        )
    for role, given in (("score", options.score), ("successes", options.successes)):
        if given is not None:
            raise DataError(
                f"{frame.source.name}: {role}={given!r} names a column of a long "
                "table, but the columns for system and item were not found. Name them "
                "with system= and item=."
            )
    id_column, notes = _id_column(frame, options)
    systems_in, reason = _orientation(frame, options, id_column)
    skipped = {id_column}
    if id_column is not None and id_column not in ROW_NUMBER_NAMES:
        skipped |= set(ROW_NUMBER_NAMES)
    labels = [label for label in frame.columns if label not in skipped]
    if not labels:
        raise DataError(f"{frame.source.name}: there are no columns of results.")
    if id_column is None:
        rows = Identifiers(tuple(range(frame.n_row)), np.arange(frame.n_row))
    else:
        rows = identifiers(frame, id_column)
    value = np.stack([numbers(frame, label) for label in labels], axis=1).reshape(-1)
    width = len(labels)
    across = Identifiers(tuple(labels), np.tile(np.arange(width), frame.n_row))
    down = Identifiers(rows.ids, np.repeat(rows.index, width))
    system, item = (down, across) if systems_in == "rows" else (across, down)
    trials, trials_from = None, ""
    if options.trials is not None:
        trials, trials_from = declared_trials(frame, options, system, item)
    observations = Observations(
        system,
        item,
        value,
        options.values or (None if trials is not None else "score"),
        trials,
        trials_from,
        lambda k: frame.source.place(k // width, labels[k % width]),
    )
    return Reading(observations, systems_in, options.score_is, (*notes, *reason))


def _id_column(
    frame: Frame, options: Options
) -> tuple[Hashable | None, tuple[str, ...]]:
    given = options.system if options.system is not None else options.item
    if given is not None:
        return require_column(frame, "id", given), ()
    labels = list(frame.columns)
    first = labels[0]
    named = [each for each in labels if plain_name(each) in SYSTEM_NAMES + ITEM_NAMES]
    if first not in named and len(named) > 1:
        raise DataError(
            f"{frame.source.name}: columns {named[0]!r} and {named[1]!r} could both "
            "hold identifiers. Name one with system= or item= and the rest in ignore=."
        )
    if named:
        chosen = first if first in named else named[0]
        return chosen, (f"Identifiers were taken from column {chosen!r}.",)
    if first in ROW_NUMBER_NAMES or not is_numeric(frame, first):
        return first, (f"Identifiers were taken from the first column, {first!r}.",)
    return None, (
        "No column of identifiers was found; rows are numbered from 0. If one holds "
        "them, pass system= or item=.",
    )


def _orientation(
    frame: Frame, options: Options, id_column: Hashable | None
) -> tuple[SystemsIn, tuple[str, ...]]:
    named: SystemsIn | None = None
    if options.system is not None:
        named = "rows"
    elif options.item is not None:
        named = "columns"
    if options.systems_in is not None:
        if named is not None and named != options.systems_in:
            raise DataError(
                f"{frame.source.name}: systems_in={options.systems_in!r} contradicts "
                f"the identifiers named by {'system' if named == 'rows' else 'item'}=."
            )
        return options.systems_in, ()
    if named is not None:
        return named, ()
    plain = plain_name(id_column)
    if plain in SYSTEM_NAMES:
        return "rows", (f"Systems are in rows, by the name of column {id_column!r}.",)
    if plain in ITEM_NAMES:
        return "columns", (
            f"Systems are in columns, by the name of column {id_column!r}.",
        )
    raise DataError(
        f"{frame.source.name}: nothing in the file says whether systems are in rows or "
        "in columns. Pass systems_in='rows' or systems_in='columns'."
    )
