"""Ranks with exact ties, and how well a ranking agrees with the true one.

Everything is written for one table's systems and pure, so `jax.vmap` batches it. A
system whose value is NaN takes no part: it has no rank and no metric counts it.

**What is a tie.** Averages of counts with unequal denominators can be equal as
fractions and differ in the last bit as floating-point numbers, and which of the two
comes out larger then depends on the order of the additions. So values are compared with
a resolution: sorted, a value joins the one below it when the gap is at most
`resolution` times the largest magnitude. Unlike rounding to a grid this has no edges
that split two neighbours, and it is an equivalence, so the ranks do not depend on the
order of systems.
"""

import jax
import jax.numpy as jnp
from jax.typing import DTypeLike
from jaxtyping import Array, Bool, Float


def default_resolution(dtype: DTypeLike) -> float:
    """Return the relative gap below which two values tie, for a float type.

    Machine epsilon to the power 3/4, so 1.8e-12 in double and 6.4e-6 in single
    precision: far above what adding up a thousand numbers rounds away, far below the
    smallest gap between two different averages of a table that fits in memory.
    """
    return float(jnp.finfo(dtype).eps) ** 0.75


def average_ranks(
    values: Float[Array, " system"], *, resolution: float | int | None = None
) -> Float[Array, " system"]:
    """Return the rank of each value from 1 for the lowest; ties share their mean rank.

    Args:
        values: on any scale; infinities are allowed. NaN = not ranked.
        resolution: the relative gap at which two neighbours still tie, see the top of
            this file; 0 compares bit by bit. Default: `default_resolution`.

    Returns:
        From 1 to the number of values that are not NaN; NaN where the value is NaN.
    """
    if resolution is None:
        resolution = default_resolution(values.dtype)
    position = jnp.arange(values.shape[0], dtype=values.dtype)
    order = jnp.argsort(values)  # NaN last
    ascending = values[order]
    finite = jnp.where(jnp.isfinite(values), jnp.abs(values), 0)
    gap = ascending[1:] - ascending[:-1]
    # The first test is for equal infinities, whose gap is NaN.
    tied = (ascending[1:] == ascending[:-1]) | (
        gap <= resolution * jnp.max(finite, initial=0)
    )
    edge = jnp.ones(min(1, values.shape[0]), bool)
    is_first = jnp.concatenate([edge, ~tied])
    is_last = jnp.concatenate([~tied, edge])
    first = jax.lax.cummax(jnp.where(is_first, position, -1))
    last = jax.lax.cummin(
        jnp.where(is_last, position, values.shape[0]), axis=0, reverse=True
    )
    ranks = jnp.zeros_like(values).at[order].set(1 + (first + last) / 2)
    return jnp.where(jnp.isnan(values), jnp.nan, ranks)


def spearman(
    x: Float[Array, " system"],
    y: Float[Array, " system"],
    *,
    resolution: float | int | None = None,
) -> Float[Array, ""]:
    r"""Return Spearman's $\rho$: Pearson's correlation of the average ranks.

    Args:
        x: on any scale. A system that is NaN here or in `y` is left out of both.
        y: on any scale.
        resolution: see `average_ranks`.

    Returns:
        From -1 to 1; NaN where `x` or `y` is constant or fewer than two systems are
        left.
    """
    x, y, valid = _paired(x, y)
    count = jnp.sum(valid, dtype=x.dtype)
    middle = (count + 1) / 2  # the mean of average ranks, exactly
    dx = jnp.where(valid, average_ranks(x, resolution=resolution) - middle, 0)
    dy = jnp.where(valid, average_ranks(y, resolution=resolution) - middle, 0)
    return _ratio(jnp.sum(dx * dy), jnp.sum(dx * dx), jnp.sum(dy * dy))


def kendall_tau_b(
    x: Float[Array, " system"],
    y: Float[Array, " system"],
    *,
    resolution: float | int | None = None,
) -> Float[Array, ""]:
    r"""Return Kendall's $\tau_b$, which corrects for ties in both rankings.

    $\tau_b = (C - D) / \sqrt{(P - T_x)(P - T_y)}$ with $C$ concordant and $D$
    discordant pairs of the $P$ pairs, of which $T_x$ and $T_y$ tie.

    Args:
        x: on any scale. A system that is NaN here or in `y` is left out of both.
        y: on any scale.
        resolution: see `average_ranks`.

    Returns:
        From -1 to 1; NaN where `x` or `y` is constant or fewer than two systems are
        left.

    References:
        Kendall (1945), *The Treatment of Ties in Ranking Problems*, eq. 2.
    """
    x, y, valid = _paired(x, y)
    both = valid[:, None] & valid[None, :]
    sign_x = _signs(average_ranks(x, resolution=resolution), both)
    sign_y = _signs(average_ranks(y, resolution=resolution), both)
    return _ratio(
        jnp.sum(sign_x * sign_y), jnp.sum(sign_x * sign_x), jnp.sum(sign_y * sign_y)
    )


def top1_miss(
    score: Float[Array, " system"],
    truth: Float[Array, " system"],
    *,
    resolution: float | int | None = None,
) -> Float[Array, ""]:
    """Return the chance that a system picked as the best is not truly the best.

    The pick is uniform among the systems that tie for the highest score; it misses if
    it is not among those that tie for the highest truth.

    Args:
        score: higher is better. A system that is NaN here or in `truth` is left out.
        truth: higher is better.
        resolution: see `average_ranks`.

    Returns:
        A probability; NaN if no system is left.
    """
    score, truth, _ = _paired(score, truth)
    picked = _best(average_ranks(score, resolution=resolution))
    right = _best(average_ranks(truth, resolution=resolution))
    hits = jnp.sum(picked & right, dtype=score.dtype)
    count = jnp.sum(picked, dtype=score.dtype)
    return jnp.where(count > 0, 1 - hits / jnp.maximum(count, 1), jnp.nan)


def _paired(
    x: Float[Array, " system"], y: Float[Array, " system"]
) -> tuple[Float[Array, " system"], Float[Array, " system"], Bool[Array, " system"]]:
    """Return both with NaN wherever either is NaN, and where neither is."""
    valid = ~(jnp.isnan(x) | jnp.isnan(y))
    return jnp.where(valid, x, jnp.nan), jnp.where(valid, y, jnp.nan), valid


def _signs(
    ranks: Float[Array, " system"], both: Bool[Array, "system system"]
) -> Float[Array, "system system"]:
    """Return the order of each pair as -1, 0 or 1; 0 where one of them has no rank."""
    return jnp.where(both, jnp.sign(ranks[:, None] - ranks[None, :]), 0)


def _best(ranks: Float[Array, " system"]) -> Bool[Array, " system"]:
    """Return which systems share the highest rank; none where all are NaN."""
    return ranks == jnp.max(jnp.where(jnp.isnan(ranks), -jnp.inf, ranks))


def _ratio(
    cross: Float[Array, ""], square_x: Float[Array, ""], square_y: Float[Array, ""]
) -> Float[Array, ""]:
    """Return a correlation from its sums of products; NaN where either is constant."""
    scale = jnp.sqrt(square_x) * jnp.sqrt(square_y)
    ratio = jnp.clip(cross / jnp.where(scale > 0, scale, 1), -1, 1)
    return jnp.where(scale > 0, ratio, jnp.nan)
