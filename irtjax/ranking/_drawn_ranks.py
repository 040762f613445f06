"""Ranks of systems over draws of their scores, such as those from a posterior."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int


class DrawnRanks(eqx.Module):
    """What draws of the scores say of ranks; rank 1 is the best.

    Attributes:
        mean: mean rank.
        lower: best rank within the interval; each system's own, not all at once.
        upper: worst rank within the interval.
        p_best: share of the draws in which the system is best, ties shared out.
        p_beats: share in which the row's system is above the column's, ties counting
            half; 1/2 on the diagonal.
    """

    mean: Float[Array, " system"]
    lower: Float[Array, " system"]
    upper: Float[Array, " system"]
    p_best: Float[Array, " system"]
    p_beats: Float[Array, "system system"]


@eqx.filter_jit
def ranks_of_draws(
    scores: Float[Array, "draw system"], *, level: float | Float[Array, ""] = 0.95
) -> DrawnRanks:
    """Return the distribution of ranks over draws.

    The ranks are whole numbers, so an interval holds `level` of the draws or more.

    Args:
        scores: higher is better; all chains' draws one after another. For a sampled
            model the first column of `value.system`.
        level: share of the draws that an interval holds, within (0, 1).

    Raises:
        ValueError: if there is no draw.
    """
    draws, n_system = scores.shape
    if draws == 0:
        raise ValueError("Ranks need at least one draw, got none.")
    value = scores.T
    dtype = scores.dtype

    # One system at a time: no array of system x system x draw.
    def against_all(system: Int[Array, ""]):
        other = value[system][None, :]
        above = value > other
        tied = value == other
        rank = 1 + jnp.sum(above, axis=0, dtype=dtype)
        first = jnp.where(rank == 1, 1 / jnp.sum(tied, axis=0, dtype=dtype), 0)
        losses = jnp.mean(above, axis=1, dtype=dtype)
        ties = jnp.mean(tied, axis=1, dtype=dtype)
        mean = rank + (jnp.sum(tied, axis=0, dtype=dtype) - 1) / 2
        return (
            jnp.sort(rank),
            jnp.mean(first),
            1 - losses - ties / 2,
            jnp.mean(mean),
        )

    rank, p_best, p_beats, mean = jax.lax.map(against_all, jnp.arange(n_system))
    outside = jnp.floor(draws * (1 - jnp.asarray(level, dtype)) / 2).astype(int)
    return DrawnRanks(
        mean, rank[:, outside], rank[:, draws - 1 - outside], p_best, p_beats
    )
