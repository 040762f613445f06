"""Item characteristic and information curves, with what was observed beside them."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.scipy import stats
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses

from .._fit import posterior
from .._model import AbstractResponseModel, Estimate
from .._parameter import Scalar, constrain
from ._outcomes import counted_outcomes, model_of_one_ability


class ItemCurves(eqx.Module):
    """What a model expects of each item over a range of abilities.

    Attributes:
        ability: in logits.
        expected: the mean score as a share of the highest: a chance of success for right
            and wrong answers.
        lower: of the band for the item's parameters being estimated.
        upper: of the same band.
        information: of one observation about the ability, per squared logit.
    """

    ability: Float[Array, " point"]
    expected: Float[Array, "item point"]
    lower: Float[Array, "item point"]
    upper: Float[Array, "item point"]
    information: Float[Array, "item point"]


class ObservedPoints(eqx.Module):
    """Mean scores of systems of about the same ability, item by item.

    Not a number where no system of the bin ran the item.

    Attributes:
        ability: mean over the systems of the bin that ran the item, in logits.
        share: mean score as a share of the highest, over all observations.
        lower: of the interval for the share.
        upper: of the same interval.
        count: observations.
    """

    ability: Float[Array, "item bin"]
    share: Float[Array, "item bin"]
    lower: Float[Array, "item bin"]
    upper: Float[Array, "item bin"]
    count: Float[Array, "item bin"]


@eqx.filter_jit
def item_curves(
    model: AbstractResponseModel,
    responses: AbstractResponses,
    estimate: Estimate,
    ability: Float[Array, " point"],
    *,
    level: float = 0.95,
    item_features: Float[Array, "item g"] | None = None,
) -> ItemCurves:
    r"""Return every item's characteristic and information curve.

    The information of one observation is $\sum_o P_o (\partial \log P_o / \partial
    \theta)^2$. The band is the delta method's, on the logit of the expected score, from
    the item's own expected information and its prior: abilities and shared parameters
    are taken as known, so it is a little narrow where items are few.

    Args:
        model: with one ability a system.
        responses: those that were fitted: right and wrong answers, or categories.
        estimate: the fit's value.
        ability: where, on the ability's own scale.
        level: of the band.
        item_features: as given to `fit`.

    Raises:
        ValueError: if the kind of responses or the model has no such curves.

    References:
        Birnbaum (1968), in Lord & Novick, *Statistical Theories of Mental Test Scores*,
        eq. 17.7.2; Samejima (1969), Estimation of latent ability using a response
        pattern of graded scores, Psychometrika Monograph 17, for categories.
    """
    problem = posterior(model, responses, None, item_features)
    model_of_one_ability(model, "A curve")
    outcomes = counted_outcomes(problem.responses, "A curve")
    highest = outcomes.shape[0] - 1
    shared = constrain(model.shared_parameters, estimate.shared)
    kind = model.system_parameters[0]
    nothing = jnp.zeros(0, estimate.system.dtype)

    def log_probs(theta: Scalar, item: Float[Array, " q"], features):
        def one(outcome):
            return model.log_prob(
                outcome,
                {kind.name: theta},
                constrain(model.item_parameters, item),
                shared,
                nothing,
                features,
            )

        return jax.vmap(one)(outcomes)

    def logit(theta, item, features):
        expected = jnp.exp(log_probs(theta, item, features)) @ outcomes / highest
        return jax.scipy.special.logit(expected)

    def information(theta, item, features):
        slope = jax.jacfwd(log_probs)(theta, item, features)
        return jnp.exp(log_probs(theta, item, features)) @ slope**2

    def over(function):
        points = jax.vmap(function, (0, None, None))
        return jax.vmap(points, (None, 0, 0))

    arguments = (ability, estimate.item, problem.item_features)
    none_observed = jnp.zeros((), estimate.system.dtype)
    own = problem.evaluate(estimate, none_observed).information.item
    covariance = jnp.linalg.inv(jnp.moveaxis(own, -1, 0))
    slope = over(jax.grad(logit, argnums=1))(*arguments)
    variance = jnp.einsum("ipk,ikm,ipm->ip", slope, covariance, slope)
    reach = -stats.norm.ppf((1 - level) / 2) * jnp.sqrt(variance)
    centre = over(logit)(*arguments)
    return ItemCurves(
        ability,
        jax.nn.sigmoid(centre),
        jax.nn.sigmoid(centre - reach),
        jax.nn.sigmoid(centre + reach),
        over(information)(*arguments),
    )


@eqx.filter_jit
def observed_points(
    model: AbstractResponseModel,
    responses: AbstractResponses,
    estimate: Estimate,
    *,
    bins: int = 8,
    level: float = 0.95,
) -> ObservedPoints:
    """Return mean scores by item in bins of about equally many systems.

    Intervals are Wilson's, with a cell's trials taken as independent; for categories
    they are wider than need be.

    Args:
        model: with one ability a system.
        responses: right and wrong answers, or categories.
        estimate: the fit's value; only abilities are used.
        bins: how many.
        level: of the intervals.

    Raises:
        ValueError: if the kind of responses or the model has no such points.

    References:
        Wilson (1927), Probable inference, the law of succession, and statistical
        inference, Journal of the American Statistical Association 22.
    """
    problem = posterior(model, responses)
    model_of_one_ability(model, "A curve")
    outcomes = counted_outcomes(problem.responses, "A curve")
    weight = problem.responses.terms().weight
    kind = model.system_parameters[0]
    theta = jax.vmap(kind.transform.forward)(estimate.system[:, 0])
    some = jnp.any(weight > 0, axis=(1, 2))
    place = jnp.argsort(jnp.argsort(jnp.where(some, theta, jnp.inf)))
    in_use = jnp.maximum(jnp.sum(some), 1)
    bin_of = jnp.where(some, place * bins // in_use, bins)
    member = (bin_of[:, None] == jnp.arange(bins)[None, :]).astype(theta.dtype)

    trials = jnp.sum(weight, axis=-1)
    score = weight @ outcomes / (outcomes.shape[0] - 1)
    seen = (trials > 0).astype(theta.dtype)
    count = trials.T @ member
    systems = seen.T @ member
    known = count > 0
    number = jnp.where(known, count, 1)
    share = (score.T @ member) / number
    mean = ((seen * theta[:, None]).T @ member) / jnp.where(known, systems, 1)
    z = -stats.norm.ppf((1 - level) / 2)
    middle = (share + z**2 / (2 * number)) / (1 + z**2 / number)
    half = (
        z
        / (1 + z**2 / number)
        * jnp.sqrt(share * (1 - share) / number + z**2 / (4 * number**2))
    )

    def shown(values: Float[Array, "item bin"]) -> Float[Array, "item bin"]:
        return jnp.where(known, values, jnp.nan)

    return ObservedPoints(
        shown(mean), shown(share), shown(middle - half), shown(middle + half), count
    )
