"""Two systems of one table: their difference on shared items, and by a ranker."""

import dataclasses
import difflib
from collections.abc import Hashable, Mapping

import jax.numpy as jnp
import numpy as np
import scipy.stats
from jaxtyping import Bool, Float

from irtjax.data import (
    AbstractResponses,
    BinomialResponses,
    LongResponses,
    ResponseTable,
    design_graph,
)

from ._average_interval import average_interval
from ._counted import with_trials
from ._paired import PairedDifference, paired_answers, paired_means
from ._ranker import AbstractRanker
from ._registry import DEFAULT_RANKER, named_ranker
from ._scored import score_with_errors

FEW_ITEMS = 10
"""Shared items below which a paired difference is said to rest on few."""


@dataclasses.dataclass(frozen=True)
class SystemComparison:
    """The first of two systems against the second.

    Attributes:
        first: its identifier.
        second: that of the other.
        source: the file or data frame that they came from.
        level: coverage of every interval.
        paired: their difference on the items that both ran.
        first_shared: mean outcome of the first on those.
        second_shared: of the second.
        first_mean: mean outcome of the first on all items that it ran.
        second_mean: of the second: not comparable with it, as the items differ.
        first_interval: around `first_mean`, clustered by item.
        second_interval: around `second_mean`.
        first_items: how many items the first ran.
        second_items: how many the second did.
        ranker: the ranker's name.
        scale: of its score.
        score_difference: the ranker's score of the first less that of the second; NaN
            where nothing connects the two.
        score_lower: lower end of its interval.
        score_upper: upper end.
        p_beats: chance that the first is truly better, by the ranker; NaN where nothing
            connects the two.
        comparable: whether a chain of shared items connects them.
        codes: how many fits ended how.
        remarks: what it means, and what weakens it, a sentence each.
    """

    first: Hashable
    second: Hashable
    source: str
    level: float
    paired: PairedDifference
    first_shared: float
    second_shared: float
    first_mean: float
    second_mean: float
    first_interval: tuple[float, float]
    second_interval: tuple[float, float]
    first_items: int
    second_items: int
    ranker: str
    scale: str
    score_difference: float
    score_lower: float
    score_upper: float
    p_beats: float
    comparable: bool
    codes: Mapping[str, int]
    remarks: tuple[str, ...]


def compare_systems(
    table: ResponseTable,
    first: Hashable,
    second: Hashable,
    *,
    ranker: str | AbstractRanker = DEFAULT_RANKER,
    level: float | int = 0.95,
    trials: float | int | None = None,
) -> SystemComparison:
    """Return how two systems differ, paired on shared items and by a ranker.

    The paired difference uses nothing but the items that both ran. The ranker's uses the
    whole table: it also learns from items that one of them ran, through others that ran
    those too, if its model holds.

    Args:
        table: from `read_table` or one of its kin.
        first: a system's identifier; text finds an identifier that reads the same.
        second: another one's.
        ranker: a name out of `RANKERS`, or a ranker.
        level: coverage of every interval, within (0, 1).
        trials: as for `rank_table`.

    Raises:
        ValueError: if the table has no such system, with those of nearest name, or a
            setting is out of range.
    """
    if not 0 < level < 1:
        raise ValueError(f"`level` must lie between 0 and 1, got {level}.")
    rows = tuple(system_position(table, each) for each in (first, second))
    if rows[0] == rows[1]:
        raise ValueError(f"{first!r} cannot be compared with itself.")
    name, chosen = named_ranker(ranker)
    responses = table.responses
    if isinstance(responses, LongResponses):
        responses = responses.dense()
    pair = responses.take(jnp.array(rows), jnp.arange(responses.shape[1]))
    seen, mean = np.asarray(pair.observed()), np.asarray(pair.mean_score(), np.float64)
    shared = np.logical_and(seen[0], seen[1])
    rule = paired_answers if _single_answers(pair, shared) else paired_means
    paired = rule(mean[0, shared], mean[1, shared], level=level)

    counted = with_trials(table, chosen, trials)
    scored = score_with_errors(chosen, counted.responses, table.item_ids, level)
    component = design_graph(counted.responses).system_component[list(rows)]
    comparable = bool(component[0] == component[1] >= 0)
    score = np.asarray(scored.score, np.float64)[list(rows)]
    spread = np.asarray(scored.covariance, np.float64)[np.ix_(rows, rows)]
    gap = float(score[0] - score[1]) if comparable else float("nan")
    se = float(np.sqrt(max(spread[0, 0] + spread[1, 1] - 2 * spread[0, 1], 0)))
    half = scipy.stats.norm.ppf((1 + level) / 2) * se
    own = average_interval(pair, level=level)
    ids = tuple(table.system_ids[row] for row in rows)
    return SystemComparison(
        first=ids[0],
        second=ids[1],
        source=table.source,
        level=float(level),
        paired=paired,
        first_shared=_mean(mean[0, shared]),
        second_shared=_mean(mean[1, shared]),
        first_mean=float(own.mean[0]),
        second_mean=float(own.mean[1]),
        first_interval=(float(own.lower[0]), float(own.upper[0])),
        second_interval=(float(own.lower[1]), float(own.upper[1])),
        first_items=int(seen[0].sum()),
        second_items=int(seen[1].sum()),
        ranker=name,
        scale=chosen.scale,
        score_difference=gap,
        score_lower=float(gap - half),
        score_upper=float(gap + half),
        p_beats=_chance(gap, se),
        comparable=comparable,
        codes=scored.codes,
        remarks=(
            *_remarks(ids, paired, comparable, level),
            *counted.notes,
            *scored.warnings,
        ),
    )


def system_position(table: ResponseTable, name: Hashable) -> int:
    """Return where a system stands; text finds an identifier that reads the same.

    Raises:
        ValueError: if there is none, with those of nearest name.
    """
    if name in table.system_ids:
        return table.system_ids.index(name)
    spelt = [str(each) for each in table.system_ids]
    if spelt.count(str(name)) == 1:
        return spelt.index(str(name))
    near = difflib.get_close_matches(str(name), spelt, n=3, cutoff=0.5)
    guess = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
    raise ValueError(f"{table.source}: there is no system {str(name)!r}.{guess}")


def _single_answers(pair: AbstractResponses, shared: Bool[np.ndarray, " item"]) -> bool:
    """Return whether both gave one right or wrong answer to each shared item."""
    if not isinstance(pair, BinomialResponses):
        return False
    successes = np.asarray(pair.successes)[:, shared]
    single = np.all(np.asarray(pair.trials)[:, shared] == 1)
    return bool(single and np.all((successes == 0) | (successes == 1)))


def _mean(values: Float[np.ndarray, " item"]) -> float:
    return float(np.mean(values)) if len(values) else float("nan")


def _chance(gap: float, se: float) -> float:
    if np.isnan(gap) or np.isnan(se):
        return float("nan")
    if se == 0:
        return 0.5 + 0.5 * float(np.sign(gap))
    return float(scipy.stats.norm.cdf(gap / se))


def _remarks(
    ids: tuple[Hashable, ...],
    paired: PairedDifference,
    comparable: bool,
    level: float | int,
) -> tuple[str, ...]:
    """Return what the comparison says, and what weakens it."""
    first, second = ids
    said = []
    if not paired.items:
        said.append(
            f"No item was run by both {first} and {second}: their plain means rest on "
            "different items, and the difference of those is no measure of who is "
            "better."
        )
    elif paired.p_value < 1 - level:
        better, worse = ids if paired.difference > 0 else ids[::-1]
        said.append(
            f"On the items that both ran, {better} did better than {worse} by more "
            "than chance."
        )
    else:
        said.append(
            "On the items that both ran, the difference is within what chance does."
        )
    if 0 < paired.items < FEW_ITEMS:
        said.append(
            f"They share only {paired.items} "
            f"{'item' if paired.items == 1 else 'items'}: the paired difference rests "
            "on little."
        )
    if not comparable:
        said.append(
            f"No chain of shared items connects {first} with {second}: they are not "
            "comparable on these data, by any model."
        )
    elif paired.items < FEW_ITEMS:
        said.append(
            "The ranker's difference also uses what other systems did on the items "
            "that only one of the two ran, so it rests on the model."
        )
    return tuple(said)
