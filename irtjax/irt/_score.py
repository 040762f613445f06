"""The scores by which systems are compared, with their joint errors."""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses

from ._blocks import Factor, Vector, factorise
from ._errors import ability_covariance, ability_shared_covariance, variances
from ._fit import posterior
from ._model import AbstractResponseModel, Estimate
from ._parameter import constrain, names
from ._posterior import Posterior
from ._traits import AbstractScored


class FittedScores(NamedTuple):
    """One score a system and how the scores err together.

    Attributes:
        score: higher is better; on the model's scale, in logits for the models here.
        covariance: in squared units of the score; not a number where the information
            is not positive definite.
        difficulty: of each item on the scale of the scores, with its standard error;
            None for a model without a `difficulty`.
    """

    score: Float[Array, " system"]
    covariance: Float[Array, "system system"]
    difficulty: tuple[Float[Array, " item"], Float[Array, " item"]] | None


def scores_of(
    model: AbstractResponseModel, responses: AbstractResponses, estimate: Estimate
) -> Float[Array, " system"]:
    """Return each system's score: the model's own, else its first system parameter.

    A model's own scores are given less their mean over the systems with data, since
    where the whole scale lies is as open as how far it is stretched.

    Args:
        model: what was fitted.
        responses: the table that it was fitted to.
        estimate: the fit's value, of one table.
    """
    score = _scores(model, estimate)
    return score - _share(model, responses, score.dtype) @ score


@eqx.filter_jit
def fitted_scores(
    model: AbstractResponseModel, responses: AbstractResponses, estimate: Estimate
) -> FittedScores:
    """Return the scores of a joint fit with their covariance. Pure.

    From the inverse of the exact observed information, priors included, by the delta
    method. A model's own scores have no room for the error of the scale, which makes
    all other intervals wide enough; so theirs is multiplied by $N / (N - d)$ for the
    $d$ parameters' worth of freedom that the fit took from $N$ trials: a joint mode
    lies closer to its data than the truth does.

    Args:
        model: what was fitted.
        responses: the table that it was fitted to.
        estimate: the fit's value.

    Raises:
        ValueError: if the parts do not fit together, as in `fit`.

    References:
        Efron & Hinkley (1978), Assessing the accuracy of the maximum likelihood
        estimator: observed versus expected Fisher information, Biometrika 65. Neyman &
        Scott (1948), Consistent estimates based on partially consistent observations,
        Econometrica 16, for the closeness.
    """
    problem = posterior(model, responses, None, None)
    one = jnp.ones((), estimate.system.dtype)
    factor = factorise(problem.evaluate(estimate, one).information)
    outer = factor.outer_covariance()
    variance = variances(factor, outer)
    by_row, by_shared = jax.vmap(
        jax.grad(lambda row, common: _score(model, row, common), argnums=(0, 1)),
        (0, None),
    )(estimate.system, estimate.shared)
    by_ability = by_row[:, 0]
    across = ability_shared_covariance(factor, outer)
    mixed = by_ability[:, None] * across @ by_shared.T
    n_shared = estimate.shared.shape[0]
    common = outer[outer.shape[0] - n_shared :, outer.shape[0] - n_shared :]
    covariance = (
        by_ability[:, None] * ability_covariance(factor, outer) * by_ability[None, :]
        + mixed
        + mixed.T
        + by_shared @ common @ by_shared.T
    )
    wider = one
    if isinstance(model, AbstractScored):
        wider = _widening(problem, estimate, variance)
    score = _scores(model, estimate)
    share = _share(model, responses, score.dtype)
    mean = share @ score
    towards = covariance @ share
    centred = covariance - towards[:, None] - towards[None, :] + share @ towards
    difficulty = None
    kinds = names(model.item_parameters)
    if "difficulty" in kinds:
        from_mean = Vector(
            jnp.zeros_like(estimate.system.T).at[0].set(share * by_ability),
            jnp.zeros_like(estimate.item.T),
            share @ by_shared,
        )
        place, error = _places(
            model, estimate, factor, variance, from_mean, kinds.index("difficulty")
        )
        difficulty = (place - mean, jnp.sqrt(wider) * error)
    return FittedScores(score - mean, wider * centred, difficulty)


def _places(
    model: AbstractResponseModel,
    estimate: Estimate,
    factor: Factor,
    variance: Vector,
    from_mean: Vector,
    k: int,
) -> tuple[Float[Array, " item"], Float[Array, " item"]]:
    """Return the score of a system as able as each item is hard, with its error.

    The error is that of the score's distance from the mean, whose gradient is
    `from_mean`.
    """

    def at(difficulty: Float[Array, ""], common: Float[Array, " s"]):
        row = jnp.zeros(estimate.system.shape[1], difficulty.dtype)
        return _score(model, row.at[0].set(difficulty), common)

    difficulty = estimate.item[:, k]
    place = jax.vmap(at, (0, None))(difficulty, estimate.shared)
    by_own, by_shared = jax.vmap(jax.grad(at, argnums=(0, 1)), (0, None))(
        difficulty, estimate.shared
    )
    mean = factor.solve(from_mean)
    total = variance.item[k] * by_own**2 - 2 * by_own * mean.item[k]
    total = total + _inner(from_mean, mean) - 2 * by_shared @ mean.shared
    for m in range(by_shared.shape[1]):
        towards = factor.solve(_unit_shared(from_mean, m))
        total = total + 2 * by_own * by_shared[:, m] * towards.item[k]
        total = total + by_shared[:, m] * (by_shared @ towards.shared)
    return place, jnp.sqrt(total)


def _unit_shared(like: Vector, m: int) -> Vector:
    nothing = jax.tree.map(jnp.zeros_like, like)
    return nothing._replace(shared=nothing.shared.at[m].set(1))


def _inner(left: Vector, right: Vector) -> Float[Array, ""]:
    return (
        jnp.sum(left.system * right.system)
        + jnp.sum(left.item * right.item)
        + jnp.sum(left.shared * right.shared)
    )


def _widening(
    problem: Posterior, estimate: Estimate, variance: Vector
) -> Float[Array, ""]:
    r"""Return N / (N - d), with d the number of parameters less what priors settle."""
    system, item, shared = problem.priors(estimate)
    free = (
        jnp.sum(1 + variance.system * system.bend)
        + jnp.sum(1 + variance.item * item.bend)
        + jnp.sum(1 + variance.shared[:, None] * shared.bend)
    )
    trials = jnp.sum(problem.responses.terms().weight)
    return trials / jnp.maximum(trials - free, 1)


def _share(
    model: AbstractResponseModel, responses: AbstractResponses, dtype: jnp.dtype
) -> Float[Array, " system"]:
    """Return each system's share in what scores are measured from."""
    some = jnp.any(responses.observed(), axis=1).astype(dtype)
    if not isinstance(model, AbstractScored):
        return jnp.zeros_like(some)
    return some / jnp.maximum(jnp.sum(some), 1)


def _scores(
    model: AbstractResponseModel, estimate: Estimate
) -> Float[Array, " system"]:
    """Return scores as the model gives them, not less their mean."""
    return jax.vmap(lambda row: _score(model, row, estimate.shared))(estimate.system)


def _score(
    model: AbstractResponseModel,
    row: Float[Array, " p"],
    shared: Float[Array, " s"],
) -> Float[Array, ""]:
    system = constrain(model.system_parameters, row)
    if isinstance(model, AbstractScored):
        return model.score(system, constrain(model.shared_parameters, shared))
    return system[model.system_parameters[0].name]
