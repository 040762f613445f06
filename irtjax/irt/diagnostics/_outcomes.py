"""What the model expects of every cell: chances of outcomes, moments of scores."""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from irtjax.data import AbstractResponses, BinomialResponses, CategoricalResponses

from .._model import AbstractResponseModel, Estimate, named
from .._posterior import Posterior


class Moments(NamedTuple):
    """What a cell's total score is, and what the model expects it to be.

    A right answer scores 1 and a category its index. All are 0 where nothing was seen.

    Attributes:
        score: the total over the cell's observations.
        count: how many observations there are.
        mean: of the total.
        variance: of the total.
        fourth: its fourth central moment.
    """

    score: Float[Array, "system item"]
    count: Float[Array, "system item"]
    mean: Float[Array, "system item"]
    variance: Float[Array, "system item"]
    fourth: Float[Array, "system item"]


def counted_outcomes(responses: AbstractResponses, what: str) -> Float[Array, " o"]:
    """Return the outcomes that the responses count.

    Raises:
        ValueError: if a cell's outcome is a number on a continuum.
    """
    if not isinstance(responses, BinomialResponses | CategoricalResponses):
        raise ValueError(
            f"{what} is defined for right and wrong answers and for categories, not "
            f"for {type(responses).__name__}."
        )
    return responses.terms().outcome


def outcome_log_probs(
    problem: Posterior, at: Estimate, outcomes: Float[Array, " o"]
) -> Float[Array, "system item o"]:
    """Return the log-probability of each outcome of one observation in every cell."""
    values = named(problem.model, at)

    def one(outcome, system, item, features, item_features):
        return problem.model.log_prob(
            outcome, system, item, values.shared, features, item_features
        )

    over_outcomes = jax.vmap(one, (0, None, None, None, None))
    over_items = jax.vmap(over_outcomes, (None, None, 0, None, 0))
    over_systems = jax.vmap(over_items, (None, 0, None, 0, None))
    return over_systems(
        outcomes,
        values.system,
        values.item,
        problem.system_features,
        problem.item_features,
    )


def cell_log_likelihoods(
    problem: Posterior, at: Estimate
) -> Float[Array, "system item"]:
    """Return the log-probability of what was observed in each cell, in nats.

    Zero where nothing was; for scores on a continuum it is a density's logarithm.
    """
    terms, values = problem.responses.terms(), named(problem.model, at)

    def one(outcome, weight, system, item, features, item_features):
        return weight * problem.model.log_prob(
            outcome, system, item, values.shared, features, item_features
        )

    of_cell = terms.outcome.ndim == 3
    over_terms = jax.vmap(one, (0, 0, None, None, None, None))
    outcome_axis = 0 if of_cell else None
    over_items = jax.vmap(over_terms, (outcome_axis, 0, None, 0, None, 0))
    over_systems = jax.vmap(over_items, (outcome_axis, 0, 0, None, 0, None))
    cells = over_systems(
        terms.outcome,
        terms.weight,
        values.system,
        values.item,
        problem.system_features,
        problem.item_features,
    )
    return jnp.sum(cells, axis=-1)


def moments(
    problem: Posterior, at: Estimate, what: str, least_variance: float
) -> Moments:
    r"""Return every cell's score beside its first moments under the model.

    The observations of a cell are independent given the parameters, so a total of $n$
    has $n$ times the mean and variance of one, and the fourth central moment $n \mu_4 +
    3 n (n - 1) \sigma^4$.

    Args:
        problem: the model and the table.
        at: the parameters.
        what: the name of what is computed, for the message of an error.
        least_variance: the smallest variance that one observation is given.

    Raises:
        ValueError: if the responses are not counts of outcomes.
    """
    outcomes = counted_outcomes(problem.responses, what)
    weight = problem.responses.terms().weight
    probability = jnp.exp(outcome_log_probs(problem, at, outcomes))
    mean = probability @ outcomes
    away = outcomes[None, None, :] - mean[..., None]
    variance = jnp.sum(probability * away**2, axis=-1)
    fourth = jnp.sum(probability * away**4, axis=-1)
    variance = jnp.maximum(variance, least_variance)
    count = jnp.sum(weight, axis=-1)
    return Moments(
        weight @ outcomes,
        count,
        count * mean,
        count * variance,
        count * fourth + 3 * count * jnp.maximum(count - 1, 0) * variance**2,
    )


def complete_rows(
    responses: AbstractResponses, what: str
) -> tuple[Float[Array, "system item"], Bool[Array, " system"]]:
    """Return scores of 0 and 1, and which systems have any; those have all.

    Raises:
        ValueError: if the responses are not right and wrong answers.
        RuntimeError: if a system lacks some items, or a cell has several trials.
    """
    if not isinstance(responses, BinomialResponses):
        raise ValueError(
            f"{what} is defined for right and wrong answers, not for "
            f"{type(responses).__name__}."
        )
    here = jnp.any(responses.trials > 0, axis=1)
    score = jnp.where(here[:, None], responses.successes, 0)
    score = eqx.error_if(
        score,
        jnp.any(here[:, None] & (responses.trials != 1)),
        f"{what} is defined for complete tables with one trial a cell: leave out "
        "systems or items until nothing is missing; `item_mean_squares` and `q3` take "
        "any table.",
    )
    return score, here


def model_of_one_ability(model: AbstractResponseModel, what: str) -> None:
    """Raise an error if a system has more than one parameter."""
    if len(model.system_parameters) != 1:
        raise ValueError(
            f"{what} integrates over one ability a system; {type(model).__name__} has "
            f"{len(model.system_parameters)} system parameters."
        )
