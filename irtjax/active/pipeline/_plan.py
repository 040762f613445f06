"""A plan: which items a new system is to run, settled before it runs any."""

import csv
import dataclasses
import hashlib
import io
import math
from collections.abc import Hashable, Sequence

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray

from irtjax.data import DataError

from .._acquisitions import VarianceReduction, best
from .._automatic import AutomaticDesign
from .._belief import AbstractBelief, AbstractPrior
from .._design import AbstractDesign
from .._designs import Systematic, SystematicThenGreedy, Uniform
from .._history import History
from .._population import LearnedPopulation
from .._sources import SourceErrors
from ._answers import Answers, padded
from ._items import Categories, Weights, categories_of, normalised

COLUMNS = ("order", "item", "score", "sampled", "plan")


@dataclasses.dataclass(frozen=True)
class Plan:
    """Items to run, and of which history they are.

    Attributes:
        item_ids: in the order to run them, as the history holds them.
        sampled: which of them were drawn with chances in proportion to their weights:
            on those an estimate may rest that needs no model.
        history: the fingerprint of the history.
        design: how they were chosen.
        seed: of what was drawn.
    """

    item_ids: tuple[Hashable, ...]
    sampled: Bool[np.ndarray, " pick"]
    history: str
    design: str
    seed: int

    def check(self, history: History) -> None:
        """Refuse a history that the plan was not made from.

        Raises:
            DataError: it is another one, or has changed.
        """
        check_fingerprint(self.history, history, "The plan")

    def to_csv(self) -> str:
        """Return the plan as a table whose column `score` is to be filled in."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        for k, (item, drawn) in enumerate(
            zip(self.item_ids, self.sampled, strict=True)
        ):
            writer.writerow([k + 1, item, "", int(drawn), self.history])
        return text.getvalue()


def fingerprint(history: History) -> str:
    """Return 16 hexadecimal digits that stand for a history's items and errors."""
    digest = hashlib.sha256()
    for ids in (history.item_ids, history.source_ids):
        digest.update(repr([(type(k).__name__, str(k)) for k in ids]).encode())
    observed = np.asarray(history.sources.observed)
    error = np.where(observed, np.asarray(history.sources.error, np.float64), 0.0)
    # In single precision a score is not quite what it is in double precision.
    digest.update(np.round(error, 6).tobytes())
    digest.update(observed.tobytes())
    return digest.hexdigest()[:16]


def check_fingerprint(found: str, history: History, what: str) -> None:
    """Refuse a fingerprint that is not the history's.

    Raises:
        DataError: with both.
    """
    wanted = fingerprint(history)
    if found != wanted:
        raise DataError(
            f"{what} was made from another history ({found}) than {history.source} "
            f"({wanted}): use the history that it was made from, or plan again."
        )


def make_plan(
    history: History,
    budget: int,
    *,
    prior: AbstractPrior = LearnedPopulation(),
    design: AbstractDesign = AutomaticDesign(),
    weights: Weights = None,
    categories: Categories = None,
    done: Sequence[Hashable] = (),
    seed: int = 0,
) -> Plan:
    """Return which items a new system is to run. No outcome of it is known or used.

    Args:
        history: of the other systems.
        budget: how many items.
        prior: what the history lets one believe.
        design: how items are chosen.
        weights: of the items in the mean that is wanted; all alike if None.
        categories: of the items; the budget is shared out in proportion to their
            weights, and each category gets a plan of its own.
        done: items that have been run already, whose scores will be used as well.
        seed: of whatever is drawn.

    Raises:
        DataError: if the budget is not from 1 to the number of items that count and
            are not done, or weights or categories do not fit.
    """
    weight = normalised(history, weights)
    names, number = categories_of(history, categories)
    weight[history.positions(done)] = 0.0
    left = int(np.count_nonzero(weight))
    if not 1 <= budget <= left:
        raise DataError(
            f"budget= must be from 1 to {left:,}, the items that count and were not "
            f"run; got {budget}."
        )
    belief = _begin(prior, history.sources, jnp.asarray(history.positions(done)))
    key = jax.random.key(seed)
    picks, sampled = [], []
    for k, share in enumerate(_shares(weight, number, len(names), budget)):
        if share == 0:
            continue
        own = np.where(number == k, weight, 0) if names else weight
        at = jnp.asarray(own / own.sum(), history.sources.error.dtype)
        found = _chosen(design, belief, at, share, key=jax.random.fold_in(key, k))
        first = _n_sampled(design, belief, share)
        # A run that is broken off leaves a part of the sample that is not all easy.
        turn = np.asarray(
            jax.random.permutation(jax.random.fold_in(key, len(names) + 1 + k), first)
        )
        found = np.asarray(found)
        picks.append(np.concatenate([found[:first][turn], found[first:]]))
        sampled.append(np.arange(share) < first)
    items, drawn = np.concatenate(picks), np.concatenate(sampled)
    # The samples of all categories first.
    order = np.argsort(~drawn, kind="stable")
    return Plan(
        tuple(history.item_ids[k] for k in items[order]),
        drawn[order],
        fingerprint(history),
        type(design).__name__,
        seed,
    )


def next_item(
    history: History,
    answers: Answers,
    *,
    prior: AbstractPrior = LearnedPopulation(),
    weights: Weights = None,
) -> Hashable | None:
    """Return the item whose answer would tell most of the mean, given those so far.

    Args:
        history: of the other systems.
        answers: of the new one, as they came in.
        prior: what the history lets one believe.
        weights: of the items in the mean that is wanted.

    Returns:
        The item's identifier; None if all that count have an answer.

    Raises:
        DataError: if the weights do not fit.
    """
    weight = normalised(history, weights)
    seen = weight == 0
    seen[answers.item] = True
    if seen.all():
        return None
    items, errors, noise = padded(history, answers)
    item = _most_telling(
        prior,
        history.sources,
        items,
        errors,
        noise,
        jnp.asarray(weight),
        jnp.asarray(seen),
    )
    return history.item_ids[int(item)]


@eqx.filter_jit
def _begin(
    prior: AbstractPrior, sources: SourceErrors, done: Int[Array, " done"]
) -> AbstractBelief:
    belief = prior(sources)
    expected = belief.mean()[done]
    return belief.condition(done, expected, jnp.zeros_like(expected))


@eqx.filter_jit
def _chosen(
    design: AbstractDesign,
    belief: AbstractBelief,
    weights: Float[Array, " item"],
    budget: int,
    *,
    key: PRNGKeyArray,
) -> Int[Array, " pick"]:
    return design(belief, weights, budget, key=key)


@eqx.filter_jit
def _most_telling(
    prior: AbstractPrior,
    sources: SourceErrors,
    items: Int[Array, " pick"],
    errors: Float[Array, " pick"],
    noise: Float[Array, " pick"],
    weights: Float[Array, " item"],
    seen: Bool[Array, " item"],
) -> Int[Array, ""]:
    belief = prior(sources).condition(items, errors, noise)
    return best(VarianceReduction(weights)(belief, seen))


def _shares(
    weight: Float[np.ndarray, " item"],
    number: Int[np.ndarray, " item"],
    n_category: int,
    budget: int,
) -> list[int]:
    """Return how many items each category gets: largest remainders, none too many."""
    if n_category == 0:
        return [budget]
    room = np.array([np.count_nonzero(weight[number == k]) for k in range(n_category)])
    total = np.array([weight[number == k].sum() for k in range(n_category)])
    share = np.zeros(n_category, int)
    while share.sum() < budget:
        # The one that is farthest below what it is due.
        due = np.where(share < room, total / total.sum() * budget - share, -np.inf)
        share[int(np.argmax(due))] += 1
    return share.tolist()


def _n_sampled(design: AbstractDesign, belief: AbstractBelief, budget: int) -> int:
    """Return how many of a plan's first items were drawn by chance."""
    if isinstance(design, Systematic | Uniform):
        return budget
    if isinstance(design, SystematicThenGreedy):
        return math.ceil(design.share * budget)
    if isinstance(design, AutomaticDesign):
        return budget - design.greedy_part(belief, budget)
    return 0
