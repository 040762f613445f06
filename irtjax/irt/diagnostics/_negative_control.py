"""Column shuffles: does a fit find no ability where there is none?"""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray

from irtjax.data import AbstractResponses, LongResponses

from .._estimator import AbstractEstimator, JointMAP
from .._fit import fit, posterior
from .._fit_many import fit_many
from .._model import AbstractResponseModel, Estimate
from .._results import RESULTS
from ._outcomes import counted_outcomes, outcome_log_probs


class NegativeControl(NamedTuple):
    """A fit's spread of systems on the data and on shuffled copies.

    Attributes:
        spread: `system_spread` of the fit to the data.
        shuffled: the same for each shuffled copy; NaN where its fit failed.
        p: the chance of so large a spread if systems did not differ.
        failed: how many fits of copies failed.
    """

    spread: float
    shuffled: Float[np.ndarray, " shuffle"]
    p: float
    failed: int


def shuffled_columns(
    responses: AbstractResponses, *, key: PRNGKeyArray
) -> AbstractResponses:
    """Return responses with each item's cells dealt out anew to the systems that ran it.

    Which cells are observed stays, and so do each item's outcomes, with their trials;
    what goes is that the same systems do well on many items.
    """
    if isinstance(responses, LongResponses):
        responses = responses.dense()
    seen = responses.observed()
    order = jnp.arange(seen.shape[0], dtype=jnp.float32)

    def source(seen, key):
        chance = jax.random.uniform(key, seen.shape, jnp.float32)
        to = jnp.argsort(jnp.where(seen, order, order + seen.shape[0]))
        come = jnp.argsort(jnp.where(seen, chance, 1 + order))
        return jnp.zeros(seen.shape, to.dtype).at[to].set(come)

    keys = jax.random.split(key, seen.shape[1])
    rows = jax.vmap(source, (1, 0), 1)(seen, keys)

    def deal(leaf: Float[Array, "system item ..."]) -> Float[Array, "system item ..."]:
        index = jnp.reshape(rows, rows.shape + (1,) * (leaf.ndim - 2))
        return jnp.take_along_axis(leaf, index, axis=0)

    return jax.tree.map(deal, responses)


@eqx.filter_jit
def system_spread(
    model: AbstractResponseModel,
    responses: AbstractResponses,
    estimate: Estimate,
    *,
    system_features: Float[Array, "system f"] | None = None,
    item_features: Float[Array, "item g"] | None = None,
) -> Float[Array, ""]:
    """Return how far apart a fit sets the systems that ran an item, in its score.

    The root mean square over observed cells of the expected score, as a share of the
    highest one, less its mean over the systems that ran the item. It does not depend on
    how the scale of abilities is fixed.

    Raises:
        ValueError: if the responses are not counts of outcomes, and as `fit`.
    """
    problem = posterior(model, responses, system_features, item_features)
    outcomes = counted_outcomes(problem.responses, "The spread of systems")
    chance = jnp.exp(outcome_log_probs(problem, estimate, outcomes))
    expected = chance @ outcomes / (outcomes.shape[0] - 1)
    seen = problem.responses.observed().astype(expected.dtype)
    mean = jnp.sum(seen * expected, axis=0) / jnp.maximum(jnp.sum(seen, axis=0), 1)
    away = seen * (expected - mean[None, :])
    return jnp.sqrt(jnp.sum(away**2) / jnp.sum(seen))


def negative_control(
    model: AbstractResponseModel,
    responses: AbstractResponses,
    *,
    shuffles: int = 99,
    estimator: AbstractEstimator = JointMAP(),
    key: PRNGKeyArray,
) -> NegativeControl:
    """Return the spread of systems that a fit finds in the data and in shuffled copies.

    Within a column, shuffled outcomes say nothing of the systems, so a fit should find
    them alike but for noise. A large p says that the data hold no more ability than
    chance would show, however wide apart the estimates lie.

    Args:
        model: how a response arises.
        responses: right and wrong answers, or categories.
        shuffles: how many copies; the smallest p possible is 1 / (shuffles + 1).
        estimator: what fits.
        key: of the shuffles.

    Raises:
        ValueError: if the responses are not counts of outcomes, there is no shuffle, or
            the fit of the data itself failed.

    References:
        Phipson & Smyth (2010), Permutation p-values should never be zero, Statistical
        Applications in Genetics and Molecular Biology 9, for p.
    """
    if shuffles < 1:
        raise ValueError(f"`shuffles` must be at least 1, got {shuffles}.")
    if isinstance(responses, LongResponses):
        responses = responses.dense()
    result = fit(model, responses, estimator=estimator)
    if int(result.code) != RESULTS.successful:
        raise ValueError(
            f"The fit of the data ended with {RESULTS(int(result.code)).name}: there is "
            "nothing to compare shuffles with."
        )
    spread = float(system_spread(model, responses, result.value))
    keys = jax.random.split(key, shuffles)
    copies = eqx.filter_jit(
        jax.vmap(lambda each: shuffled_columns(responses, key=each))
    )(keys)
    fits = fit_many(model, copies, estimator=estimator)
    spreads = eqx.filter_vmap(lambda table, at: system_spread(model, table, at))(
        copies, jax.tree.map(jnp.asarray, fits.value)
    )
    good = fits.code == RESULTS.successful
    shuffled = np.where(good, np.asarray(spreads), np.nan)
    as_large = np.count_nonzero(shuffled[good] >= spread)
    return NegativeControl(
        spread,
        shuffled,
        (1 + as_large) / (1 + np.count_nonzero(good)),
        int(np.count_nonzero(~good)),
    )
