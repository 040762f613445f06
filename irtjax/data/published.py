"""The data of arXiv:2605.11205, drawn again: NumPy's generator, call for call.

The published 150-condition sweep can be repeated bit for bit only with the generator
and the order of calls of its script. This is the one place of the library that seeds
NumPy; everything new is drawn with JAX keys.

References:
    Kang (2026), "The Scaling Law of Evaluation Failure", arXiv:2605.11205, and the
    author's script and outputs (CC BY 4.0).
"""

from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Bool, Float

N_SYSTEM = 10
N_ITEM = 10
N_TRIAL = 100
N_SEED = 15
_MCAR_OFFSET = 50_000


class Condition(NamedTuple):
    """One cell of the published grid.

    Attributes:
        cell_number: from 1 to 150, the sparsity changing slowest.
        sparsity: the nominal share of cells left out, 0 to 0.70.
        gap: the highest difficulty less the lowest, 0.5 to 5 logits.
    """

    cell_number: int
    sparsity: float
    gap: float


class Dataset(NamedTuple):
    """One published data set.

    Attributes:
        successes: out of `trials`; 0 where not observed.
        trials: 100 where observed, otherwise 0.
    """

    successes: Float[np.ndarray, "system item"]
    trials: Float[np.ndarray, "system item"]


def conditions() -> list[Condition]:
    """Return the 150 conditions in the published order."""
    grid = [(round(0.05 * s, 2), 0.5 * d) for s in range(15) for d in range(1, 11)]
    return [Condition(c, sparsity, gap) for c, (sparsity, gap) in enumerate(grid, 1)]


def dataset(
    sparsity: float,
    gap: float,
    cell_number: int,
    seed: int,
    mask: Literal["assortative", "mcar"],
) -> Dataset:
    """Return the published data of one condition, seed and mask.

    Args:
        sparsity: of the condition.
        gap: of the condition, in logits.
        cell_number: of the condition; with the seed it decides the draws.
        seed: from 0 to 14 in the published sweep.
        mask: "assortative" (the paper's difficulty-biased) or "mcar". Note that mcar's
            seed s starts where assortative's seed s + 5 does: the two are not
            independent.

    Raises:
        ValueError: if `mask` is neither.
    """
    if mask not in ("assortative", "mcar"):
        raise ValueError(f"`mask` must be 'assortative' or 'mcar', got {mask!r}.")
    ability = np.linspace(-2, 2, N_SYSTEM)
    difficulty = np.linspace(-gap / 2, gap / 2, N_ITEM)
    discrimination = np.linspace(1, 3, N_ITEM)
    offset = _MCAR_OFFSET if mask == "mcar" else 0
    rng = np.random.default_rng(seed * 10_000 + offset + cell_number)
    observed = np.ones((N_SYSTEM, N_ITEM), bool)
    if sparsity > 0:
        weight = _weight(ability, difficulty) if mask == "assortative" else None
        observed = _mask(weight, sparsity, rng)
    logit = discrimination * (ability[:, None] - difficulty)
    probability = 1 / (1 + np.exp(-logit))
    successes = np.zeros(observed.shape)
    # One call on an array takes the same numbers from the stream, in row-major order,
    # as the script's call for each cell.
    successes[observed] = rng.binomial(N_TRIAL, probability[observed])
    return Dataset(successes, np.where(observed, float(N_TRIAL), 0.0))


def published_average(
    successes: Float[np.ndarray, "system item"],
    trials: Float[np.ndarray, "system item"],
) -> Float[np.ndarray, " system"]:
    """Return each system's simple average with the published arithmetic.

    The mean of y/n over observed items, summed in the order of the items. Its rounding
    breaks exact ties, and 35 of the 3,000 published rank correlations depend on that; a
    ranker of the library treats ties exactly. NaN for a system with no data.
    """
    observed = trials > 0
    average = np.full(len(trials), np.nan)
    for j in np.flatnonzero(observed.any(axis=1)):
        run = observed[j]
        average[j] = np.mean(successes[j, run] / trials[j, run])
    return average


def _weight(
    ability: Float[np.ndarray, " system"], difficulty: Float[np.ndarray, " item"]
) -> Float[np.ndarray, "system item"]:
    t = (ability - ability.min()) / (ability.max() - ability.min() + 1e-10)
    d = (difficulty - difficulty.min()) / (difficulty.max() - difficulty.min() + 1e-10)
    weight = (1 - np.abs(t[:, None] - d)) ** 2
    return weight / weight.sum()


def _mask(
    weight: Float[np.ndarray, "system item"] | None,
    sparsity: float,
    rng: np.random.Generator,
) -> Bool[np.ndarray, "system item"]:
    """Return the observed cells; equal weights where `weight` is None.

    Without weights NumPy's `choice` takes other numbers from the stream than with equal
    ones, so the two cases stay apart.
    """
    observed = np.zeros((N_SYSTEM, N_ITEM), bool)
    for j in range(N_SYSTEM):
        p = None if weight is None else weight[j] / weight[j].sum()
        observed[j, rng.choice(N_ITEM, 2, replace=False, p=p)] = True
    for i in range(N_ITEM):
        short = 3 - observed[:, i].sum()
        if short > 0:
            free = np.flatnonzero(~observed[:, i])
            p = None if weight is None else _normalised(weight[free, i])
            observed[rng.choice(free, short, replace=False, p=p), i] = True
    target = max(round(N_SYSTEM * N_ITEM * (1 - sparsity)), 2 * N_SYSTEM)
    left = target - observed.sum()
    if left > 0:
        free = np.flatnonzero(~observed)
        p = None if weight is None else _normalised(weight.reshape(-1)[free])
        observed.reshape(-1)[rng.choice(free, left, replace=False, p=p)] = True
    return observed


def _normalised(weight: Float[np.ndarray, " cell"]) -> Float[np.ndarray, " cell"]:
    return weight / (weight.sum() + 1e-20)
