"""The bootstraps: what is drawn anew."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Int, PRNGKeyArray

from irtjax.data import AbstractResponses, BinomialResponses, CategoricalResponses

from .._estimator import AbstractEstimator, JointMAP
from .._model import Estimate
from .._posterior import Posterior
from .._simulate import _binomial, _multinomial, simulate
from ._bootstrap import AbstractBootstrap, unknown_like, without_features


class ParametricBootstrap(AbstractBootstrap):
    """Tables simulated from the fit, with the same cells and trials.

    Right where the model is. The priors' pull shows as what it is, a bias: the spread of
    refits is that of an estimator and is smaller than a posterior's where priors weigh.

    References:
        Efron (1979), Bootstrap methods: another look at the jackknife, Annals of
        Statistics 7; Efron & Tibshirani (1993), ch. 6.5.
    """

    key: PRNGKeyArray
    estimator: AbstractEstimator = JointMAP()
    n_draw: int = eqx.field(static=True, default=1000)

    def redraw(
        self, problem: Posterior, estimate: Estimate, *, key: PRNGKeyArray
    ) -> AbstractResponses:
        weight = problem.responses.terms().weight
        return simulate(
            problem.model,
            estimate,
            jnp.sum(weight, axis=-1),
            n_category=weight.shape[-1],
            system_features=problem.system_features,
            item_features=problem.item_features,
            key=key,
        )

    def known(self, value: Estimate) -> Estimate:
        return value


class TrialBootstrap(AbstractBootstrap):
    """Each cell's own trials drawn anew with replacement: no model behind it.

    A cell of one trial, or of trials that all came out alike, is drawn as it was: with
    few trials a cell the errors come out too small, with one they are 0.

    References:
        Efron & Tibshirani (1993), *An Introduction to the Bootstrap*, ch. 6.
    """

    key: PRNGKeyArray
    estimator: AbstractEstimator = JointMAP()
    n_draw: int = eqx.field(static=True, default=1000)

    def redraw(
        self, problem: Posterior, estimate: Estimate, *, key: PRNGKeyArray
    ) -> AbstractResponses:
        responses = problem.responses
        if isinstance(responses, BinomialResponses):
            share = responses.mean_score()
            drawn = _binomial(key, responses.trials, share)
            return BinomialResponses(drawn, responses.trials)
        if isinstance(responses, CategoricalResponses):
            total = jnp.sum(responses.counts, axis=-1)
            share = responses.counts / jnp.where(total > 0, total, 1)[..., None]
            return CategoricalResponses(_multinomial(key, total, share))
        raise ValueError(
            f"TrialBootstrap needs trials to draw from, {type(responses).__name__} has "
            "none; use ItemBootstrap or ParametricBootstrap."
        )

    def known(self, value: Estimate) -> Estimate:
        return value


class ItemBootstrap(AbstractBootstrap):
    """Items drawn with replacement: how abilities would fare on other such items.

    Says nothing of an item's own parameters: their errors are not a number.

    References:
        Efron & Tibshirani (1993), *An Introduction to the Bootstrap*, ch. 8.
    """

    key: PRNGKeyArray
    estimator: AbstractEstimator = JointMAP()
    n_draw: int = eqx.field(static=True, default=1000)

    def redraw(
        self, problem: Posterior, estimate: Estimate, *, key: PRNGKeyArray
    ) -> AbstractResponses:
        without_features(problem, "ItemBootstrap")
        n_system, n_item = problem.responses.shape
        drawn = _with_replacement(n_item, key)
        return problem.responses.take(jnp.arange(n_system), drawn)

    def known(self, value: Estimate) -> Estimate:
        return eqx.tree_at(lambda v: v.item, value, unknown_like(value.item))


class SystemBootstrap(AbstractBootstrap):
    """Systems drawn with replacement: how items would fare with other such systems.

    Says nothing of a system's own parameters: their errors are not a number.

    References:
        Efron & Tibshirani (1993), *An Introduction to the Bootstrap*, ch. 8.
    """

    key: PRNGKeyArray
    estimator: AbstractEstimator = JointMAP()
    n_draw: int = eqx.field(static=True, default=1000)

    def redraw(
        self, problem: Posterior, estimate: Estimate, *, key: PRNGKeyArray
    ) -> AbstractResponses:
        without_features(problem, "SystemBootstrap")
        n_system, n_item = problem.responses.shape
        drawn = _with_replacement(n_system, key)
        return problem.responses.take(drawn, jnp.arange(n_item))

    def known(self, value: Estimate) -> Estimate:
        return eqx.tree_at(lambda v: v.system, value, unknown_like(value.system))


def _with_replacement(count: int, key: PRNGKeyArray) -> Int[Array, " row"]:
    return jax.random.randint(key, (count,), 0, count)
