"""From a labelled table to a ranking that can be defended."""

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special
from jaxtyping import Array, Float, Float64

from irtjax.data import DesignGraph, ResponseTable, design_graph

from ._average_interval import average_interval
from ._counted import RESOLUTION, ranks_from_best, trials_band, with_trials
from ._intervals import rank_intervals
from ._item_scale import ItemScale
from ._ranker import AbstractRanker
from ._ranking import Ranking
from ._registry import DEFAULT_RANKER, named_ranker
from ._remarks import (
    Outcomes,
    constant_items,
    not_comparable,
    system_flags,
    warnings_of,
)
from ._scored import Scored, score_with_errors


def rank_table(
    table: ResponseTable,
    *,
    ranker: str | AbstractRanker = DEFAULT_RANKER,
    level: float | int = 0.95,
    seed: int = 0,
    trials: float | int | None = None,
    draws: int | None = None,
) -> Ranking:
    """Return the systems of a table ranked, with what the data leave open.

    Args:
        table: from `read_table` or one of its kin.
        ranker: a name out of `RANKERS`, or a ranker.
        level: coverage of every interval, within (0, 1).
        seed: of the draws behind rank intervals and P(best); the same seed gives the
            same bits, and the order of rows or columns does not matter.
        trials: how many trials a score without a count is taken to be worth. The
            ranking is then repeated with half and twice as many. Default: estimated
            from how much the scores scatter around the fit.
        draws: of the true scores, for rank intervals and P(best). Default: 4,096, or
            half as many for more than 1,000 systems: the ends of a 95 % interval of a
            normal rank then have a standard error of 3 % of its half-width, not 2 %.

    Raises:
        ValueError: for an unknown ranker, a level or trials out of range, trials given
            for a table that has them, or a ranker that cannot take the table's
            responses.
    """
    name, chosen = named_ranker(ranker)
    if not 0 < level < 1:
        raise ValueError(f"`level` must lie between 0 and 1, got {level}.")
    if not -(2**63) <= seed < 2**63:
        raise ValueError(f"`seed` must fit into 64 bits, got {seed}.")
    counted = with_trials(table, chosen, trials)
    responses = counted.responses
    graph = design_graph(responses)
    scored = score_with_errors(chosen, responses, table.item_ids, level)
    intervals = rank_intervals(
        scored.score,
        scored.covariance,
        level=level,
        component=jnp.asarray(graph.system_component),
        resolution=RESOLUTION,
        draws=draws or (2048 if len(table.system_ids) > _MANY else 4096),
        key=jax.random.key(seed),
    )
    band = trials_band(table, chosen, counted, scored.score)
    score = _array(scored.score)
    variance = np.diag(_array(scored.covariance))
    se = np.sqrt(np.where(np.isnan(score), np.nan, variance))
    half = scipy.special.ndtri((1 + level) / 2) * se
    plain = average_interval(responses, level=level)
    outcomes = Outcomes(
        np.asarray(responses.observed()), _array(responses.mean_score())
    )
    flags = system_flags(outcomes, variance)
    return Ranking(
        system_ids=table.system_ids,
        source=table.source,
        ranker=name,
        scale=chosen.scale,
        level=level,
        seed=seed,
        score=score,
        se=se,
        lower=score - half,
        upper=score + half,
        rank=_array(intervals.rank),
        rank_lower=_array(intervals.lower),
        rank_upper=_array(intervals.upper),
        joint_rank_lower=_array(intervals.joint_lower),
        joint_rank_upper=_array(intervals.joint_upper),
        p_best=_array(intervals.p_best),
        p_beats=_array(intervals.p_beats),
        separable=np.asarray(intervals.separable),
        tie_group=np.asarray(intervals.tie_group),
        n_item=np.asarray(graph.system_count),
        plain_mean=plain.mean,
        plain_se=plain.se,
        plain_lower=plain.lower,
        plain_upper=plain.upper,
        plain_rank=_array(ranks_from_best(jnp.asarray(plain.mean))),
        component=np.asarray(graph.system_component),
        flags=flags,
        constant_items=tuple(table.item_ids[k] for k in constant_items(outcomes)),
        codes=scored.codes,
        dispersion=counted.dispersion,
        trials=counted.trials,
        band_lower=band.lower,
        band_upper=band.upper,
        method=f"{scored.method} {_INTERVALS}",
        notes=(*table.notes, *counted.notes, *band.notes),
        warnings=(
            *scored.warnings,
            *warnings_of(outcomes, graph, flags, table.system_ids, table.item_ids),
        ),
        not_comparable=not_comparable(graph, table.system_ids),
        items=_item_scale(scored, table, graph),
    )


_MANY = 1000  # systems from which on fewer draws are taken: each costs more
_INTERVALS = (
    "Rank intervals and the chance to be best come from draws of all true scores "
    "around the estimates; tie groups from a comparison of all pairs at once."
)


def _item_scale(
    scored: Scored, table: ResponseTable, graph: DesignGraph
) -> ItemScale | None:
    if scored.difficulty is None:
        return None
    difficulty, se = scored.difficulty
    count = np.asarray(graph.item_count)
    return ItemScale(table.item_ids, _array(difficulty), _array(se), count)


def _array(values: Float[Array, "..."]) -> Float64[np.ndarray, "..."]:
    """Return a double-precision NumPy array."""
    return np.asarray(values, np.float64)
