"""Tables to fit when fits are measured: the published ones, and random ones of a size."""

import dataclasses
from collections.abc import Iterator

import numpy as np
from jaxtyping import Float
from scipy.special import expit

from irtjax.data import published

from ._lbfgsb import ABILITY_SD, DIFFICULTY_SD, LOG_SLOPE_SD


@dataclasses.dataclass(frozen=True)
class Tables:
    """Tables of one size.

    Attributes:
        successes: from 0 to `trials`.
        trials: 0 where the system did not run the item.
    """

    successes: Float[np.ndarray, "problem system item"]
    trials: Float[np.ndarray, "problem system item"]

    def __len__(self) -> int:
        return self.trials.shape[0]

    def each(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Return the tables one by one, as (successes, trials)."""
        return zip(self.successes, self.trials, strict=True)


def stack(pairs: list[tuple[np.ndarray, np.ndarray]]) -> Tables:
    """Return tables of one size, given as pairs of successes and trials, as `Tables`."""
    successes, trials = zip(*pairs, strict=True)
    return Tables(np.stack(successes).astype(float), np.stack(trials).astype(float))


def published_tables(*, complete: bool) -> Tables:
    """Return the assortative data sets of arXiv:2605.11205, 10 x 10, 100 trials a cell.

    Args:
        complete: with the 150 data sets in which every cell is observed (2,250 in all)
            or without them (2,100).
    """
    return stack(
        [
            published.dataset(sparsity, gap, cell_number, seed, "assortative")
            for cell_number, sparsity, gap in published.conditions()
            if complete or sparsity > 0
            for seed in range(published.N_SEED)
        ]
    )


def random_table(
    rng: np.random.Generator,
    n_system: int,
    n_item: int,
    *,
    sparsity: float,
    trials: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Return successes and trials of one table drawn from the priors of the 2PL.

    The cells that stay are drawn evenly; every system keeps at least one.

    Args:
        rng: where the draws come from.
        n_system: number of rows.
        n_item: number of columns.
        sparsity: the expected share of cells that are not observed.
        trials: answers in each observed cell.
    """
    ability = rng.normal(0, ABILITY_SD, n_system)
    difficulty = rng.normal(0, DIFFICULTY_SD, n_item)
    discrimination = np.exp(rng.normal(0, LOG_SLOPE_SD, n_item))
    observed = rng.random((n_system, n_item)) >= sparsity
    observed[np.arange(n_system), rng.integers(n_item, size=n_system)] = True
    n = np.where(observed, trials, 0)
    y = rng.binomial(n, expit(discrimination * (ability[:, None] - difficulty)))
    return y.astype(float), n.astype(float)


def random_tables(
    n_problem: int, n_system: int, n_item: int, *, trials: int, seed: int
) -> Tables:
    """Return tables of one size, each with its own sparsity between 0 and .7."""
    rng = np.random.default_rng(seed)
    return stack(
        [
            random_table(
                rng, n_system, n_item, sparsity=rng.uniform(0, 0.7), trials=trials
            )
            for _ in range(n_problem)
        ]
    )
