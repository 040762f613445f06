"""Truths that a table could have come from: draws from the posterior given it."""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from irtjax.data import BinomialResponses
from irtjax.irt import RESULTS, BlockNewton, Estimate
from irtjax.irt._estimator import start_of
from irtjax.irt.posteriors import short_walk, whitening_at

from ._selection import selection_problem

# Cells times draws worked on at the same time: what fits a processor's cache.
_AT_ONCE = 2**17
# Where the two searches for a mode begin: which sign is right, outcomes must decide,
# because turning abilities and the selection round explains missing cells as well.
_SELECTIONS = (0.7, -0.7)


class PlausibleTruths(NamedTuple):
    """Draws of what may be true, given a table.

    Attributes:
        truth: parameters of a `TwoPL`, unconstrained, with a leading draw axis.
        selection: how strongly stronger systems ran harder items, see
            `SelectionTwoPL`, in log-odds per squared logit.
        code: one of `RESULTS`: how the search for the posterior's mode ended.
    """

    truth: Estimate
    selection: Float[Array, " draw"]
    code: Int[Array, ""]


@eqx.filter_jit
def plausible_truths(
    responses: BinomialResponses, *, draws: int = 1000, key: PRNGKeyArray
) -> PlausibleTruths:
    """Return independent draws from the posterior of a 2PL, missing cells modelled.

    Each draw is a short Hamiltonian walk (`short_walk`) around one of two modes, which
    are taken in proportion to their evidence by Laplace's approximation: the missing
    cells alone cannot tell strong systems on hard items from weak systems on them.
    Draw b uses `fold_in(key, b)`: more draws leave the first ones as they are. Pure.

    Args:
        responses: of one table; a system or an item with no data is drawn from its
            prior.
        draws: how many.
        key: of all draws.

    References:
        Tierney & Kadane (1986), Accurate approximations for posterior moments and
        marginal densities, J. American Statistical Association 81, for the evidence.
    """
    problem = selection_problem(responses)
    begin = start_of(problem)

    def search(selection: Float[Array, ""]):
        start = eqx.tree_at(lambda e: e.shared, begin, selection[None])
        return BlockNewton().solve(problem, start)

    found = [search(jnp.asarray(each, begin.shared.dtype)) for each in _SELECTIONS]
    spaces = [whitening_at(problem, each.value) for each in found]
    good = jnp.stack([each.code == RESULTS.successful for each in found])
    evidence = jnp.stack(
        [
            space.log_volume() - problem.value(each.value)
            for space, each in zip(spaces, found, strict=True)
        ]
    )
    odds = jnp.where(good & jnp.isfinite(evidence), evidence, -jnp.inf)
    space = jax.tree.map(lambda *leaves: jnp.stack(leaves), *spaces)

    def draw(number: Int[Array, ""]) -> Estimate:
        for_mode, for_walk = jax.random.split(jax.random.fold_in(key, number))
        # With no mode at all any will do: the code says so.
        mode = jax.random.categorical(for_mode, jnp.where(jnp.any(good), odds, 0.0))
        here = jax.tree.map(lambda leaf: leaf[mode], space)
        end = short_walk(
            lambda z: problem.value(here.forward(z)), here.size, key=for_walk
        )
        return here.forward(end)

    at_once = max(1, min(draws, _AT_ONCE // responses.trials.size))
    drawn = jax.lax.map(draw, jnp.arange(draws), batch_size=at_once)
    code = jnp.where(jnp.any(good), int(RESULTS.successful), found[0].code)
    truth = eqx.tree_at(lambda e: e.shared, drawn, drawn.shared[:, :0])
    return PlausibleTruths(truth, drawn.shared[:, 0], code.astype(jnp.int32))
