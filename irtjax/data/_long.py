"""Long input: one row a result, with columns for system, item and score."""

from collections.abc import Hashable
from typing import NamedTuple

from ._columns import Frame, identifiers, numbers
from ._observations import Observations, Reading, declared_trials
from ._options import Options, Values
from ._roles import (
    COUNT_NAMES,
    FAILURE_NAMES,
    ITEM_NAMES,
    SUCCESS_NAMES,
    SYSTEM_NAMES,
    TRIALS_NAMES,
    columns_named,
    optional_role_column,
    plain_name,
    require_column,
    role_column,
)
from ._source import DataError


class _Roles(NamedTuple):
    system: Hashable
    item: Hashable
    result: Hashable
    values: Values | None
    trials: Hashable | None


def read_long(frame: Frame, options: Options) -> Reading:
    """Return the observations of a frame that holds one result a row."""
    if options.systems_in is not None:
        raise DataError(
            f"{frame.source.name}: the table is long (one row a result), where "
            "systems_in has no meaning. Leave it out, or pass layout='wide'."
        )
    roles = _roles(frame, options)
    system = identifiers(frame, roles.system)
    item = identifiers(frame, roles.item)
    trials, trials_from = None, ""
    if roles.trials is not None:
        trials, trials_from = numbers(frame, roles.trials), f"column {roles.trials!r}"
    elif options.trials is not None:
        trials, trials_from = declared_trials(frame, options, system, item)
    notes = [_columns_used(roles)]
    score_is = options.score_is
    if score_is is None and plain_name(roles.result) in FAILURE_NAMES:
        score_is = "failure"
        notes.append(
            f"Column {roles.result!r} was taken to count failures, by its name; pass "
            "score_is='success' if higher is better."
        )
    observations = Observations(
        system,
        item,
        numbers(frame, roles.result),
        roles.values or (None if trials is not None else "score"),
        trials,
        trials_from,
        lambda k: frame.source.place(k, roles.result),
    )
    return Reading(observations, None, score_is, tuple(notes))


def _roles(frame: Frame, options: Options) -> _Roles:
    system = role_column(frame, "system", options.system, SYSTEM_NAMES)
    item = role_column(frame, "item", options.item, ITEM_NAMES)
    trials = None
    if isinstance(options.trials, str):
        trials = require_column(frame, "trials", options.trials)
    elif options.trials is None and options.categories is None:
        trials = optional_role_column(frame, "trials", None, TRIALS_NAMES)
    has_trials = trials is not None or options.trials is not None
    result, values = _result_column(frame, options, has_trials)
    roles = _Roles(system, item, result, values, trials)
    used = [roles.system, roles.item, roles.result]
    used += [] if trials is None else [trials]
    if len(set(used)) < len(used):
        raise DataError(
            f"{frame.source.name}: one column cannot have two roles. "
            f"{_columns_used(roles)}"
        )
    return roles


def _result_column(
    frame: Frame, options: Options, has_trials: bool
) -> tuple[Hashable, Values | None]:
    """Return the column of results, and what its numbers are where its name says so."""
    if options.successes is not None:
        return require_column(frame, "successes", options.successes), "successes"
    if options.score is not None:
        return require_column(frame, "score", options.score), options.values
    good = columns_named(frame, SUCCESS_NAMES)
    scores = SUCCESS_NAMES if good else FAILURE_NAMES
    has_counts = bool(columns_named(frame, COUNT_NAMES))
    if has_counts and (has_trials or not columns_named(frame, scores)):
        return role_column(frame, "successes", None, COUNT_NAMES), "successes"
    return role_column(frame, "score", None, scores), options.values


def _columns_used(roles: _Roles) -> str:
    kind = "successes" if roles.values == "successes" else "score"
    used = [("system", roles.system), ("item", roles.item), (kind, roles.result)]
    used += [] if roles.trials is None else [("trials", roles.trials)]
    return f"Columns used: {', '.join(f'{role} {column!r}' for role, column in used)}."
