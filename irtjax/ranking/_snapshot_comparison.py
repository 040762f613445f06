"""What moved between two snapshots of a leaderboard, beyond noise."""

import dataclasses
from collections.abc import Hashable, Mapping
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import scipy.stats
from jaxtyping import Bool, Float64, Int

from irtjax.data import ResponseTable, design_graph
from irtjax.irt import AbstractScored

from ._average_interval import average_interval
from ._changes import changes_beyond_noise
from ._counted import with_trials
from ._joint_scores import JointScores, joint_scores_by_fit, joint_scores_by_jackknife
from ._model_ranker import ModelRanker
from ._rank_changes import RankChanges, rank_changes
from ._ranker import AbstractRanker
from ._registry import named_ranker
from ._snapshots import Snapshots, align


class Moved(NamedTuple):
    """Systems in both snapshots, those that surely moved first; NaN = not known.

    Scores are taken relative to the mean of the systems in both that did not move, and
    abilities in units of their old spread, so that newcomers, a change of the whole
    scale and the fall of one system move no other.

    Attributes:
        system: each one's identifier.
        old_score: in the old snapshot.
        new_score: in the new one.
        change: the difference.
        se: its standard error, with what both snapshots share cancelled.
        lower: lower end of the change's interval, each system by itself.
        upper: its upper end.
        p_value: of no change, two-sided; 1 where nothing could change.
        p_adjusted: Holm's, for all systems together.
        moved: whether the change is beyond noise, all systems judged together.
        old_rank: among the old snapshot's systems, 1 = best.
        new_rank: among the new one's.
        old_place: rank among the systems in both, in the old snapshot.
        new_place: the same in the new one; newcomers push nobody down.
        rise: places gained among the systems in both; negative = lost.
        rise_lower: lower end of its interval.
        rise_upper: its upper end.
        old_mean: plain mean in the old snapshot.
        new_mean: in the new one.
        added: cells that only the new snapshot holds.
        changed: cells that both hold with different content.
        removed: cells that only the old one holds.
        same: cells that both hold alike.
    """

    system: tuple[Hashable, ...]
    old_score: Float64[np.ndarray, " system"]
    new_score: Float64[np.ndarray, " system"]
    change: Float64[np.ndarray, " system"]
    se: Float64[np.ndarray, " system"]
    lower: Float64[np.ndarray, " system"]
    upper: Float64[np.ndarray, " system"]
    p_value: Float64[np.ndarray, " system"]
    p_adjusted: Float64[np.ndarray, " system"]
    moved: Bool[np.ndarray, " system"]
    old_rank: Float64[np.ndarray, " system"]
    new_rank: Float64[np.ndarray, " system"]
    old_place: Float64[np.ndarray, " system"]
    new_place: Float64[np.ndarray, " system"]
    rise: Float64[np.ndarray, " system"]
    rise_lower: Float64[np.ndarray, " system"]
    rise_upper: Float64[np.ndarray, " system"]
    old_mean: Float64[np.ndarray, " system"]
    new_mean: Float64[np.ndarray, " system"]
    added: Int[np.ndarray, " system"]
    changed: Int[np.ndarray, " system"]
    removed: Int[np.ndarray, " system"]
    same: Int[np.ndarray, " system"]


class ChangedCell(NamedTuple):
    """A cell that both snapshots hold, with different content."""

    system: Hashable
    item: Hashable
    old: float
    new: float


@dataclasses.dataclass(frozen=True)
class SnapshotComparison:
    """What differs between an old and a new snapshot of a leaderboard.

    Attributes:
        old: the old one's file or data frame.
        new: the new one's.
        ranker: the ranker's name.
        scale: of its score.
        level: coverage of every interval, and of all verdicts together.
        seed: of the draws behind intervals of ranks.
        systems_added: only in the new snapshot.
        systems_removed: only in the old one.
        items_added: only in the new one.
        items_removed: only in the old one.
        cells_added: how many cells only the new one holds.
        cells_removed: how many only the old one does.
        cells_same: how many both hold alike.
        cells_changed: those that both hold with different content.
        systems: those in both, row by row.
        codes: how many fits ended how.
        method: how it came about, in sentences.
        remarks: what weakens it, a sentence each.
    """

    old: str
    new: str
    ranker: str
    scale: str
    level: float
    seed: int
    systems_added: tuple[Hashable, ...]
    systems_removed: tuple[Hashable, ...]
    items_added: tuple[Hashable, ...]
    items_removed: tuple[Hashable, ...]
    cells_added: int
    cells_removed: int
    cells_same: int
    cells_changed: tuple[ChangedCell, ...]
    systems: Moved
    codes: Mapping[str, int]
    method: str
    remarks: tuple[str, ...]


def compare_tables(
    old: ResponseTable,
    new: ResponseTable,
    *,
    ranker: str | AbstractRanker = "two_pl",
    level: float | int = 0.95,
    seed: int = 0,
    trials: float | int | None = None,
    draws: int = 2048,
) -> SnapshotComparison:
    """Return what moved between two snapshots of a leaderboard, beyond noise.

    A cell that both hold alike is one measurement, not two: its noise is in both scores
    and cancels in their difference. A cell with other content counts as measured anew.

    Args:
        old: the earlier snapshot.
        new: the later one.
        ranker: a name out of `RANKERS`, or a ranker.
        level: coverage of every interval, within (0, 1); a system is said to have moved
            with at most one chance in 1 / (1 - level) that any such verdict is wrong.
        seed: of the draws behind intervals of ranks.
        trials: as for `rank_table`, in both snapshots.
        draws: how many.

    Raises:
        ValueError: if the snapshots have no system or no item in common or hold results
            of different kinds, or a setting is out of range.
    """
    if not 0 < level < 1:
        raise ValueError(f"`level` must lie between 0 and 1, got {level}.")
    name, chosen = named_ranker(ranker)
    tables, notes = _counted(align(old, new), old, new, chosen, trials)
    # A model's own scores are no plain parameters, so their errors are counted out.
    if isinstance(chosen, ModelRanker) and not isinstance(chosen.model, AbstractScored):
        scores = joint_scores_by_fit(chosen, tables)
    else:
        scores = joint_scores_by_jackknife(chosen, tables, level)
    part = _joint_parts(tables)
    ranks = rank_changes(
        scores, part, level=level, draws=draws, key=jax.random.key(seed)
    )
    before, after = tables.seen()
    both = before & after & ~tables.same
    cells = tuple(
        ChangedCell(
            tables.system_ids[j],
            tables.item_ids[i],
            float(tables.old.mean_score()[j, i]),
            float(tables.new.mean_score()[j, i]),
        )
        for j, i in np.argwhere(both)
    )
    alone = [
        str(tables.system_ids[k])
        for k in np.flatnonzero(tables.old_rows & tables.new_rows & (part < 0))
    ]
    if alone:
        notes += (
            "Connected with no other system in one of the snapshots, so that no change "
            f"can be seen: {', '.join(alone[:5])}"
            f"{f' and {len(alone) - 5:,} more' if len(alone) > 5 else ''}.",
        )

    def only(ids: tuple[Hashable, ...], there: np.ndarray, elsewhere: np.ndarray):
        return tuple(ids[k] for k in np.flatnonzero(there & ~elsewhere))

    return SnapshotComparison(
        old=old.source,
        new=new.source,
        ranker=name,
        scale=chosen.scale,
        level=float(level),
        seed=seed,
        systems_added=only(tables.system_ids, tables.new_rows, tables.old_rows),
        systems_removed=only(tables.system_ids, tables.old_rows, tables.new_rows),
        items_added=only(tables.item_ids, tables.new_columns, tables.old_columns),
        items_removed=only(tables.item_ids, tables.old_columns, tables.new_columns),
        cells_added=int((after & ~before).sum()),
        cells_removed=int((before & ~after).sum()),
        cells_same=int(tables.same.sum()),
        cells_changed=cells,
        systems=_moved(tables, scores, part, ranks, level),
        codes=scores.codes,
        method=f"{scores.method} {_METHOD}",
        remarks=(*notes, *scores.warnings),
    )


_METHOD = (
    "Changes are relative to the systems in both snapshots that did not move: to their "
    "mean, and for abilities to their spread. Verdicts on all systems hold together by "
    "Holm's procedure; intervals are for one system at a time."
)


def _counted(
    tables: Snapshots,
    old: ResponseTable,
    new: ResponseTable,
    ranker: AbstractRanker,
    trials: float | int | None,
) -> tuple[Snapshots, tuple[str, ...]]:
    """Return the snapshots with trial counts where needed: the same in both."""
    whole = dataclasses.replace(
        new,
        responses=tables.union,
        system_ids=tables.system_ids,
        item_ids=tables.item_ids,
    )
    counted = with_trials(whole, ranker, trials)
    notes = counted.notes
    if old.score_is != new.score_is:
        notes += (
            f"{old.source} counts {old.score_is}, {new.source} {new.score_is}: one was "
            "turned round.",
        )
    if counted.trials is None:
        return tables, notes
    worth = jnp.full((1, 1), counted.trials)
    parts = {
        part: getattr(tables, part).as_binomial(worth)
        for part in ("old", "new", "union")
    }
    return tables._replace(**parts), notes


def _joint_parts(tables: Snapshots) -> Int[np.ndarray, " system"]:
    """Return a label for systems connected in both snapshots; -1 for one by itself."""
    graphs = [design_graph(each) for each in (tables.old, tables.new)]
    before, after = (graph.system_component for graph in graphs)
    label = np.where(
        (before >= 0) & (after >= 0), before * (after.max() + 1) + after, -1
    )
    size = np.array([np.count_nonzero(label == each) for each in label])
    return np.where(size > 1, label, -1)


def _moved(
    tables: Snapshots,
    scores: JointScores,
    part: Int[np.ndarray, " system"],
    ranks: RankChanges,
    level: float | int,
) -> Moved:
    both = np.flatnonzero(tables.old_rows & tables.new_rows)
    changes = changes_beyond_noise(scores, part, level)
    p_value, moved = changes.p_value, changes.moved
    half = scipy.stats.norm.ppf((1 + level) / 2) * changes.se
    before, after = tables.seen()
    together = before & after
    order = both[
        np.lexsort(
            (
                np.array([str(tables.system_ids[k]) for k in both]),
                np.nan_to_num(p_value[both], nan=2),
                ~moved[both],
            )
        )
    ]
    change = changes.change
    columns = (
        *(changes.old, changes.new, change, changes.se, change - half, change + half),
        *(p_value, changes.p_adjusted, moved, ranks.old_rank, ranks.new_rank),
        *(ranks.old_place, ranks.new_place, ranks.rise, ranks.lower, ranks.upper),
        average_interval(tables.old).mean,
        average_interval(tables.new).mean,
        (after & ~before).sum(axis=1),
        (together & ~tables.same).sum(axis=1),
        (before & ~after).sum(axis=1),
        tables.same.sum(axis=1),
    )
    return Moved(
        tuple(tables.system_ids[k] for k in order), *(each[order] for each in columns)
    )
