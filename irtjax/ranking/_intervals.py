"""How far to trust a ranking: rank intervals, P(one beats another), tie groups."""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray, Shaped

from ._metrics import average_ranks, default_resolution
from ._simulated_ranks import Draws, order_statistic, part_of, simulate_ranks


class RankIntervals(eqx.Module):
    """The ranks of systems and what the errors of their scores leave open about them.

    Rank 1 is the best. A system whose score is NaN has no rank; it is in no one's way
    (the others are ranked without it) and its own interval is every rank. Systems that
    cannot be compared count as possibly above and possibly below each other.

    Attributes:
        rank: 1 = best; systems that tie share their mean rank.
        lower: best rank within the marginal interval: of 100 systems, about 5 are
            expected to lie outside their 95 % interval.
        upper: worst rank within the marginal interval.
        joint_lower: best rank within the simultaneous interval: all systems lie inside
            theirs with the stated probability.
        joint_upper: worst rank within the simultaneous interval.
        p_best: probability to be the best of the systems it can be compared with; NaN
            where it can be compared with none.
        p_beats: probability that the row's system is truly better than the column's,
            1/2 for a tie and on the diagonal, NaN where the two cannot be compared.
        separable: whether the simultaneous comparison tells the two apart.
        tie_group: from 1 at the top; a group is a leader and the systems next in order
            that the simultaneous comparison cannot tell from it. 0 = no score. Systems
            that cannot be compared are in different groups, which share a number only
            if their leaders tie exactly.
    """

    rank: Float[Array, " system"]
    lower: Float[Array, " system"]
    upper: Float[Array, " system"]
    joint_lower: Float[Array, " system"]
    joint_upper: Float[Array, " system"]
    p_best: Float[Array, " system"]
    p_beats: Float[Array, "system system"]
    separable: Bool[Array, "system system"]
    tie_group: Int[Array, " system"]


@eqx.filter_jit
def rank_intervals(
    ability: Float[Array, " system"],
    covariance: Float[Array, "row column"],
    *,
    level: float | int | Float[Array, ""] = 0.95,
    component: Int[Array, " system"] | None = None,
    resolution: float | int | None = None,
    draws: int = 4096,
    key: PRNGKeyArray,
) -> RankIntervals:
    r"""Return what jointly normal scores say of ranks: intervals, chances, tie groups.

    True scores are taken as $\mathcal N(\hat\theta, \Sigma)$: the posterior of a fit,
    to the order that standard errors have. P(i beats j) is $\Phi((\hat\theta_i -
    \hat\theta_j) / s_{ij})$ with $s_{ij}^2 = \Sigma_{ii} + \Sigma_{jj} - 2
    \Sigma_{ij}$. Marginal intervals are quantiles of the ranks over draws of the
    scores, widened to hold the rank itself. For the simultaneous ones all pairs are
    compared at once: the critical value is the `level` quantile of $\max_{ij} |e_i -
    e_j| / s_{ij}$ over draws of the errors $e$, and a system's best rank is one more
    than the number it is surely below.

    The result does not depend on the order of the systems. Draws belong to places in
    the order by score and variance, not to rows, and systems that tie in both share
    results.

    Args:
        ability: scores on any scale, higher is better; NaN = no score.
        covariance: of the scores' errors, one row and column a system, positive
            semidefinite, in squared units of `ability`. A NaN variance = the score's
            error is not known: comparable to none.
        level: coverage, within (0, 1).
        component: systems with different labels cannot be compared. Default: all alike.
        resolution: scores tie when closer than this, relative to the largest; see
            `average_ranks`.
        draws: how many.
        key: the same key gives the same bits.

    References:
        Mogstad, Romano, Shaikh & Wilhelm (2024), *Inference for Ranks with Applications
        to Mobility across Neighbourhoods and Academic Achievement across Countries*,
        sec. 3; Klein, Wright & Wieczorek (2020), *A Joint Confidence Region for an
        Overall Ranking of Populations*, sec. 2.
    """
    n_system = ability.shape[0]
    if covariance.shape != (n_system, n_system):
        raise ValueError(
            f"The covariance of {n_system} systems must be {n_system} x {n_system}, "
            f"got {covariance.shape}."
        )
    if component is None:
        component = jnp.zeros(n_system, jnp.int32)
    if resolution is None:
        resolution = default_resolution(ability.dtype)
    measured = ~jnp.isnan(ability) & jnp.isfinite(jnp.diag(covariance))
    score_rank = average_ranks(ability, resolution=resolution)
    spread_rank = average_ranks(jnp.where(measured, jnp.diag(covariance), jnp.nan))

    # Best first; of equal scores the best measured first; NaN last. What is still equal
    # is told apart by the ranks in its component, sums of which are exact.
    squares = jnp.where(jnp.isnan(score_rank), 0, score_rank) ** 2
    company = _equal(component).astype(ability.dtype) @ squares
    order = jnp.lexsort((company, spread_rank, -score_rank))
    pairs = _compare(
        jnp.where(measured, ability, 0)[order],
        jnp.where(_outer(measured), covariance, 0)[order][:, order],
        (_outer(measured) & _equal(component))[order][:, order],
        _equal(score_rank)[order][:, order],
    )
    itself = jnp.eye(n_system, dtype=bool)
    spread = jnp.where(measured, spread_rank, 0)
    twins = (_equal(score_rank) & _equal(spread))[order][:, order]
    # Otherwise the compiler permutes anew wherever a matrix is used.
    pairs, twins = jax.lax.optimization_barrier((pairs, twins))
    tolerance = resolution * jnp.max(jnp.where(measured, jnp.abs(ability), 0))
    scale = jnp.where(pairs.comparable, pairs.inverse_sd, 0)
    drawn = Draws(pairs.score, pairs.covariance, scale, pairs.comparable)
    simulated = simulate_ranks(drawn, tolerance, draws, key)
    level = jnp.asarray(level, ability.dtype)
    tail = jnp.floor(draws * (1 - level) / 2).astype(int)
    shared = _share(
        jnp.stack(
            [
                order_statistic(simulated.rank, tail).astype(ability.dtype),
                order_statistic(simulated.rank, draws - 1 - tail).astype(ability.dtype),
                simulated.first,
            ],
            axis=1,
        ),
        (twins & pairs.comparable) | itself,
    )
    ordered = _conclude(
        (jnp.nansum(~jnp.isnan(score_rank), dtype=ability.dtype) + 1 - score_rank)[
            order
        ],
        pairs,
        shared,
        jnp.quantile(simulated.gap, level),
        jnp.argmax(twins, axis=1),
    )
    place = jnp.argsort(order)
    return jax.tree.map(
        lambda array: array[place] if array.ndim == 1 else array[place][:, place],
        ordered,
    )


class _Pairs(NamedTuple):
    """All pairs of systems in canonical order, from best to worst."""

    score: Float[Array, " system"]
    covariance: Float[Array, "system system"]
    difference: Float[Array, "system system"]  # row less column
    inverse_sd: Float[Array, "system system"]  # of the difference; 0 where it is fixed
    fixed: Bool[Array, "system system"]
    comparable: Bool[Array, "system system"]  # never with oneself
    tied: Bool[Array, "system system"]


def _outer(mask: Bool[Array, " system"]) -> Bool[Array, "system system"]:
    return mask[:, None] & mask[None, :]


def _equal(label: Shaped[Array, " system"]) -> Bool[Array, "system system"]:
    return label[:, None] == label[None, :]


def _compare(
    score: Float[Array, " system"],
    covariance: Float[Array, "system system"],
    same_part: Bool[Array, "system system"],
    tied: Bool[Array, "system system"],
) -> _Pairs:
    """Return differences and their standard deviations."""
    variance = jnp.diag(covariance)
    total = variance[:, None] + variance[None, :]
    square = total - 2 * covariance
    # What rounding leaves of a difference that does not vary is not a variance.
    fixed = square <= 16 * jnp.finfo(score.dtype).eps * total
    return _Pairs(
        score,
        covariance,
        score[:, None] - score[None, :],
        jnp.where(fixed, 0, 1 / jnp.sqrt(jnp.where(fixed, 1, square))),
        fixed,
        same_part & ~jnp.eye(score.shape[0], dtype=bool),
        tied,
    )


def _share(
    values: Float[Array, "system value"], twins: Bool[Array, "system system"]
) -> Float[Array, "system value"]:
    """Return values with systems that tie in score and variance made equal."""
    twins = twins.astype(values.dtype)
    count = jnp.maximum(jnp.sum(twins, axis=1), 1)
    # Divided last, so that the mean of equal whole numbers is that number exactly.
    return twins @ values / count[:, None]


def _conclude(
    rank: Float[Array, " system"],
    pairs: _Pairs,
    shared: Float[Array, "system 3"],
    critical: Float[Array, ""],
    kind: Int[Array, " system"],
) -> RankIntervals:
    """Return all results, in canonical order.

    Args:
        rank: of each system; NaN without a score.
        pairs: all of them.
        shared: the ends of the marginal interval among comparable systems, and the
            share of draws in which the system is first.
        critical: standardised differences beyond it tell two systems apart.
        kind: the first system that ties in score and variance.
    """
    n_system = rank.shape[0]
    peers = jnp.sum(pairs.comparable, axis=1, dtype=rank.dtype)
    strangers = jnp.sum(~jnp.isnan(rank), dtype=rank.dtype) - 1 - peers
    distance = jnp.abs(pairs.difference) * pairs.inverse_sd
    apart = (distance > critical) | pairs.fixed
    separable = pairs.comparable & ~pairs.tied & apart
    surely_above = jnp.sum(separable & (pairs.difference < 0), axis=1, dtype=rank.dtype)
    surely_below = jnp.sum(separable & (pairs.difference > 0), axis=1, dtype=rank.dtype)

    def bounds(
        low: Float[Array, " system"], high: Float[Array, " system"]
    ) -> tuple[Float[Array, " system"], Float[Array, " system"]]:
        low = jnp.minimum(jnp.floor(low), jnp.floor(rank))
        high = jnp.maximum(jnp.ceil(high) + strangers, jnp.ceil(rank))
        no_rank = jnp.isnan(rank)
        return jnp.where(no_rank, 1, low), jnp.where(no_rank, n_system, high)

    lower, upper = bounds(shared[:, 0], shared[:, 1])
    joint_lower, joint_upper = bounds(1 + surely_above, 1 + peers - surely_below)

    z = jnp.where(
        pairs.fixed,
        jnp.sign(pairs.difference) * jnp.inf,
        pairs.difference * pairs.inverse_sd,
    )
    chance = jax.scipy.stats.norm.cdf(jnp.where(pairs.tied, 0, z))
    itself = jnp.eye(n_system, dtype=bool) & ~jnp.isnan(rank)[:, None]
    return RankIntervals(
        rank=rank,
        lower=lower,
        upper=upper,
        joint_lower=joint_lower,
        joint_upper=joint_upper,
        p_best=jnp.where(peers > 0, shared[:, 2], jnp.nan),
        p_beats=jnp.where(itself, 0.5, jnp.where(pairs.comparable, chance, jnp.nan)),
        separable=separable,
        tie_group=_tie_groups(separable, pairs.comparable, kind, ~jnp.isnan(rank)),
    )


def _tie_groups(
    separable: Bool[Array, "system system"],
    comparable: Bool[Array, "system system"],
    kind: Int[Array, " system"],
    scored: Bool[Array, " system"],
) -> Int[Array, " system"]:
    """Return group numbers of systems in order: walk down, open a group when needed.

    Systems that cannot be compared are never put into one group: each part of the table
    keeps its own leader, stored at the index of the part's first system. Leaders that
    are equal in score and variance, and so have no order, share a number.
    """
    index = jnp.arange(scored.shape[0])
    part = part_of(comparable)

    def visit(
        state: tuple[Array, Array, Array, Array], system: Int[Array, ""]
    ) -> tuple[tuple[Array, Array, Array, Array], Int[Array, ""]]:
        leader, group, count, last = state
        now = leader[part[system]]
        opens = (now < 0) | separable[system, now]
        count = count + jnp.where(opens & (kind[system] != last), 1, 0)
        last = jnp.where(opens, kind[system], last)
        leader = leader.at[part[system]].set(jnp.where(opens, system, now))
        mine = jnp.where(opens, count, group[now])
        return (leader, group.at[system].set(mine), count, last), mine

    none = jnp.full_like(index, -1)
    start = (none, jnp.zeros_like(index), jnp.asarray(0, index.dtype), none[0])
    _, group = jax.lax.scan(visit, start, index)
    return jnp.where(scored, group, 0)
