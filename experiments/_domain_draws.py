"""Data sets of the four published domains, with a mask of its own for each seed."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import polars as pl
from jaxtyping import Array, Float

from irtjax.data import ALWAYS, FixedWeights, Truth

from ._domain_claims import BEST, DOMAINS, FAKE_ITEMS, TRUE_ITEMS, Domain
from ._draws import Draws, answers, condition_key, masks, problem_keys
from ._simulators import two_pl_responses
from ._tables import RANKED

DRAWN_FROM = ("domain", "reach")
"""The settings that a data set depends on, beside its seed."""

ROW = {
    "domain": pl.String,
    "reach": pl.Float64,  # logits that the abilities published nowhere go up to
    **RANKED,
}
"""Columns of a record's `runs.parquet`: one row a data set and ranker."""


def truth_of(domain: Domain, reach: float) -> Truth:
    """Return a domain's truth; a fake comes first, the best system last.

    Args:
        domain: whose.
        reach: the abilities that are published nowhere go evenly from minus this to
            below this, in logits. Where nothing is planted they go up to it.
    """
    if domain.fake is None:
        ability = np.linspace(-reach, reach, domain.systems)
    else:
        others = np.linspace(-reach, reach, domain.systems - 1)[:-1]
        ability = np.concatenate([[domain.fake], others, [BEST]])
    return Truth(
        jnp.asarray(ability),
        jnp.asarray(domain.difficulty),
        jnp.asarray(domain.discrimination),
    )


def weights_of(domain: Domain) -> Float[Array, "system item"]:
    """Return the weights of a domain's cells: what is planted always, the rest alike."""
    weights = np.ones((domain.systems, len(domain.difficulty)))
    if domain.fake is not None:
        weights[[0, -1]] = 0
        weights[0, list(FAKE_ITEMS)] = ALWAYS
        weights[-1, list(TRUE_ITEMS)] = ALWAYS
    return jnp.asarray(weights)


def sparsity_of(domain: Domain) -> float:
    """Return the share of all cells to hide, the planted systems' among them."""
    n_item = len(domain.difficulty)
    planted = 0 if domain.fake is None else len(TRUE_ITEMS) + len(FAKE_ITEMS)
    others = domain.systems - (0 if domain.fake is None else 2)
    kept = planted + round(domain.coverage * others * n_item)
    return 1 - kept / (domain.systems * n_item)


def draw(settings: dict[str, Any], seeds: Sequence[int]) -> Draws:
    """Return a condition's data sets.

    Every system but the planted ones has at least 2 items, every item 3 systems.

    Args:
        settings: of the condition.
        seeds: which data sets.
    """
    domain = DOMAINS[settings["domain"]]
    keys = problem_keys(condition_key(settings, DRAWN_FROM), jnp.asarray(seeds))
    truth = truth_of(domain, settings["reach"])
    each = jax.tree.map(
        lambda leaf: jnp.broadcast_to(leaf, (len(seeds), *leaf.shape)), truth
    )
    mask, sparsity = FixedWeights(weights_of(domain)), jnp.asarray(sparsity_of(domain))
    observed = masks(mask, each, sparsity, keys.mask)
    trials = jnp.asarray(float(domain.trials))
    responses = answers(two_pl_responses, each, observed, trials, keys.response)
    return Draws(responses, each.ability)
