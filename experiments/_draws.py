"""The data of one condition: the published draws, or draws of our own.

A data set depends on its condition and seed alone: never on which other seeds or
conditions are drawn beside it.
"""

import functools
import hashlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, PRNGKeyArray

from irtjax.data import (
    MCAR,
    AbstractMask,
    Anti,
    Assortative,
    BinomialResponses,
    EasyOnly,
    Truth,
    published,
)
from irtjax.irt import NamedParameters, TwoPL, simulate, unnamed

from ._records import canonical

MASKS: dict[str, Callable[[], AbstractMask]] = {
    "assortative": Assortative,
    "mcar": MCAR,
    "anti": Anti,
    "easy_only": EasyOnly,
}
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
    """Return the true parameters behind a condition's data.

    As `irtjax.data.sd_truth`, for any number of systems and items: abilities evenly
    from -2 to 2, difficulties from -gap/2 to gap/2, slopes from 1 to 3.
    """
    systems, items = settings["systems"], settings["items"]
    return Truth(
        ability=jnp.linspace(-2.0, 2.0, systems, dtype=float),
        difficulty=settings["gap"] * jnp.linspace(-0.5, 0.5, items, dtype=float),
        discrimination=jnp.linspace(1.0, 3.0, items, dtype=float),
    )


def draw(settings: dict[str, Any], seeds: Sequence[int]) -> Draws:
    """Return a condition's data sets.

    Args:
        settings: of the condition.
        seeds: which data sets.
    """
    if settings["simulator"] == "published":
        return _published(settings, seeds)
    key = condition_key(settings)
    responses = _fresh(
        key,
        jnp.asarray(seeds),
        truth_of(settings),
        jnp.asarray(settings["sparsity"]),
        jnp.asarray(float(settings["trials"])),
        MASKS[settings["mask"]](),
    )
    return Draws(responses, None)


def condition_key(settings: dict[str, Any]) -> PRNGKeyArray:
    """Return a key that names what the data depend on, wherever in a grid it stands."""
    text = canonical({name: settings[name] for name in DRAWN_FROM})
    digest = hashlib.sha256(text.encode()).digest()
    words = np.frombuffer(digest[:8], ">u4")
    return jax.random.fold_in(jax.random.key(words[0]), words[1])


@functools.partial(jax.jit, static_argnames="mask")
def _fresh(
    key: PRNGKeyArray,
    seeds: Int[Array, " problem"],
    truth: Truth,
    sparsity: Float[Array, ""],
    trials: Float[Array, ""],
    mask: AbstractMask,
) -> BinomialResponses:
    named = NamedParameters(
        system={"ability": truth.ability},
        item={"difficulty": truth.difficulty, "discrimination": truth.discrimination},
        shared={},
    )
    parameters = unnamed(TwoPL(), named)

    def one(seed: Int[Array, ""]) -> BinomialResponses:
        mask_key, response_key = jax.random.split(jax.random.fold_in(key, seed))
        observed = mask(truth, sparsity, key=mask_key)
        counts = jnp.where(observed, trials, 0)
        return simulate(TwoPL(), parameters, counts, key=response_key)

    return jax.vmap(one)(seeds)


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
