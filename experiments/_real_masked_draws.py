"""Data sets of real answers: some items of a complete matrix, with cells hidden."""

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import polars as pl
from jaxtyping import Array, Float, Key

from irtjax.data import AbstractMask, BinomialResponses, Truth
from irtjax.ranking import empirical_logits

from ._draws import Draws, condition_key, problem_keys
from ._matrices import load_errors
from ._schema import MASKS
from ._tables import RANKED

ITEMS_FROM = ("matrix", "items")
"""The settings that say, with the seed, which items a data set has."""

MASK_FROM = ("matrix", "items", "mask", "sparsity")
"""The settings that say, with the seed, which of its cells are hidden."""

MOST_TRIALS = 10
"""Answers a cell that a share of successes is looked for in."""

ROW = {
    "matrix": pl.String,
    "mask": pl.String,
    "sparsity": pl.Float64,  # nominal share of cells hidden
    "items": pl.Int64,  # at most, of each data set
    **RANKED,
}
"""Columns of a record's `runs.parquet`: one row a data set and ranker.

Rhos are against the plain mean of the data set before hiding.
"""


class Matrix(NamedTuple):
    """A complete matrix.

    Attributes:
        responses: every system on every item.
        truth: what the masks go by, from the whole matrix: the logits of each system's
            and each item's share of successes. On a complete table with equal trials a
            1PL orders both sides alike.
    """

    responses: BinomialResponses
    truth: Truth


@functools.cache
def load_matrix(name: str, folder: Path) -> Matrix:
    """Return a matrix from `<folder>/<name>_labels.csv`, higher is better.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: scores that are no shares of a few answers.
    """
    share = 1 - load_errors(name, folder).T
    counts = np.array([trials_of(row) for row in share])
    if not counts.all():
        raise ValueError(
            f"{name}_labels.csv: the scores of system {int(counts.argmin())}, counted "
            f"from 0, are no shares of 1 to {MOST_TRIALS} answers."
        )
    trials = np.broadcast_to(counts[:, None], share.shape).astype(float)
    responses = BinomialResponses(
        jnp.asarray(np.round(share * trials)), jnp.asarray(trials)
    )
    right, of = responses.successes, responses.trials
    ability = empirical_logits(
        jnp.sum(right, axis=1, keepdims=True), jnp.sum(of, axis=1, keepdims=True)
    )
    easiness = empirical_logits(
        jnp.sum(right, axis=0, keepdims=True), jnp.sum(of, axis=0, keepdims=True)
    )
    flat = jnp.ones(share.shape[1], right.dtype)
    return Matrix(responses, Truth(ability[:, 0], -easiness[0], flat))


def trials_of(share: Float[np.ndarray, " item"]) -> int:
    """Return the fewest answers that all these shares of successes can be of.

    Shares may be rounded to three decimals. 0 where no number up to `MOST_TRIALS` does.
    """
    for trials in range(1, MOST_TRIALS + 1):
        if np.all(np.abs(share * trials - np.round(share * trials)) < 0.01):
            return trials
    return 0


def draw(settings: dict[str, Any], seeds: Sequence[int], folder: Path) -> Draws:
    """Return a condition's data sets.

    Args:
        settings: of the condition.
        seeds: which data sets. A seed has the same items under every mask.
        folder: holds the matrices.
    """
    matrix = load_matrix(settings["matrix"], folder)
    numbers = jnp.asarray(seeds)
    items = problem_keys(condition_key(settings, ITEMS_FROM), numbers).truth
    hidden = problem_keys(condition_key(settings, MASK_FROM), numbers).mask
    n_item = min(settings["items"], matrix.responses.shape[1])
    sparsity = jnp.asarray(float(settings["sparsity"]))
    mask = MASKS[settings["mask"]]
    return Draws(*_draw(mask, matrix, n_item, sparsity, items, hidden))


@eqx.filter_jit
def _draw(
    mask: AbstractMask,
    matrix: Matrix,
    n_item: int,
    sparsity: Float[Array, ""],
    item_keys: Key[Array, " problem"],
    mask_keys: Key[Array, " problem"],
) -> tuple[BinomialResponses, Float[Array, "problem system"]]:
    whole, truth = matrix

    def one(
        item_key: Key[Array, ""], mask_key: Key[Array, ""]
    ) -> tuple[BinomialResponses, Float[Array, " system"]]:
        chosen = jax.random.permutation(item_key, whole.shape[1])[:n_item]
        complete = BinomialResponses(
            whole.successes[:, chosen], whole.trials[:, chosen]
        )
        here = Truth(
            truth.ability, truth.difficulty[chosen], truth.discrimination[chosen]
        )
        observed = mask(here, sparsity, key=mask_key)
        return complete.hide(observed), jnp.mean(complete.mean_score(), axis=1)

    return jax.vmap(one)(item_keys, mask_keys)
