"""From a labelled table to the cells to run next, with names and reasons."""

import dataclasses
import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Bool, Float, Float64, Int

from irtjax.data import BinomialResponses, LongResponses, ResponseTable
from irtjax.irt import MESSAGES, RESULTS, AbstractLogitModel, TwoPL, fit

from ._belief import cell_belief
from ._choice import CHOICES, AbstractCellChoice, ExpectedGain, choose_cells
from ._utility import AbstractUtility, AllRanks


@dataclasses.dataclass(frozen=True)
class NextCells:
    """Cells to run, the most telling first, and what to expect of them.

    Attributes:
        source: the table's name.
        choice: how they were chosen.
        system_ids: of each cell, as the table holds them.
        item_ids: likewise.
        value: what each was worth, per unit of cost, when it was its turn.
        cost: of each.
        error: expected number of wrong signs (misordered pairs, systems on the wrong
            side of the top) by what is known now; None where nothing of the kind was
            asked for.
        error_after: the same once the cells have been run.
        most_error: how large it could be at most.
        seed: of what was drawn.
    """

    source: str
    choice: str
    system_ids: tuple[Hashable, ...]
    item_ids: tuple[Hashable, ...]
    value: Float64[np.ndarray, " cell"]
    cost: Float64[np.ndarray, " cell"]
    error: float
    error_after: float
    most_error: float
    seed: int

    def by_system(self) -> dict[Hashable, tuple[Hashable, ...]]:
        """Return the items that each system is to run, in order."""
        found: dict[Hashable, tuple[Hashable, ...]] = {}
        for system, item in zip(self.system_ids, self.item_ids, strict=True):
            found[system] = (*found.get(system, ()), item)
        return found


def next_cells(
    table: ResponseTable,
    *,
    budget: float | int,
    utility: AbstractUtility = AllRanks(),
    choice: str | AbstractCellChoice | None = None,
    model: AbstractLogitModel = TwoPL(),
    trials: float | int | None = None,
    cost: Mapping[Any, float | int] | Float[np.ndarray, "system item"] | None = None,
    systems: Sequence[Hashable] | None = None,
    rerun: bool = False,
    seed: int = 0,
) -> NextCells:
    """Return the cells of an incomplete table whose evaluation helps the ranking most.

    Args:
        table: of right and wrong answers.
        budget: how much the cells may cost in all; without costs, how many cells.
        utility: which errors of the ranking count.
        choice: a name out of `CHOICES`, or a choice; if None, the largest expected gain
            of the utility per unit cost.
        model: what is fitted; one ability a system.
        trials: how many answers one evaluation of a cell gives; if None, the median of
            the cells that have a result.
        cost: of one evaluation: by item, or of every cell; positive. 1 where None.
        systems: only cells of these; all if None.
        rerun: whether cells that have a result may be run again.
        seed: of whatever is drawn, ties among items included.

    Raises:
        ValueError: if the fit failed, the table has no such cells, or a setting is out
            of range.
    """
    responses = table.responses
    if isinstance(responses, LongResponses):
        responses = responses.dense()
    if not isinstance(responses, BinomialResponses):
        raise ValueError(
            f"{table.source}: choosing cells needs counts of right and wrong answers; "
            "declare how many stand behind a score with trials=."
        )
    if not (math.isfinite(budget) and budget > 0):
        raise ValueError(f"budget= must be positive, got {budget}.")
    if trials is None:
        counts = np.asarray(responses.trials)
        trials = float(np.median(counts[counts > 0]))
    if not (math.isfinite(trials) and trials > 0):
        raise ValueError(f"`trials` must be positive, got {trials}.")
    price = _prices(table, cost)
    allowed = _allowed(table, np.asarray(responses.observed()), systems, rerun)
    chosen, name = _named_choice(choice, utility)
    result = fit(model, responses)
    code = RESULTS(int(result.code))
    if code is not RESULTS.successful:
        raise ValueError(f"{table.source}: the fit failed ({MESSAGES[code]}).")
    within = np.sort(price[allowed])
    most = int(np.searchsorted(np.cumsum(within), budget * (1 + 1e-12), side="right"))
    if most == 0:
        raise ValueError(
            f"budget= of {budget:g} buys no cell: the cheapest costs {within[0]:g}."
        )
    dtype = result.value.system.dtype
    belief = cell_belief(model, responses, result.value, trials=float(trials))
    found = choose_cells(
        chosen,
        belief,
        most,
        key=jax.random.key(seed),
        allowed=jnp.asarray(allowed),
        cost=jnp.asarray(price, dtype),
        budget=float(budget),
    )
    system, item = np.asarray(found.system), np.asarray(found.item)
    kept = system >= 0
    system, item = system[kept], item[kept]
    before, after = belief.ability_covariance, found.belief.ability_covariance
    _, costs = utility.contrasts(belief.ability)
    return NextCells(
        source=table.source,
        choice=name,
        system_ids=tuple(table.system_ids[k] for k in system),
        item_ids=tuple(table.item_ids[k] for k in item),
        value=np.asarray(found.value, np.float64)[kept],
        cost=np.asarray(price[system, item], np.float64),
        error=float(utility.error(belief.ability, before)),
        error_after=float(utility.error_after(belief.ability, before, after)),
        most_error=float(jnp.sum(costs)),
        seed=seed,
    )


def _prices(
    table: ResponseTable,
    cost: Mapping[Any, float | int] | Float[np.ndarray, "system item"] | None,
) -> Float64[np.ndarray, "system item"]:
    shape = len(table.system_ids), len(table.item_ids)
    if cost is None:
        return np.ones(shape)
    if isinstance(cost, Mapping):
        absent = [each for each in table.item_ids if each not in cost]
        if absent:
            raise ValueError(f"There is no cost of item {absent[0]!r}.")
        row = np.array([float(cost[each]) for each in table.item_ids])
        cost = np.broadcast_to(row, shape)
    price = np.asarray(cost, np.float64)
    if price.shape != shape:
        raise ValueError(f"`cost` must have the shape {shape}, got {price.shape}.")
    if not np.all(np.isfinite(price) & (price > 0)):
        system, item = np.argwhere(~(np.isfinite(price) & (price > 0)))[0]
        raise ValueError(
            f"The cost of item {table.item_ids[item]!r} for system "
            f"{table.system_ids[system]!r} must be positive, got {price[system, item]}."
        )
    return price


def _allowed(
    table: ResponseTable,
    observed: Bool[np.ndarray, "system item"],
    systems: Sequence[Hashable] | None,
    rerun: bool,
) -> Bool[np.ndarray, "system item"]:
    allowed = np.ones_like(observed) if rerun else ~observed
    if systems is not None:
        for each in systems:
            if each not in table.system_ids:
                raise ValueError(f"{table.source}: there is no system {each!r}.")
        ours = np.array([each in set(systems) for each in table.system_ids])
        allowed = allowed & ours[:, None]
    if not allowed.any():
        raise ValueError(
            f"{table.source}: every cell that may be chosen has a result already."
        )
    return allowed


def _named_choice(
    choice: str | AbstractCellChoice | None, utility: AbstractUtility
) -> tuple[AbstractCellChoice, str]:
    if choice is None or choice == "expected_gain":
        return ExpectedGain(utility), "expected_gain"
    if isinstance(choice, str):
        if choice not in CHOICES:
            raise ValueError(
                f"There is no choice {choice!r}; choose from {', '.join(CHOICES)}."
            )
        return CHOICES[choice], choice
    for name, known in CHOICES.items():
        if type(known) is type(choice) and bool(eqx.tree_equal(known, choice)):
            return choice, name
    return choice, type(choice).__name__


def positions_of(
    table: ResponseTable, systems: Sequence[Hashable]
) -> Int[np.ndarray, " system"]:
    """Return where systems stand in a table, for a utility that takes positions.

    Raises:
        ValueError: if the table has no such system.
    """
    place = {each: k for k, each in enumerate(table.system_ids)}
    for each in systems:
        if each not in place:
            raise ValueError(f"{table.source}: there is no system {each!r}.")
    return np.array([place[each] for each in systems], int)
