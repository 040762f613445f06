"""Small tables with a known truth, as bars on rankers and on trust need them."""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray

from irtjax.data import AbstractMask, BinomialResponses, Truth
from irtjax.irt import Estimate, Normal, TwoPL, named
from irtjax.irt.posteriors import draw_prior
from irtjax.ranking import spearman

from ._simulators import MakesResponses, two_pl_responses

REFERENCE = TwoPL(Normal(0.0, 1.0), Normal(0.0, 1.0), Normal(0.0, 0.35))
"""Where the figures of other tools on simulated tables come from."""


class SmallTables(NamedTuple):
    """Tables of one size with what they were drawn from.

    Attributes:
        truth: parameters of a `TwoPL`, with a leading problem axis.
        responses: likewise.
    """

    truth: Estimate
    responses: BinomialResponses


@eqx.filter_jit
def drawn_tables(
    model: TwoPL,
    shape: tuple[int, int],
    mask: AbstractMask,
    sparsity: Float[Array, " problem"],
    trials: Float[Array, ""],
    *,
    answers: MakesResponses = two_pl_responses,
    key: PRNGKeyArray,
) -> SmallTables:
    """Return one table for each sparsity, truths drawn from a model's priors.

    Args:
        model: whose priors truths are drawn from.
        shape: systems and items.
        mask: which cells are observed, drawn anew for each table.
        sparsity: share left out.
        trials: in every observed cell.
        answers: how outcomes arise from a truth.
        key: table number b uses `fold_in(key, b)`.
    """
    for_truth, for_mask, for_response = jax.random.split(key, 3)
    numbers = jnp.arange(sparsity.shape[0])

    def one(number: Array, sparsity: Float[Array, ""]):
        drawn = draw_prior(model, shape, key=jax.random.fold_in(for_truth, number))
        observed = mask(
            truth_of(model, drawn), sparsity, key=jax.random.fold_in(for_mask, number)
        )
        return drawn, observed

    drawn, observed = jax.vmap(one)(numbers, sparsity)
    for_each = jax.vmap(lambda number: jax.random.fold_in(for_response, number))

    def answered(drawn: Estimate, observed: Array, key: Array) -> BinomialResponses:
        return answers(truth_of(model, drawn), observed, trials, key=key)

    responses = jax.vmap(answered)(drawn, observed, for_each(numbers))
    return SmallTables(drawn, responses)


def truth_of(model: TwoPL, estimate: Estimate) -> Truth:
    """Return one table's parameters as masks take them."""
    found = named(model, estimate)
    return Truth(
        found.system["ability"], found.item["difficulty"], found.item["discrimination"]
    )


def agreement_with(
    score: Float[Array, "problem system"], tables: SmallTables
) -> Float[np.ndarray, " problem"]:
    """Return Spearman's rho of each table's scores with its true abilities."""
    ability = tables.truth.system[:, :, 0]
    return np.asarray(jax.jit(jax.vmap(spearman))(score, ability))
