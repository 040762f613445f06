"""Priors learned from the table that they are used on."""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PyTree

from irtjax.data import AbstractResponses

from .._estimator import start_of
from .._fit import posterior
from .._model import AbstractResponseModel, Estimate
from .._results import RESULTS, FitResult
from ._evidence import AbstractEvidence
from ._learners import AbstractLearner, QuasiNewton
from ._nested import NestedLaplace


class EmpiricalBayes(eqx.Module):
    """Priors learned from a table, and the fit under them.

    Attributes:
        hyper: the settings that were learned.
        model: the model with these settings.
        fit: the mode around which the evidence was approximated, under the settings of
            the last step but one where the learner is `FirstOrder`.
        log_evidence: there, in nats, the hyperprior left out.
        trace: minus (log evidence + log hyperprior) after each step, in nats; not a
            number after the last.
        steps: steps taken.
        code: one of `RESULTS`: how the learning ended; the fit's own if that failed.
    """

    hyper: PyTree
    model: AbstractResponseModel
    fit: FitResult
    log_evidence: Float[Array, ""]
    trace: Float[Array, " step"]
    steps: Int[Array, ""]
    code: Int[Array, ""]


def _no_hyperprior(hyper: PyTree) -> float:
    return 0.0


@eqx.filter_jit
def empirical_bayes(
    model_of: Callable[[PyTree], AbstractResponseModel],
    hyper: PyTree,
    responses: AbstractResponses,
    *,
    evidence: AbstractEvidence = NestedLaplace(),
    learner: AbstractLearner = QuasiNewton(),
    log_hyperprior: Callable[[PyTree], Float[Array, ""] | float] = _no_hyperprior,
    system_features: Float[Array, "system f"] | None = None,
    item_features: Float[Array, "item g"] | None = None,
) -> EmpiricalBayes:
    r"""Learn a model's priors from one table by maximising its evidence.

    $$\hat\phi = \arg\max_\phi\; \log \int p(y \mid u)\, p(u \mid \phi)\, du
    + \log p(\phi)$$

    Settings are whatever `model_of` makes a model from: spreads, means, regression
    weights, a network. Write positive ones as the exponential of a free number.

    ```python
    def model_of(hyper):
        return TwoPL(ability=Normal(0.0, jnp.exp(hyper["log_sd"])))

    learned = empirical_bayes(model_of, {"log_sd": jnp.array(0.0)}, responses)
    ```

    Leave out what the likelihood cannot tell apart: with free slopes learn either the
    abilities' spread or the slopes' mean, and either the abilities' mean or the
    difficulties'. A spread that the data do not call for goes towards 0: give it a
    floor, as in `0.01 + jnp.exp(x)`, for a prior of no width at all stops the fits.

    The function is pure and composes with `equinox.filter_vmap` over tables. It
    compiles anew for each `model_of`: define that once.

    Args:
        model_of: from settings to a model. Pure.
        hyper: the first settings, a pytree of floating-point arrays; leaves of other
            kinds, such as a network's activation, are passed on unchanged.
        responses: of the kind that the model takes.
        evidence: how parameters are integrated out.
        learner: what maximises.
        log_hyperprior: added to the log evidence, in nats; a network needs one.
        system_features: one row a system, if the model uses it.
        item_features: one row an item.

    Returns:
        The settings, with a code to read first.

    Raises:
        ValueError: as `fit`, or if the evidence does not suit the model.

    References:
        Robbins (1956), An empirical Bayes approach to statistics. MacKay (1992),
        Bayesian interpolation, Neural Computation 4.
    """
    free, fixed = eqx.partition(hyper, eqx.is_inexact_array)

    def model_at(free: PyTree) -> AbstractResponseModel:
        return model_of(eqx.combine(free, fixed))

    first = posterior(model_at(free), responses, system_features, item_features)
    begin = jax.lax.stop_gradient(start_of(first))
    # Of order 1 whatever the table's size, so that a first step is of order 1 too.
    size = sum(first.responses.shape)

    def loss(free: PyTree, start: Estimate):
        problem = posterior(model_at(free), responses, system_features, item_features)
        found = evidence(problem, start)
        prior = log_hyperprior(eqx.combine(free, fixed))
        value = -(found.log_evidence + prior) / size
        return value, jax.lax.stop_gradient(found)

    learned = learner.learn(loss, free, begin)
    last = learned.evidence
    hyper = eqx.combine(learned.hyper, fixed)
    failed = last.fit.code != RESULTS.successful
    return EmpiricalBayes(
        hyper,
        model_of(hyper),
        last.fit,
        last.log_evidence,
        learned.trace * size,
        learned.steps,
        jnp.where(failed, last.fit.code, learned.code),
    )
