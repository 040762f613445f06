"""Fitting one table: a pure function that composes with jit, vmap and grad."""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses, BinomialResponses, LongResponses

from ._estimator import AbstractEstimator, JointMAP
from ._frozen import frozen
from ._implicit import with_derivative
from ._model import AbstractResponseModel
from ._posterior import Posterior
from ._results import FitResult
from ._shapes import check_one_table
from ._traits import AbstractCategoricalModel


@eqx.filter_jit
def fit(
    model: AbstractResponseModel,
    responses: AbstractResponses,
    *,
    estimator: AbstractEstimator = JointMAP(),
    system_features: Float[Array, "system f"] | None = None,
    item_features: Float[Array, "item g"] | None = None,
) -> FitResult:
    r"""Fit one table.

    The estimate and the objective may be differentiated, once, by anything that enters
    the objective, such as the counts or a prior held as an array: at the optimum
    $g(u, \phi) = 0$, so $\mathrm{d}u/\mathrm{d}\phi = -H^{-1}\, \partial g /
    \partial \phi$, whatever the solver did to get there. Second derivatives of a fit
    are not right.

    Args:
        model: how a response arises.
        responses: of the kind that the model takes; a long table is spread out first.
        estimator: the objective and the solver.
        system_features: what is known of each system, if the model uses it.
        item_features: what is known of each item.

    Returns:
        The estimate on the unconstrained scale, with a code to read first. Systems and
        items without data get their prior's mode.

    Raises:
        ValueError: if the kind of responses or the number of categories is not the
            model's, they are not one table, or features do not fit.
    """
    problem = posterior(model, responses, system_features, item_features)
    result = estimator.estimate(frozen(problem))
    at, objective = with_derivative(
        result.value, result.stats.objective, estimator.objective(problem)
    )
    return eqx.tree_at(lambda r: (r.value, r.stats.objective), result, (at, objective))


def posterior(
    model: AbstractResponseModel,
    responses: AbstractResponses,
    system_features: Float[Array, "system f"] | None = None,
    item_features: Float[Array, "item g"] | None = None,
) -> Posterior:
    """Return the objective of one table, after checking that its parts fit together.

    Raises:
        ValueError: if the kind of responses or the number of categories is not the
            model's, they are not one table, or features do not fit.
    """
    check_one_table(responses)
    if isinstance(responses, LongResponses) and model.response is BinomialResponses:
        responses = responses.dense()
    if not isinstance(responses, model.response):
        raise ValueError(
            f"{type(model).__name__} takes {model.response.__name__}, got "
            f"{type(responses).__name__}."
        )
    if isinstance(model, AbstractCategoricalModel):
        got = responses.terms().weight.shape[-1]
        if got != model.n_category:
            raise ValueError(
                f"{type(model).__name__} was made for {model.n_category} categories, "
                f"the responses have {got}: set `n_category`."
            )
    dtype = responses.terms().weight.dtype
    return Posterior(
        model,
        responses,
        _features(system_features, responses.shape[0], "system_features", dtype),
        _features(item_features, responses.shape[1], "item_features", dtype),
    )


def _features(
    given: Float[Array, "row f"] | None, rows: int, name: str, dtype: jnp.dtype
) -> Float[Array, "row f"]:
    if given is None:
        return jnp.zeros((rows, 0), dtype)
    if given.ndim != 2 or given.shape[0] != rows:
        raise ValueError(f"`{name}` must have {rows} rows, got shape {given.shape}.")
    return given
