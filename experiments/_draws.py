"""The data of one condition: the published draws, or draws of our own.

A data set depends on its condition and seed alone: never on which other seeds or
conditions are drawn beside it.
"""

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, Key, PRNGKeyArray

from irtjax.data import AbstractMask, BinomialResponses, Truth, published, sd_truth

from ._records import canonical
from ._schema import MASKS
from ._simulators import SIMULATORS, MakesResponses, Simulator

DRAWN_FROM = ("simulator", "mask", "sparsity", "gap", "systems", "items", "trials")
"""The settings that a data set depends on, beside its seed."""


class Draws(NamedTuple):
    """Some data sets of one condition, in the order of their seeds.

    Attributes:
        responses: successes and trials with a leading `problem` axis.
        target: what orders the systems truly, higher is better; of simulated data the
            abilities, in logits.
        published_average: the plain average with the paper's own arithmetic, whose
            rounding separates some equal averages; None where the data are not the
            paper's.
    """

    responses: BinomialResponses
    target: Float[Array, "problem system"]
    published_average: Float[np.ndarray, "problem system"] | None = None


def draw(settings: dict[str, Any], seeds: Sequence[int]) -> Draws:
    """Return a condition's data sets.

    Args:
        settings: of the condition.
        seeds: which data sets.
    """
    if settings["simulator"] == "published":
        return _published(settings, seeds)
    simulator = SIMULATORS[settings["simulator"]]
    keys = problem_keys(condition_key(settings), jnp.asarray(seeds))
    truth = _truths(
        simulator,
        jnp.asarray(float(settings["gap"])),
        settings["systems"],
        settings["items"],
        keys.truth,
    )
    sparsity = jnp.asarray(float(settings["sparsity"]))
    observed = masks(MASKS[settings["mask"]], truth, sparsity, keys.mask)
    trials = jnp.asarray(float(settings["trials"]))
    responses = answers(simulator.responses, truth, observed, trials, keys.response)
    return Draws(responses, truth.ability)


def condition_key(
    settings: dict[str, Any], names: Sequence[str] = DRAWN_FROM
) -> PRNGKeyArray:
    """Return a key that names what the data depend on, wherever in a grid it stands.

    Args:
        settings: of the condition.
        names: of the settings that the data depend on.
    """
    text = canonical({name: settings[name] for name in names})
    digest = hashlib.sha256(text.encode()).digest()
    words = np.frombuffer(digest[:8], ">u4")
    return jax.random.fold_in(jax.random.key(words[0]), words[1])


class Keys(NamedTuple):
    """Three keys a data set.

    Attributes:
        mask: of which cells are observed.
        response: of the answers in them.
        truth: of the true parameters, or of which items a data set has.
    """

    mask: Key[Array, " problem"]
    response: Key[Array, " problem"]
    truth: Key[Array, " problem"]


@jax.jit
def problem_keys(key: PRNGKeyArray, seeds: Int[Array, " problem"]) -> Keys:
    """Return the keys of some seeds of a condition, whose own key is `key`."""

    def one(seed: Int[Array, ""]) -> Key[Array, " 3"]:
        return jax.random.split(jax.random.fold_in(key, seed), 3)

    each = jax.vmap(one)(seeds)
    return Keys(each[:, 0], each[:, 1], each[:, 2])


@eqx.filter_jit
def masks(
    mask: AbstractMask,
    truth: Truth,
    sparsity: Float[Array, ""],
    keys: Key[Array, " problem"],
) -> Bool[Array, "problem system item"]:
    """Return which cells are observed, a mask for each truth and key."""
    return jax.vmap(lambda one, key: mask(one, sparsity, key=key))(truth, keys)


@eqx.filter_jit
def _truths(
    simulator: Simulator,
    gap: Float[Array, ""],
    n_system: int,
    n_item: int,
    keys: Key[Array, " problem"],
) -> Truth:
    return jax.vmap(lambda key: simulator.truth(gap, n_system, n_item, key=key))(keys)


@eqx.filter_jit
def answers(
    responses: MakesResponses,
    truth: Truth,
    observed: Bool[Array, "problem system item"],
    trials: Float[Array, ""],
    keys: Key[Array, " problem"],
) -> BinomialResponses:
    """Return answers drawn in the observed cells; compiled once for all masks."""

    def one(
        truth: Truth, observed: Bool[Array, "system item"], key: PRNGKeyArray
    ) -> BinomialResponses:
        return responses(truth, observed, trials, key=key)

    return jax.vmap(one)(truth, observed, keys)


def _published(settings: dict[str, Any], seeds: Sequence[int]) -> Draws:
    number = _cell_number(settings["sparsity"], settings["gap"])
    successes, trials = [], []
    for seed in seeds:
        one = published.dataset(
            settings["sparsity"], settings["gap"], number, seed, settings["mask"]
        )
        successes.append(np.asarray(one.successes, float))
        trials.append(np.asarray(one.trials, float))
    pairs = zip(successes, trials, strict=True)
    average = np.stack([published.published_average(y, n) for y, n in pairs])
    responses = jax.vmap(BinomialResponses)(
        jnp.asarray(np.stack(successes)), jnp.asarray(np.stack(trials))
    )
    truth = sd_truth(
        settings["gap"], n_system=settings["systems"], n_item=settings["items"]
    )
    target = jnp.broadcast_to(truth.ability, average.shape)
    return Draws(responses, target, average)


def _cell_number(sparsity: float, gap: float) -> int:
    """Return the paper's number of a cell, which its seeds are made of."""
    for number, s, d in published.conditions():
        if abs(s - sparsity) < 1e-9 and abs(d - gap) < 1e-9:
            return number
    raise ValueError(f"The published grid has no cell S={sparsity}, D={gap}.")
