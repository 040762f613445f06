"""Whether which cells are missing depends on how able systems or how hard items are."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

from .._metrics import spearman
from ._truths import PlausibleTruths

SURE = 0.975
"""A chance beyond which a dependence is called one."""


class Effect(NamedTuple):
    """A quantity that would be 0 if missing cells were an accident.

    Attributes:
        mean: over plausible truths.
        lower: 95 % interval.
        upper: 95 % interval.
        chance_positive: that it is above 0.
    """

    mean: float
    lower: float
    upper: float
    chance_positive: float

    @property
    def sign(self) -> int:
        """Return 1 or -1 where the sign is all but sure, else 0."""
        if self.chance_positive >= SURE:
            return 1
        return -1 if self.chance_positive <= 1 - SURE else 0


class Missingness(NamedTuple):
    """Three ways in which missing cells can depend on what is measured.

    Attributes:
        pairing: positive if stronger systems ran harder items; log-odds per squared
            logit, see `SelectionTwoPL`. This is what misleads a plain average.
        by_ability: Spearman's rho between a system's ability and how many items it ran.
        by_difficulty: the same of an item's difficulty and how many systems ran it.
    """

    pairing: Effect
    by_ability: Effect
    by_difficulty: Effect


def missingness(
    truths: PlausibleTruths, observed: Bool[Array, "system item"]
) -> Missingness | None:
    """Return how missing cells depend on abilities and difficulties.

    None where nothing is missing.

    Args:
        truths: drawn given the table.
        observed: which cells are.
    """
    if bool(jnp.all(observed)):
        return None
    count = observed.astype(truths.selection.dtype)
    rows, columns = _correlations(
        truths.truth.system[:, :, 0],
        truths.truth.item[:, :, 0],
        jnp.sum(count, axis=1),
        jnp.sum(count, axis=0),
    )
    return Missingness(_effect(truths.selection), _effect(rows), _effect(columns))


@jax.jit
def _correlations(
    ability: Float[Array, "draw system"],
    difficulty: Float[Array, "draw item"],
    by_system: Float[Array, " system"],
    by_item: Float[Array, " item"],
) -> tuple[Float[Array, " draw"], Float[Array, " draw"]]:
    def one(draw):
        ability, difficulty = draw
        return spearman(ability, by_system), spearman(difficulty, by_item)

    return jax.lax.map(one, (ability, difficulty), batch_size=256)


def _effect(draws: Float[Array, " draw"]) -> Effect:
    """Return the summary of draws; all alike counts as none, with an even chance."""
    values = np.asarray(draws, np.float64)
    if np.isnan(values).all():  # as many cells in every row: nothing to correlate with
        return Effect(0.0, 0.0, 0.0, 0.5)
    values = values[~np.isnan(values)]
    lower, upper = np.quantile(values, [0.025, 0.975])
    above = np.mean((values > 0) + 0.5 * (values == 0))
    return Effect(float(values.mean()), float(lower), float(upper), float(above))


def chance_in_words(chance: float) -> str:
    """Return a chance to three digits, never as certain as draws cannot tell."""
    if chance > 0.999:
        return "over 0.999"
    return "under 0.001" if chance < 0.001 else f"{chance:.3f}"
