"""Which cells of an incomplete table to run next: ours and what it is compared with."""

import abc
from collections.abc import Mapping
from types import MappingProxyType

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray

from ._belief import CellBelief
from ._utility import AbstractUtility, AllRanks


class AbstractCellChoice(eqx.Module):
    """Scores the cells that could be run next."""

    @abc.abstractmethod
    def value(
        self, belief: CellBelief, *, key: PRNGKeyArray
    ) -> Float[Array, "system item"]:
        """Return one number a cell, higher is better. Pure.

        Args:
            belief: after the cells of this batch that were chosen before.
            key: of whatever is drawn.
        """


class RandomCells(AbstractCellChoice):
    """Any cell, all alike."""

    def value(
        self, belief: CellBelief, *, key: PRNGKeyArray
    ) -> Float[Array, "system item"]:
        return jax.random.uniform(key, belief.observed.shape, belief.ability.dtype)


class LargestError(AbstractCellChoice):
    """The system whose ability has the largest standard error, on any item."""

    def value(
        self, belief: CellBelief, *, key: PRNGKeyArray
    ) -> Float[Array, "system item"]:
        variance = jnp.diagonal(belief.ability_covariance)
        place = jnp.argsort(jnp.argsort(variance)).astype(variance.dtype)
        shape = belief.observed.shape
        return place[:, None] + jax.random.uniform(key, shape, variance.dtype)


class BridgingFirst(AbstractCellChoice):
    """Cells that link systems which share few items or none.

    First those that make systems comparable at all, each as often as it makes a pair
    so; then those that add an item to the pairs that share the fewest.
    """

    def value(
        self, belief: CellBelief, *, key: PRNGKeyArray
    ) -> Float[Array, "system item"]:
        seen = belief.observed.astype(belief.ability.dtype)
        shared = seen @ seen.T
        apart = (~_linked(shared > 0)).astype(seen.dtype)
        # How many systems of another part of the table ran the item.
        bridges = apart @ seen
        thin = (1 / (1 + shared) ** 2) @ seen
        noise = jax.random.uniform(key, seen.shape, seen.dtype)
        # A thin link counts less than any bridge, a draw less than any thin link.
        return bridges + thin / (1 + seen.shape[0]) + 1e-9 * noise


class ExpectedGain(AbstractCellChoice):
    """The cell from which most is expected for what the ranking is used for.

    Attributes:
        utility: which errors count.
    """

    utility: AbstractUtility = AllRanks()

    def value(
        self, belief: CellBelief, *, key: PRNGKeyArray
    ) -> Float[Array, "system item"]:
        weights = self.utility.weights(belief.ability, belief.ability_covariance)
        return belief.gain(weights)


CHOICES: Mapping[str, AbstractCellChoice] = MappingProxyType(
    {
        "expected_gain": ExpectedGain(),
        "largest_error": LargestError(),
        "bridging_first": BridgingFirst(),
        "random": RandomCells(),
    }
)
"""Choices by name, for the order of all systems."""


class CellPicks(eqx.Module):
    """Cells to run, in the order in which they were chosen.

    Attributes:
        system: position of each cell's system; -1 where nothing was left to choose.
        item: position of its item.
        value: what the choice said of the cell, per unit cost, when it was its turn.
        belief: as it will be once all of them have been run.
    """

    system: Int[Array, " pick"]
    item: Int[Array, " pick"]
    value: Float[Array, " pick"]
    belief: CellBelief


@eqx.filter_jit
def choose_cells(
    choice: AbstractCellChoice,
    belief: CellBelief,
    picks: int,
    *,
    key: PRNGKeyArray,
    allowed: Bool[Array, "system item"] | None = None,
    cost: Float[Array, "system item"] | None = None,
    budget: Float[Array, ""] | float | int | None = None,
) -> CellPicks:
    """Return a batch of cells, chosen one after the other. Pure.

    Each is chosen as if those before had been run already, so that a batch does not ask
    the same thing twice.

    Args:
        choice: what is looked for. Values are divided by the cell's cost, so a value
            must not be negative.
        belief: what is known now.
        picks: how many cells at most.
        key: of whatever is drawn.
        allowed: which cells may be chosen; those not observed if None.
        cost: of one evaluation, positive; 1 throughout if None.
        budget: most that the batch may cost in all; no limit if None.
    """
    dtype = belief.ability.dtype
    price = jnp.ones(belief.observed.shape, dtype) if cost is None else cost
    purse = jnp.asarray(jnp.inf if budget is None else budget, dtype)
    free = ~belief.observed if allowed is None else allowed

    def pick(
        state: tuple[CellBelief, Bool[Array, "system item"], Float[Array, ""]],
        step: Int[Array, ""],
    ) -> tuple[tuple, tuple]:
        belief, free, purse = state
        value = choice.value(belief, key=jax.random.fold_in(key, step))
        value = jnp.where(free & (price <= purse), value / price, -jnp.inf)
        flat = jnp.argmax(value).astype(jnp.int32)
        system, item = flat // value.shape[1], flat % value.shape[1]
        some = value[system, item] > -jnp.inf
        # A choice beyond the last one changes nothing.
        after = jax.tree.map(
            lambda new, old: jnp.where(some, new, old),
            (
                belief.update(system, item),
                free.at[system, item].set(False),
                purse - price[system, item],
            ),
            state,
        )
        chosen = jnp.where(some, system, -1), jnp.where(some, item, -1)
        return after, (*chosen, jnp.where(some, value[system, item], jnp.nan))

    state, (system, item, value) = jax.lax.scan(
        pick, (belief, free, purse), jnp.arange(picks)
    )
    return CellPicks(system, item, value, state[0])


def _linked(direct: Bool[Array, "system system"]) -> Bool[Array, "system system"]:
    """Return which systems some chain of direct links joins."""
    n_system = direct.shape[0]
    reach = direct | jnp.eye(n_system, dtype=bool)

    def square(_: Int[Array, ""], reach: Bool[Array, "s s"]) -> Bool[Array, "s s"]:
        number = reach.astype(jnp.float32)
        return number @ number > 0

    return jax.lax.fori_loop(0, max(1, n_system.bit_length()), square, reach)
