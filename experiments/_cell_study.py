"""How many evaluations a choice of cells takes to rank as well as random ones do.

Every table is started from a random part of its cells. Batch after batch, each choice
adds cells, whose results are then looked up; after each the ranking is fitted anew. A
ranking's error is the share of pairs of systems in the wrong order, ties by half.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import scipy.optimize
from jaxtyping import Array, Bool, Float, Key, PRNGKeyArray

from irtjax.active.cells import AbstractCellChoice, cell_belief, choose_cells
from irtjax.data import MCAR, BinomialResponses, Truth, read_table
from irtjax.irt import RESULTS, AbstractLogitModel, Estimate, TwoPL, fit, fit_many


class Tables(NamedTuple):
    """Complete tables, of which parts are hidden, and the orders that are right.

    Attributes:
        outcome: of one evaluation of every cell, from 0 to 1.
        truth: what the systems are rightly ordered by, higher is better.
        start: which cells are there at the start.
    """

    outcome: Float[Array, "table system item"]
    truth: Float[np.ndarray, "table system"]
    start: Bool[Array, "table system item"]


class CellPath(NamedTuple):
    """What became of one choice's tables.

    Attributes:
        spent: evaluations added to each table by then.
        error: mean over tables of the share of misordered pairs.
        failed: fits that did not converge, over all tables and batches.
    """

    spent: Float[np.ndarray, " batch"]
    error: Float[np.ndarray, " batch"]
    failed: int


def simulated(
    n_table: int, n_system: int, n_item: int, *, key: PRNGKeyArray
) -> tuple[Float[Array, "table system item"], Truth]:
    """Return single answers whose truths come from the 2PL's default priors.

    Args:
        n_table: how many tables.
        n_system: systems of each.
        n_item: items of each.
        key: of truths and answers.

    Returns:
        The answers, and the truths with a leading table axis.
    """
    keys = jax.random.split(key, 4)
    ability = jax.random.normal(keys[0], (n_table, n_system))
    difficulty = 2 * jax.random.normal(keys[1], (n_table, n_item))
    slope = jnp.exp(0.5 * jax.random.normal(keys[2], (n_table, n_item)))
    logit = slope[:, None, :] * (ability[:, :, None] - difficulty[:, None, :])
    right = jax.random.bernoulli(keys[3], jax.nn.sigmoid(logit))
    return right.astype(ability.dtype), jax.vmap(Truth)(ability, difficulty, slope)


def masked(
    outcome: Float[Array, "table system item"],
    truth: Truth,
    sparsity: float,
    *,
    key: PRNGKeyArray,
) -> Tables:
    """Return tables that start completely at random, every item run by three systems.

    Args:
        outcome: of every cell.
        truth: with a leading table axis.
        sparsity: the share of cells to hide.
        key: of the masks.
    """
    keys = jax.random.split(key, outcome.shape[0])
    start = jax.vmap(lambda t, k: MCAR()(t, sparsity, key=k))(truth, keys)
    return Tables(outcome, np.asarray(truth.ability), start)


def scattered(
    outcome: Float[Array, "table system item"],
    truth: Truth,
    share: float,
    *,
    key: PRNGKeyArray,
) -> Tables:
    """Return tables that start with cells here and there, items without any included.

    Args:
        outcome: of every cell.
        truth: with a leading table axis.
        share: the chance of each cell to be there.
        key: of the starts.
    """
    start = jax.random.uniform(key, outcome.shape) < share
    return Tables(outcome, np.asarray(truth.ability), start)


def hidden(
    file: Path, n_table: int, share: float, *, key: PRNGKeyArray
) -> tuple[Tables, Float[np.ndarray, "table system"]]:
    """Return copies of a real table of failure labels with most cells hidden.

    The right order is the one that the same fit gives to the complete table.

    Args:
        file: one item a row, one column of labels a system, 1 = failure.
        n_table: how many copies, each with its own start.
        share: of the cells that are there at the start.
        key: of the starts.

    Returns:
        The tables, and the systems' plain means over the complete one.
    """
    table = read_table(file, systems_in="columns", score_is="failure")
    outcome = table.responses.mean_score()
    whole = fit(TwoPL(), BinomialResponses(outcome, jnp.ones_like(outcome)))
    if int(whole.code) != RESULTS.successful:
        raise ValueError(f"{file.name}: the fit of the complete table failed.")
    shape = (n_table, *outcome.shape)
    start = jax.random.uniform(key, shape) < share
    truth = np.broadcast_to(np.asarray(whole.value.system[:, 0]), shape[:2])
    means = np.broadcast_to(np.asarray(jnp.mean(outcome, axis=1)), shape[:2])
    return Tables(jnp.broadcast_to(outcome, shape), truth, start), means


def follow(
    tables: Tables,
    choice: AbstractCellChoice,
    batch: int,
    rounds: int,
    *,
    key: PRNGKeyArray,
    other_truth: Float[np.ndarray, "table system"] | None = None,
) -> tuple[CellPath, CellPath | None]:
    """Return the errors of one choice as its tables fill up.

    Args:
        tables: where each starts.
        choice: which cells are added.
        batch: how many at a time.
        rounds: how often.
        key: of whatever the choice draws.
        other_truth: a second thing that systems may be rightly ordered by.
    """
    model = TwoPL()
    observed, errors, others, failed = tables.start, [], [], 0
    for number in range(rounds + 1):
        seen = observed.astype(tables.outcome.dtype)
        shown = jax.vmap(BinomialResponses)(tables.outcome * seen, seen)
        found = fit_many(model, shown)
        failed += int(jnp.sum(found.code != RESULTS.successful))
        score = np.asarray(found.value.system[:, :, 0])
        errors.append(misordered(score, tables.truth).mean())
        if other_truth is not None:
            others.append(misordered(score, other_truth).mean())
        if number < rounds:
            own = jax.random.fold_in(key, number)
            keys = jax.random.split(own, observed.shape[0])
            observed = _add(
                choice, model, tables.outcome, observed, found.value, batch, keys
            )
    spent = np.arange(rounds + 1.0) * batch
    second = CellPath(spent, np.array(others), failed) if others else None
    return CellPath(spent, np.array(errors), failed), second


@eqx.filter_jit
def _add(
    choice: AbstractCellChoice,
    model: AbstractLogitModel,
    outcome: Float[Array, "table system item"],
    observed: Bool[Array, "table system item"],
    estimate: Estimate,  # with a leading table axis
    batch: int,
    keys: Key[Array, " table"],
) -> Bool[Array, "table system item"]:
    def one(parts) -> Bool[Array, "system item"]:
        outcome, observed, estimate, key = parts
        seen = observed.astype(outcome.dtype)
        table = BinomialResponses(outcome * seen, seen)
        belief = cell_belief(model, table, estimate)
        return choose_cells(choice, belief, batch, key=key).belief.observed

    return jax.lax.map(one, (outcome, observed, estimate, keys))


def misordered(
    score: Float[np.ndarray, "table system"], truth: Float[np.ndarray, "table system"]
) -> Float[np.ndarray, " table"]:
    """Return the share of pairs in the wrong order; a tie of scores counts half."""
    got = np.sign(score[:, :, None] - score[:, None, :])
    right = np.sign(truth[:, :, None] - truth[:, None, :])
    wrong = np.where(got == 0, 0.5, got != right) * (right != 0)
    return wrong.sum(axis=(1, 2)) / np.maximum((right != 0).sum(axis=(1, 2)), 1)


def needed(path: CellPath, level: float) -> float:
    """Return how many evaluations bring the mean error down to a level.

    The mean error is first made to fall throughout, by isotonic regression, so that a
    lucky batch does not count; between batches it is taken as straight.

    Returns:
        Infinity where the level is never reached.
    """
    falling = scipy.optimize.isotonic_regression(path.error, increasing=False).x
    if falling[-1] > level:
        return float("inf")
    k = int(np.argmax(falling <= level))
    if k == 0:
        return 0.0
    share = (falling[k - 1] - level) / (falling[k - 1] - falling[k])
    return float(path.spent[k - 1] + share * (path.spent[k] - path.spent[k - 1]))


def ratios(
    paths: Mapping[str, CellPath], shares: tuple[float, ...]
) -> dict[str, list[float]]:
    """Return each choice's evaluations over those of random cells, error for error.

    Args:
        paths: by name of the choice; `random` among them.
        shares: of random's evaluations, at which its error sets the level.
    """
    falling = scipy.optimize.isotonic_regression(
        paths["random"].error, increasing=False
    ).x
    spent = paths["random"].spent
    found: dict[str, list[float]] = {name: [] for name in paths}
    for share in shares:
        at = share * spent[-1]
        level = float(np.interp(at, spent, falling))
        # Where random's error stands still, it had reached the level before.
        first = needed(paths["random"], level)
        for name, path in paths.items():
            found[name].append(needed(path, level) / first if first else float("nan"))
    return found
