"""The data of one condition: the published draws, or draws of our own.

A data set depends on its condition and seed alone: never on which other seeds or
conditions are drawn beside it.
"""

import functools
import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, Key, PRNGKeyArray

from irtjax.data import AbstractMask, BinomialResponses, Truth, published, sd_truth
from irtjax.irt import NamedParameters, TwoPL, simulate, unnamed

from ._records import canonical
from ._schema import MASKS

DRAWN_FROM = ("simulator", "mask", "sparsity", "gap", "systems", "items", "trials")
"""The settings that a data set depends on, beside its seed."""


class Draws(NamedTuple):
    """Some data sets of one condition, in the order of their seeds.

    Attributes:
        responses: successes and trials with a leading `problem` axis.
        published_average: the plain average with the paper's own arithmetic, whose
            rounding separates some equal averages; None where the data are not the
            paper's.
    """

    responses: BinomialResponses
    published_average: Float[np.ndarray, "problem system"] | None


def truth_of(settings: dict[str, Any]) -> Truth:
    """Return the true parameters behind a condition's data."""
    return sd_truth(
        settings["gap"], n_system=settings["systems"], n_item=settings["items"]
    )


def draw(settings: dict[str, Any], seeds: Sequence[int]) -> Draws:
    """Return a condition's data sets.

    Args:
        settings: of the condition.
        seeds: which data sets.
    """
    if settings["simulator"] == "published":
        return _published(settings, seeds)
    key, truth = condition_key(settings), truth_of(settings)
    keys = _problem_keys(key, jnp.asarray(seeds))
    sparsity = jnp.asarray(float(settings["sparsity"]))
    observed = _masks(MASKS[settings["mask"]], truth, sparsity, keys.mask)
    trials = jnp.where(observed, float(settings["trials"]), 0.0)
    return Draws(_responses(truth, trials, keys.response), None)


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


class _Keys(NamedTuple):
    """Two keys a data set.

    Attributes:
        mask: of which cells are observed.
        response: of the answers in them.
    """

    mask: Key[Array, " problem"]
    response: Key[Array, " problem"]


@jax.jit
def _problem_keys(key: PRNGKeyArray, seeds: Int[Array, " problem"]) -> _Keys:
    def one(seed: Int[Array, ""]) -> Key[Array, " 2"]:
        return jax.random.split(jax.random.fold_in(key, seed))

    both = jax.vmap(one)(seeds)
    return _Keys(both[:, 0], both[:, 1])


@functools.partial(jax.jit, static_argnames="mask")
def _masks(
    mask: AbstractMask,
    truth: Truth,
    sparsity: Float[Array, ""],
    keys: Key[Array, " problem"],
) -> Bool[Array, "problem system item"]:
    return jax.vmap(lambda key: mask(truth, sparsity, key=key))(keys)


@jax.jit
def _responses(
    truth: Truth,
    trials: Float[Array, "problem system item"],
    keys: Key[Array, " problem"],
) -> BinomialResponses:
    """Return answers drawn in the observed cells; compiled once for all masks."""
    named = NamedParameters(
        system={"ability": truth.ability},
        item={"difficulty": truth.difficulty, "discrimination": truth.discrimination},
        shared={},
    )
    parameters = unnamed(TwoPL(), named)

    def one(
        trials: Float[Array, "system item"], key: PRNGKeyArray
    ) -> BinomialResponses:
        drawn = simulate(TwoPL(), parameters, trials, key=key)
        assert isinstance(drawn, BinomialResponses)  # the kind that the model has
        return drawn

    return jax.vmap(one)(trials, keys)


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
    return Draws(responses, average)


def _cell_number(sparsity: float, gap: float) -> int:
    """Return the paper's number of a cell, which its seeds are made of."""
    for number, s, d in published.conditions():
        if abs(s - sparsity) < 1e-9 and abs(d - gap) < 1e-9:
            return number
    raise ValueError(f"The published grid has no cell S={sparsity}, D={gap}.")
