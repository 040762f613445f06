"""Held-out log loss: how well a model foretells cells that it has not seen."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.scipy import stats
from jaxtyping import Array, Bool, Float, PRNGKeyArray

from irtjax.data import AbstractResponses

from .._estimator import AbstractEstimator, JointMAP
from .._fit import fit, posterior
from .._model import AbstractResponseModel
from .._posterior import Posterior
from .._results import RESULTS
from ._outcomes import cell_log_likelihoods


class HeldOutLoss(eqx.Module):
    """What the hidden cells cost a model.

    Attributes:
        loss: minus the log-probability of each hidden cell's observations, in nats, its
            order of events taken as seen; 0 elsewhere, and not a number if the fit
            failed.
        weight: observations of each hidden cell, 0 elsewhere.
        mean: the loss an observation, in nats; log 2 is a coin's.
    """

    loss: Float[Array, "system item"]
    weight: Float[Array, "system item"]
    mean: Float[Array, ""]


class LossComparison(eqx.Module):
    """Two models on the same hidden cells.

    Attributes:
        difference: the first's loss an observation less the second's, in nats; below 0
            the first foretells better.
        error: its standard error, paired by cell. Cells of one system, and of one item,
            may err together.
        p: the chance of a larger difference of either sign between equals.
    """

    difference: Float[Array, ""]
    error: Float[Array, ""]
    p: Float[Array, ""]


def hidden_cells(
    responses: AbstractResponses, share: float, *, key: PRNGKeyArray
) -> Bool[Array, "system item"]:
    """Return a random choice of the observed cells, each hidden with chance `share`.

    Raises:
        ValueError: if `share` does not lie between 0 and 1.
    """
    if not 0 < share < 1:
        raise ValueError(f"`share` must lie between 0 and 1, got {share}.")
    return responses.observed() & jax.random.bernoulli(key, share, responses.shape)


@eqx.filter_jit
def held_out_loss(
    model: AbstractResponseModel,
    responses: AbstractResponses,
    hidden: Bool[Array, "system item"],
    *,
    estimator: AbstractEstimator = JointMAP(),
    system_features: Float[Array, "system f"] | None = None,
    item_features: Float[Array, "item g"] | None = None,
) -> HeldOutLoss:
    """Fit without some cells and return what those cost.

    The estimate is put in as if it were known. A system or item all of whose cells are
    hidden is foretold by its prior's mode.

    Args:
        model: how a response arises.
        responses: of the kind that the model takes.
        hidden: cells left out of the fit; those not observed are ignored.
        estimator: what fits.
        system_features: as for `fit`.
        item_features: as for `fit`.

    Raises:
        ValueError: as `fit`.
    """
    problem = posterior(model, responses, system_features, item_features)
    hidden = hidden & problem.responses.observed()
    result = fit(
        model,
        problem.responses.hide(~hidden),
        estimator=estimator,
        system_features=system_features,
        item_features=item_features,
    )
    judged = problem.responses.hide(hidden)
    alone = Posterior(model, judged, problem.system_features, problem.item_features)
    loss = jnp.where(
        result.code == RESULTS.successful,
        -cell_log_likelihoods(alone, result.value),
        jnp.nan,
    )
    weight = jnp.sum(judged.terms().weight, axis=-1)
    return HeldOutLoss(loss, weight, jnp.sum(loss) / jnp.sum(weight))


@eqx.filter_jit
def compare_losses(first: HeldOutLoss, second: HeldOutLoss) -> LossComparison:
    r"""Return how much better one model foretells the same hidden cells than another.

    With $e$ a cell's difference less its share of the mean one, the variance is that of
    sums over systems plus that of sums over items less that of cells, $(\sum_j e_{j
    \cdot}^2 + \sum_i e_{\cdot i}^2 - \sum_{ji} e_{ji}^2) / N^2$, and at least the cells'.

    Args:
        first: from `held_out_loss`.
        second: from the same cells.

    References:
        Cameron, Gelbach & Miller (2011), Robust inference with multiway clustering,
        Journal of Business & Economic Statistics 29, eq. 2.11.
    """
    number = jnp.sum(first.weight)
    gap = first.loss - second.loss
    difference = jnp.sum(gap) / number
    away = gap - first.weight * difference
    by_system = jnp.sum(jnp.sum(away, axis=1) ** 2)
    by_item = jnp.sum(jnp.sum(away, axis=0) ** 2)
    by_cell = jnp.sum(away**2)
    variance = jnp.maximum(by_system + by_item - by_cell, by_cell)
    error = jnp.sqrt(variance) / number
    return LossComparison(
        difference, error, 2 * stats.norm.sf(jnp.abs(difference) / error)
    )
