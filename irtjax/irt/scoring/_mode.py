"""Scores at a maximum: of the likelihood, of the posterior, and of weighted ones."""

import functools

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import ScoreResponses

from .._model import AbstractResponseModel, Estimate
from .._posterior import Posterior
from ._each import each_system
from ._equation import need_one_ability, slope_of_root, solve, without_prior
from ._scorer import AbstractScorer
from ._scores import SystemScore
from ._several import several_modes, several_slopes
from ._system import SystemPosterior

Scalar = Float[Array, ""]


class ML(AbstractScorer):
    """The most likely ability, with no prior.

    A system whose answers are all right, or all wrong, has no finite one: it gets plus
    or minus infinity, an infinite error and a code. So does a mixed pattern whose
    likelihood still rises without end, as a guessing parameter can make it. Without
    data the score is not a number. The error is that of the observed information.

    References:
        Lord (1980), *Applications of Item Response Theory to Practical Testing
        Problems*, ch. 4.
    """

    def score(self, problem: Posterior, items: Estimate) -> SystemScore:
        need_one_ability(problem.model, "ML")
        return each_system(_most_likely, problem, items)

    def slopes(
        self, problem: Posterior, items: Estimate, found: SystemScore
    ) -> Float[Array, "system p free"]:
        slope = functools.partial(slope_of_root, equation=_likelihood_slope)
        return each_system(slope, problem, items, found)


class MAP(AbstractScorer):
    """The most probable system parameters under the model's prior.

    Without data, and for a normal prior, that is the prior's mean and standard
    deviation. The error is that of the curvature at the mode. With several parameters a
    system, the mode that a climb from 0 reaches.

    References:
        Samejima (1969), Estimation of latent ability using a response pattern of graded
        scores, *Psychometrika Monograph* 17, ch. 3.
    """

    def score(self, problem: Posterior, items: Estimate) -> SystemScore:
        if len(problem.model.system_parameters) > 1:
            return several_modes(problem, items)
        return each_system(_most_probable, problem, items)

    def slopes(
        self, problem: Posterior, items: Estimate, found: SystemScore
    ) -> Float[Array, "system p free"]:
        if len(problem.model.system_parameters) > 1:
            return several_slopes(problem, items, found)
        slope = functools.partial(slope_of_root, equation=_posterior_slope)
        return each_system(slope, problem, items, found)


class WLE(AbstractScorer):
    r"""Warm's weighted likelihood: maximum likelihood less its first-order bias.

    It solves $\partial \ell / \partial \theta + J / (2 I) = 0$ with the expected
    information $I$ and $J = \sum P' P'' / P$ over items and outcomes, uses no prior and
    is finite for perfect and for zero scores. The error comes from the slope of the
    equation. Without data the score is not a number.

    References:
        Warm (1989), Weighted likelihood estimation of ability in item response theory,
        Psychometrika 54, eq. 8 and 13. Samejima (1998), for ordered categories.
    """

    def score(self, problem: Posterior, items: Estimate) -> SystemScore:
        _need_outcomes(problem.model, "WLE")
        need_one_ability(problem.model, "WLE")
        return each_system(_weighted, problem, items)

    def slopes(
        self, problem: Posterior, items: Estimate, found: SystemScore
    ) -> Float[Array, "system p free"]:
        slope = functools.partial(slope_of_root, equation=_warm)
        return each_system(slope, problem, items, found)


class Jeffreys(AbstractScorer):
    r"""The mode under Jeffreys's prior, $\sqrt{I(\theta)}$ of the expected information.

    The same as `WLE` for the Rasch, 2PL and partial credit models, whose
    $J = I'$; close to it for graded ones; another estimate where items can be guessed,
    where its bias is not of the order that `WLE` takes away. R mirt calls this WLE.

    References:
        Jeffreys (1946), An invariant form for the prior probability in estimation
        problems, Proc. R. Soc. A 186.
    """

    def score(self, problem: Posterior, items: Estimate) -> SystemScore:
        _need_outcomes(problem.model, "Jeffreys")
        need_one_ability(problem.model, "Jeffreys")
        return each_system(_at_jeffreys, problem, items)

    def slopes(
        self, problem: Posterior, items: Estimate, found: SystemScore
    ) -> Float[Array, "system p free"]:
        slope = functools.partial(slope_of_root, equation=_jeffreys_slope)
        return each_system(slope, problem, items, found)


def _most_likely(system: SystemPosterior) -> SystemScore:
    return without_prior(system, solve(system, _likelihood, _likelihood_slope))


def _most_probable(system: SystemPosterior) -> SystemScore:
    return solve(system, _posterior, _posterior_slope)


def _weighted(system: SystemPosterior) -> SystemScore:
    return without_prior(system, solve(system, _jeffreys, _warm))


def _at_jeffreys(system: SystemPosterior) -> SystemScore:
    return without_prior(system, solve(system, _jeffreys, _jeffreys_slope))


def _likelihood(system: SystemPosterior, ability: Scalar) -> Scalar:
    return system.log_likelihood(ability[None])


def _posterior(system: SystemPosterior, ability: Scalar) -> Scalar:
    return system.log_likelihood(ability[None]) + system.log_prior(ability[None])


def _jeffreys(system: SystemPosterior, ability: Scalar) -> Scalar:
    information, _ = system.information(ability)
    # The smallest normal number keeps a far node finite where nothing is informative.
    floor = jnp.finfo(information.dtype).tiny
    return _likelihood(system, ability) + 0.5 * jnp.log(jnp.maximum(information, floor))


def _warm(system: SystemPosterior, ability: Scalar) -> Scalar:
    information, bend = system.information(ability)
    some = information > 0
    correction = jnp.where(some, bend / jnp.where(some, 2 * information, 1), 0)
    return _likelihood_slope(system, ability) + correction


def _likelihood_slope(system: SystemPosterior, ability: Scalar) -> Scalar:
    return jax.grad(_likelihood, 1)(system, ability)


def _posterior_slope(system: SystemPosterior, ability: Scalar) -> Scalar:
    return jax.grad(_posterior, 1)(system, ability)


def _jeffreys_slope(system: SystemPosterior, ability: Scalar) -> Scalar:
    return jax.grad(_jeffreys, 1)(system, ability)


def _need_outcomes(model: AbstractResponseModel, scorer: str) -> None:
    if model.response is ScoreResponses:
        raise ValueError(
            f"{scorer} needs the expected information, a sum over outcomes, and "
            f"{type(model).__name__} has a continuum of them: use EAP, MAP or ML."
        )
