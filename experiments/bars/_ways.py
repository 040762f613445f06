"""Every way to an estimate or its error, as one function of a model and a table.

What joins the library joins a list here; bar 7 of issue 4 then holds it to its laws.
"""

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, PRNGKeyArray

from irtjax.data import AbstractResponses, ScoreResponses
from irtjax.irt import (
    AbstractEstimator,
    AbstractResponseModel,
    AbstractUncertainty,
    Estimate,
    Fisher,
    FitResult,
    JointMAP,
    Parameter,
    Sandwich,
    fit,
    fit_many,
    marginal,
    models,
    posteriors,
    resampling,
    scoring,
    simulate,
)

MODELS: dict[str, AbstractResponseModel] = {
    "1PL": models.OnePL(),
    "2PL": models.TwoPL(),
    "Rasch": models.Rasch(),
    "slope-intercept": models.SlopeIntercept(),
    "3PL": models.ThreePL(),
    "4PL": models.FourPL(),
    "two dimensions": models.MultidimensionalTwoPL(2),
    "graded": models.GradedResponse(3),
    "partial credit": models.PartialCredit(3),
    "beta": models.BetaScore(),
    "fractional": models.FractionalBernoulli(),
}
ESTIMATORS: dict[str, AbstractEstimator] = {
    "joint": JointMAP(),
    "marginal": marginal.MarginalMAP(),
}
ERRORS: dict[str, dict[str, AbstractUncertainty]] = {
    "joint": {"Fisher": Fisher(), "sandwich": Sandwich()},
    "marginal": {
        "observed": marginal.MarginalFisher(),
        "sandwich": marginal.MarginalSandwich(),
    },
}
SCORERS: dict[str, scoring.AbstractScorer] = {
    "EAP": scoring.EAP(),
    "MAP": scoring.MAP(),
    "WLE": scoring.WLE(),
    "ML": scoring.ML(),
}
ONE_ABILITY = {"WLE", "ML"}
# Few draws: what is asked is whether they are the same again, not whether they suffice.
KEY = jax.random.key(7)
DRAWN: dict[str, AbstractUncertainty] = {
    "NUTS": posteriors.PosteriorSpread(
        posteriors.NUTS(chains=2, draws=50, warmup=50), KEY
    ),
    "SVI": posteriors.PosteriorSpread(posteriors.SVI(steps=50, draws=100), KEY),
    "parametric bootstrap": resampling.ParametricBootstrap(key=KEY, n_draw=16),
    "trial bootstrap": resampling.TrialBootstrap(key=KEY, n_draw=16),
    "item bootstrap": resampling.ItemBootstrap(key=KEY, n_draw=16),
}
# One for each kind of response and one of several abilities: they compile for long.
DRAWN_MODELS = ("2PL", "graded", "beta", "two dimensions")


class Found(NamedTuple):
    """What a way found.

    Attributes:
        system: arrays with a leading system axis.
        item: with a leading item axis.
        shared: the rest.
        code: how it ended, 0 = well; of each system where there are several.
    """

    system: dict[str, Float[Array, "system ..."]]
    item: dict[str, Float[Array, "item ..."]]
    shared: dict[str, Float[Array, "..."]]
    code: Int[Array, "..."]


Way = Callable[[AbstractResponseModel, AbstractResponses], Found]


def ways(name: str) -> dict[str, Way]:
    """Return every way by name that a model, by its name in `MODELS`, can go."""
    found: dict[str, Way] = {}
    for how, estimator in ESTIMATORS.items():
        found[how] = _fitted(estimator)
        found[f"{how}, many"] = _one_of_many(estimator)
        for kind, errors in ERRORS[how].items():
            found[f"{how}, {kind} errors"] = _with_errors(estimator, errors)
    several = len(MODELS[name].system_parameters) > 1
    scores = MODELS[name].response is ScoreResponses
    for kind, scorer in SCORERS.items():
        if (several and kind in ONE_ABILITY) or (scores and kind == "WLE"):
            continue
        found[kind] = _scored(scorer)
    return found


def drawn(name: str) -> dict[str, Way]:
    """Return the ways that draw at random.

    When rows change places the same key meets other parameters, so a permutation gives
    other draws, and so does another precision.
    """
    if name not in DRAWN_MODELS:
        return {}
    trials = MODELS[name].response is not ScoreResponses
    return {
        kind: _with_errors(JointMAP(), errors)
        for kind, errors in DRAWN.items()
        if trials or kind != "trial bootstrap"
    }


def example(
    name: str, shape: tuple[int, int] = (20, 15), *, key: PRNGKeyArray
) -> AbstractResponses:
    """Return responses drawn from a model, a fifth of the cells not observed."""
    model = MODELS[name]
    system, item, shared, cells, draws = jax.random.split(key, 5)

    def scatter(kinds: tuple[Parameter, ...], rows: int, key: PRNGKeyArray):
        starts = jnp.asarray([kind.start for kind in kinds], float)
        noise = jax.random.normal(key, (rows, len(kinds)), float)
        return starts[None, :] + 0.5 * noise

    truth = Estimate(
        2 * scatter(model.system_parameters, shape[0], system),
        scatter(model.item_parameters, shape[1], item),
        scatter(model.shared_parameters, 1, shared)[0],
    )
    seen = jax.random.bernoulli(cells, 0.8, shape)
    often = 1.0 if model.response is ScoreResponses else 10.0
    return simulate(model, truth, jnp.where(seen, often, 0.0), key=draws)


def moved(found: Found, systems: Int[np.ndarray, " s"], items: Int[np.ndarray, " i"]):
    """Return what would be found with systems and items in another order."""
    return Found(
        {name: values[systems] for name, values in found.system.items()},
        {name: values[items] for name, values in found.item.items()},
        found.shared,
        found.code[systems] if np.ndim(found.code) else found.code,
    )


def _fitted(estimator: AbstractEstimator) -> Way:
    def way(model: AbstractResponseModel, responses: AbstractResponses) -> Found:
        return _of_fit(fit(model, responses, estimator=estimator))

    return way


def _one_of_many(estimator: AbstractEstimator) -> Way:
    """A fit in company, between an empty table and the same table again."""

    def way(model: AbstractResponseModel, responses: AbstractResponses) -> Found:
        stack = jax.tree.map(lambda x: np.stack([0 * x, x, x]), responses)
        fits = fit_many(model, stack, estimator=estimator)
        return _of_fit(jax.tree.map(lambda leaf: leaf[1], fits))

    return way


def _with_errors(estimator: AbstractEstimator, errors: AbstractUncertainty) -> Way:
    def way(model: AbstractResponseModel, responses: AbstractResponses) -> Found:
        result = fit(model, responses, estimator=estimator)
        found = errors(model, responses, result.value)
        return Found(found.system, found.item, found.shared, result.code)

    return way


def _scored(scorer: scoring.AbstractScorer) -> Way:
    """Scores on the items of a joint fit, with the items' errors."""

    def way(model: AbstractResponseModel, responses: AbstractResponses) -> Found:
        items = fit(model, responses).value
        spread = scoring.item_covariance(model, responses, items)
        found = scorer(model, responses, items, item_covariance=spread)
        system = {"value": found.value, "variance": found.covariance}
        return Found(system, {}, {}, found.code)

    return way


def _of_fit(result: FitResult) -> Found:
    value = result.value
    return Found(
        {"value": value.system},
        {"value": value.item},
        {"value": value.shared},
        result.code,
    )
