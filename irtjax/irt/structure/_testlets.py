"""Whether items of one cluster hang together more than one ability explains."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optimistix as optx
from jaxtyping import Array, Float, Int

from irtjax.data import BinomialResponses

from .._parameter import AbstractPrior, Normal
from .._results import RESULTS
from ..models import TestletTwoPL
from ._bifactor import Items, bifactor_log_likelihood
from ._variance import variance_test

DIFFICULTY, LOG_SLOPE = Normal(0.0, 2.0), Normal(0.0, 0.5)
MAX_STEPS = 500
# Of the effects in the model that comes back, whose priors must have some width.
LEAST_SD = 0.01


class TestletSpread(eqx.Module):
    """What was found of testlet effects.

    Attributes:
        sd: the effects' standard deviation, in logits.
        statistic: twice the gain in log-likelihood, item priors included.
        p: of a gain as large without any testlet effect.
        model: with this spread, at least 0.01, for `fit`.
        code: one of `RESULTS`.
    """

    __test__ = False  # pytest takes the name for a test's

    sd: Float[Array, ""]
    statistic: Float[Array, ""]
    p: Float[Array, ""]
    model: TestletTwoPL
    code: Int[Array, ""]


@eqx.filter_jit
def fit_testlets(
    responses: BinomialResponses,
    membership: Float[Array, "item testlet"],
    *,
    n_ability: int = 31,
    n_effect: int = 15,
) -> TestletSpread:
    """Estimate the spread of testlet effects and test it against 0.

    One spread for all testlets is estimated together with the items by marginal maximum
    likelihood, with the priors that `TwoPL` has on items; abilities and effects are
    integrated out. A spread of 0 is compared with it by a likelihood ratio.

    Nodes are fixed. They must lie closer than what one system's answers say of its
    ability, which the default does for up to about a hundred answers a system; give
    more nodes where there are more.

    Args:
        responses: right answers out of trials.
        membership: 1 where the item belongs to the testlet, at most one an item; see
            `membership_of`.
        n_ability: nodes for the ability.
        n_effect: nodes for a testlet's effect.

    Returns:
        The spread and the test, with a code to read first.

    Raises:
        ValueError: if there is no testlet.

    References:
        Bradlow, Wainer & Wang (1999), Psychometrika 64, for the model. Gibbons &
        Hedeker (1992), Psychometrika 57, for the integrals.
    """
    if membership.shape[1] == 0:
        raise ValueError("`membership` has no column: no two items share a testlet.")
    n_system, n_item = responses.shape
    dtype = responses.trials.dtype

    def loss(at: tuple[Items, Float[Array, ""]], share: Float[Array, ""]):
        # Even in the spread, so that 0 is no edge of it.
        items, signed_sd = at
        value = bifactor_log_likelihood(
            items,
            share * signed_sd,
            responses,
            membership,
            n_ability=n_ability,
            n_effect=n_effect,
        )
        value = value + _log_prior(DIFFICULTY, items.difficulty)
        value = value + _log_prior(LOG_SLOPE, items.log_slope)
        # Of order 1 for each item, whatever the table's size.
        return -value / n_system

    def best(share: float):
        eps = float(jnp.finfo(dtype).eps)
        tolerance = max(1e-6, 10 * eps)
        zero = jnp.zeros(n_item, dtype)
        return optx.minimise(
            loss,
            optx.LBFGS(tolerance, tolerance),
            (Items(zero, zero), jnp.asarray(0.5, dtype)),
            jnp.asarray(share, dtype),
            max_steps=MAX_STEPS,
            throw=False,
        )

    with_effects, without = best(1.0), best(0.0)
    reached = [
        -n_system * loss(found.value, jnp.asarray(share, dtype))
        for found, share in ((with_effects, 1.0), (without, 0.0))
    ]
    test = variance_test(*reached)
    sd = jnp.abs(with_effects.value[1])
    ended = (with_effects.result == optx.RESULTS.successful) & (
        without.result == optx.RESULTS.successful
    )
    finite = jnp.isfinite(test.statistic)
    code = jnp.where(
        finite,
        jnp.where(ended, RESULTS.successful, RESULTS.max_steps_reached),
        RESULTS.not_finite,
    )
    return TestletSpread(
        sd,
        test.statistic,
        test.p,
        TestletTwoPL(membership.shape[1], jnp.maximum(sd, LEAST_SD)),
        code.astype(jnp.int32),
    )


def _log_prior(prior: AbstractPrior, values: Float[Array, " item"]) -> Float[Array, ""]:
    none = jnp.zeros(0, values.dtype)
    return jnp.sum(jax.vmap(lambda value: prior.log_prob(value, {}, none))(values))


def membership_of(
    labels: np.ndarray | list, *, dtype: type = float
) -> tuple[Float[np.ndarray, "item testlet"], list]:
    """Return item features that say which testlet each item belongs to.

    Args:
        labels: one an item, of any sortable kind; None or a label of its own for an
            item that belongs to none.
        dtype: of the features.

    Returns:
        One column a testlet of two items or more, 1 where an item belongs to it; and
        the testlets' labels in the order of the columns. An item alone under its label
        gets a row of zeros.
    """
    given = list(labels)
    counts = {label: given.count(label) for label in given if label is not None}
    kept = sorted(label for label, n in counts.items() if n > 1)
    table = np.array([[label == other for other in kept] for label in given])
    return table.reshape(len(given), len(kept)).astype(dtype), kept
