"""Ranks over draws of jointly normal scores, for a handful of systems or thousands."""

import itertools
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray

FEW = 256
"""Up to so many systems all pairs are visited in every draw, which compiles to less;
above, sorting and bounds give the same numbers without."""

_EXTREME = 16  # systems of a draw whose pairs are visited first, where there are many
_BLOCK = 64  # rows that are eliminated together, where there are many
_TOGETHER = 64  # draws that are ranked together, where there are many


class SimulatedRanks(NamedTuple):
    """Ranks among comparable systems over draws of the true scores.

    Attributes:
        rank: 1 = best, ties share the best.
        first: share of the draws in which the system is best, ties shared out.
        gap: the largest standardised error of a difference between two systems.
    """

    rank: Int[Array, "system draw"]
    first: Float[Array, " system"]
    gap: Float[Array, " draw"]


class Draws(NamedTuple):
    """What is drawn.

    Attributes:
        score: the systems' scores.
        covariance: of their errors.
        inverse_sd: one over the standard deviation of each difference; 0 on the
            diagonal, where a difference does not vary, and where two systems cannot be
            compared.
        comparable: an equivalence less its diagonal.
    """

    score: Float[Array, " system"]
    covariance: Float[Array, "system system"]
    inverse_sd: Float[Array, "system system"]
    comparable: Bool[Array, "system system"]


def simulate_ranks(
    drawn: Draws, tolerance: Float[Array, ""], draws: int, key: PRNGKeyArray
) -> SimulatedRanks:
    """Return the ranks of drawn scores; those within `tolerance` share a rank."""
    n_system = drawn.score.shape[0]
    noise = jax.random.normal(key, (draws, n_system), drawn.score.dtype)
    errors = _times_upper(noise, root(drawn.covariance))
    value = drawn.score[None, :] + errors
    few = n_system <= FEW
    part = part_of(drawn.comparable)
    rank = (_ranks_by_pairs if few else _ranks_by_sorting)(
        value, drawn.comparable, part, tolerance
    )
    first = (rank == 1).astype(value.dtype)
    sharing = jax.ops.segment_sum(first, part, n_system)[part]
    gap = _gaps_of_all(drawn, errors) if few else _gaps_of_many(drawn, errors, part)
    return SimulatedRanks(rank, jnp.mean(first / jnp.maximum(sharing, 1), axis=1), gap)


def order_statistic(
    rank: Int[Array, "system draw"], place: Int[Array, ""]
) -> Int[Array, " system"]:
    """Return what stands at a place, from 0, once each system's ranks are sorted.

    Found by halving, since sorting all draws for one of them takes longer.
    """
    n_system = rank.shape[0]

    def halve(_: Int[Array, ""], between: tuple[Array, Array]) -> tuple[Array, Array]:
        low, high = between
        middle = (low + high) // 2
        enough = jnp.sum(rank <= middle[:, None], axis=1) > place
        return jnp.where(enough, low, middle + 1), jnp.where(enough, middle, high)

    ends = jnp.ones(n_system, jnp.int32), jnp.full(n_system, n_system, jnp.int32)
    return jax.lax.fori_loop(0, n_system.bit_length(), halve, ends)[1]


def part_of(comparable: Bool[Array, "system system"]) -> Int[Array, " system"]:
    """Return for each system the first of those it can be compared with, or itself."""
    itself = jnp.eye(comparable.shape[0], dtype=bool)
    return jnp.argmax(comparable | itself, axis=1)


def root(
    covariance: Float[Array, "system system"],
) -> Float[Array, "system system"]:
    r"""Return an upper triangular $R$ with $R^\top R = \Sigma$, singular or not.

    LAPACK's Cholesky refuses singular matrices, which a jackknife over few items gives;
    then, and where there are few systems, rows are eliminated here.
    """
    if covariance.shape[0] <= FEW:
        return _eliminated(covariance)
    upper = jnp.linalg.cholesky(covariance, upper=True, symmetrize_input=False)
    return jax.lax.cond(
        jnp.all(jnp.isfinite(upper)), lambda: upper, lambda: _eliminated(covariance)
    )


def _eliminated(
    covariance: Float[Array, "system system"],
) -> Float[Array, "system system"]:
    """Return the same, passing over rows without a rest of variance.

    Between blocks of rows all work is products of matrices. No LAPACK: two batched calls
    in one program can wait for each other for ever on a machine with two cores (jaxlib
    0.10.2).
    """
    n_system = covariance.shape[0]
    diagonal = jnp.diag(covariance)
    floor = n_system * jnp.finfo(diagonal.dtype).eps * jnp.max(diagonal, initial=0)
    size = n_system if n_system <= FEW else _BLOCK
    n_block = -(-n_system // max(size, 1))
    # What fills up the last block has no variance, and so empty rows of the root.
    wide = jnp.pad(covariance, (0, n_block * size - n_system))
    column = jnp.arange(n_block * size)
    place = jnp.arange(size)

    def eliminate(
        rest: Float[Array, "size twice"], row: Int[Array, ""]
    ) -> tuple[Float[Array, "size twice"], Float[Array, " twice"]]:
        pivot = rest[row, row]
        scale = jnp.where(pivot > floor, jax.lax.rsqrt(jnp.maximum(pivot, floor)), 0)
        found = rest[row] * scale
        below = jnp.where(place < row, 0, found[:size])
        return rest - below[:, None] * found[None, :], found

    def block(
        found: Float[Array, "wide wide"], start: Int[Array, ""]
    ) -> tuple[Float[Array, "wide wide"], None]:
        zero = jnp.zeros_like(start)
        rest = jax.lax.dynamic_slice(wide, (start, zero), (size, n_block * size))
        if n_block > 1:
            above = jax.lax.dynamic_slice(found, (zero, start), (n_block * size, size))
            rest = rest - above.T @ found
        own = jax.lax.dynamic_slice(rest, (zero, start), (size, size))
        # Elimination beside the identity: its right half turns all columns alike.
        beside = jnp.concatenate([own, jnp.eye(size, dtype=own.dtype)], axis=1)
        _, turned = jax.lax.scan(eliminate, beside, place)
        rows = turned[:, size:] @ rest
        rows = jnp.where(column[None, :] < start + place[:, None], 0, rows)
        return jax.lax.dynamic_update_slice(found, rows, (start, zero)), None

    starts = jnp.arange(n_block) * size
    found, _ = jax.lax.scan(block, jnp.zeros_like(wide), starts)
    return found[:n_system, :n_system]


def _ranks_by_pairs(
    value: Float[Array, "draw system"],
    comparable: Bool[Array, "system system"],
    part: Int[Array, " system"],
    tolerance: Float[Array, ""],
) -> Int[Array, "system draw"]:
    del part

    # One system at a time: no array of system x system x draw.
    def rank_of(system: Int[Array, ""]) -> Int[Array, " draw"]:
        above = value - value[:, system][:, None] > tolerance
        above = above & comparable[system][None, :]
        return 1 + jnp.sum(above, axis=1, dtype=jnp.int32)

    return jax.lax.map(rank_of, jnp.arange(value.shape[1]))


def _ranks_by_sorting(
    value: Float[Array, "draw system"],
    comparable: Bool[Array, "system system"],
    part: Int[Array, " system"],
    tolerance: Float[Array, ""],
) -> Int[Array, "system draw"]:
    """Sort each draw part by part and look up how many of a system's part are above."""
    del comparable
    n_system = value.shape[1]
    size = jax.ops.segment_sum(jnp.ones(n_system, jnp.int32), part, n_system)
    end = jnp.cumsum(size, dtype=jnp.int32)[part]
    start = end - size[part]

    # Parts one above the other, so that one sort is all of theirs; a single one stays.
    number = (jnp.cumsum(size > 0)[part] - 1).astype(value.dtype)
    span = 2 * (jnp.max(value) - jnp.min(value))

    def ranks_of(drawn: Float[Array, " system"]) -> Int[Array, " system"]:
        drawn = drawn + span * number
        ordered = jnp.sort(drawn)

        def halve(
            _: Int[Array, ""], between: tuple[Array, Array]
        ) -> tuple[Array, Array]:
            low, high = between
            middle = (low + high) // 2
            above = ordered[jnp.minimum(middle, n_system - 1)] - drawn > tolerance
            going = low < high
            return (
                jnp.where(going & ~above, middle + 1, low),
                jnp.where(going & above, middle, high),
            )

        steps = n_system.bit_length()
        above_from, _ = jax.lax.fori_loop(0, steps, halve, (start, end))
        return 1 + end - above_from

    return jax.lax.map(ranks_of, value, batch_size=_TOGETHER).T


def _times_upper(
    noise: Float[Array, "draw system"], upper: Float[Array, "system system"]
) -> Float[Array, "draw system"]:
    """Return the product with an upper triangular matrix, much of its zeros left out."""
    n_system = upper.shape[0]
    if n_system <= FEW:
        return noise @ upper
    quarter = -(-n_system // 4)
    ends = [min(quarter * k, n_system) for k in range(5)]
    return jnp.concatenate(
        [
            noise[:, :end] @ upper[:end, start:end]
            for start, end in itertools.pairwise(ends)
        ],
        axis=1,
    )


def _gaps_of_all(
    drawn: Draws, errors: Float[Array, "draw system"]
) -> Float[Array, " draw"]:
    """Return the largest standardised difference of each draw, visiting all pairs."""
    return jax.lax.map(lambda error: _largest(error, error, drawn.inverse_sd), errors)


def _gaps_of_many(
    drawn: Draws, errors: Float[Array, "draw system"], part: Int[Array, " system"]
) -> Float[Array, " draw"]:
    r"""Return the same, visiting few pairs where a bound rules the others out.

    With $f_i$ the error less its part's mean, $\tau_i$ its standard deviation, $s_{ij}$
    that of a difference and $b_i = |f_i| \max_j (1 + \tau_j / \tau_i) / s_{ij}$, every
    $|e_i - e_j| / s_{ij}$ is at most the larger of $b_i$ and $b_j$. So the pairs of the
    systems with the largest $b$ suffice if one of them reaches the largest $b$ of the
    rest; otherwise, which takes closely correlated errors, all pairs are visited.
    """
    n_system = part.shape[0]
    count = jax.ops.segment_sum(jnp.ones_like(drawn.score), part, n_system)[part]
    same = (drawn.comparable | jnp.eye(n_system, dtype=bool)).astype(errors.dtype)
    with_mean = jnp.sum(same * drawn.covariance, axis=1) / count
    of_mean = jax.ops.segment_sum(with_mean, part, n_system)[part] / count
    square = jnp.diag(drawn.covariance) - 2 * with_mean + of_mean
    # Any positive number would do; a poor one only makes the bound less sharp.
    spread = jnp.sqrt(jnp.maximum(square, jnp.finfo(errors.dtype).tiny))
    reach = jnp.max((spread[:, None] + spread[None, :]) * drawn.inverse_sd, axis=1)
    reach = reach / spread

    def largest_gap(error: Float[Array, " system"]) -> Float[Array, ""]:
        mean = jax.ops.segment_sum(error, part, n_system)[part] / count
        # Selecting the largest of many is fast in single precision alone.
        bound = (jnp.abs(error - mean) * reach).astype(jnp.float32)
        high, at = jax.lax.top_k(bound, _EXTREME + 1)
        some = at[:_EXTREME]
        found = _largest(error[some], error, drawn.inverse_sd[some])
        rest = high[_EXTREME].astype(error.dtype) * (1 + 1e-5)
        return jax.lax.cond(
            found >= rest,
            lambda: found,
            lambda: _largest(error, error, drawn.inverse_sd),
        )

    return jax.lax.map(largest_gap, errors)


def _largest(
    row: Float[Array, " row"],
    column: Float[Array, " column"],
    scale: Float[Array, "row column"],
) -> Float[Array, ""]:
    return jnp.max(jnp.abs(row[:, None] - column[None, :]) * scale, initial=0)
