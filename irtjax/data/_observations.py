"""One row a value of the input, before any check, and how the input was understood."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from ._columns import Frame, Identifiers, and_more
from ._options import Options, ScoreIs, SystemsIn, Values
from ._source import DataError


class Observations(NamedTuple):
    """One row a value of the input, missing ones included, before any check.

    Attributes:
        system: which system each row is about.
        item: which item.
        value: what the input says; NaN where missing.
        values: what the numbers are, "successes" or "score"; None where a declared
            number of trials leaves both open.
        trials: NaN where missing; None where the input has none.
        trials_from: the words for `ResponseTable.trials_from`; "" where `trials` is
            None.
        place: from a row to the words that name file, row and column.
    """

    system: Identifiers
    item: Identifiers
    value: Float[np.ndarray, " row"]
    values: Values | None
    trials: Float[np.ndarray, " row"] | None
    trials_from: str
    place: Callable[[int], str]


class Reading(NamedTuple):
    """Observations, and how the input was understood."""

    observations: Observations
    systems_in: SystemsIn | None
    score_is: ScoreIs | None
    notes: tuple[str, ...]


def declared_trials(
    frame: Frame, options: Options, system: Identifiers, item: Identifiers
) -> tuple[Float[np.ndarray, " row"], str]:
    """Return the trials of each row as the caller declared them, and words for that.

    Raises:
        DataError: if a mapping lacks some system and some item.
    """
    trials = options.trials
    if isinstance(trials, Mapping):
        for side, words in ((system, "system"), (item, "item")):
            if all(each in trials for each in side.ids):
                of_id = np.array([trials[each] for each in side.ids], float)
                return of_id[side.index], f"declared for each {words}"
        absent = next(each for each in system.ids if each not in trials)
        raise DataError(
            f"{frame.source.name}: `trials` must give a number for every system (it "
            f"lacks {absent!r}) or for every item."
        )
    assert isinstance(trials, float | int)
    return np.full(system.index.shape, float(trials)), f"declared: {trials:g}"


def refuse(
    bad: Bool[np.ndarray, " row"],
    observations: Observations,
    fault: str,
    help_: str = "",
) -> None:
    """Raise a `DataError` about the first row that `bad` marks, if it marks any.

    Args:
        bad: where the fault is.
        observations: for the place and the value.
        fault: what is wrong; `{value}` and `{trials}` stand for the row's numbers,
            `{trials_from}` for where the latter is from.
        help_: what to do about it, with the same stand-ins.
    """
    if not bad.any():
        return
    k = int(np.argmax(bad))
    trials = observations.trials
    numbers = {
        "value": f"{observations.value[k]:g}",
        "trials": "" if trials is None else f"{trials[k]:g}",
        "trials_from": observations.trials_from,
    }
    message = f"{observations.place(k)}: {fault.format(**numbers)}{and_more(bad)}."
    raise DataError(f"{message} {help_.format(**numbers)}".rstrip())
