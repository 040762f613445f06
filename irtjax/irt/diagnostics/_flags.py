"""The one list of everything about a table and its fit that a reader must know."""

import numpy as np
from jaxtyping import Array, Float

from irtjax.data import AbstractResponses, ResponseTable

from .._errors import Uncertainty
from .._fit import posterior
from .._model import AbstractResponseModel
from .._results import RESULTS, FitResult
from .._uncertainty import Fisher
from ._data_flags import data_flags, sides
from ._fit_flags import (
    convergence_flags,
    negative_slope_flags,
    orientation_flags,
    prior_flags,
)
from ._flag import KINDS, Flag


def flags(
    data: ResponseTable | AbstractResponses,
    model: AbstractResponseModel | None = None,
    result: FitResult | None = None,
    *,
    uncertainty: Uncertainty | None = None,
    system_features: Float[Array, "system f"] | None = None,
    item_features: Float[Array, "item g"] | None = None,
) -> tuple[Flag, ...]:
    """Return what is wrong or weak about a table, and about a fit if one is given.

    Before a fit: systems and items without data, constant or with hardly a cell that
    could have come out either way; copies; items on which better systems do worse;
    systems that nothing connects with the rest. After it also: whether it converged and
    the scale is the right way up, and parameters that are still what their prior said.

    Args:
        data: a table, whose ids the flags carry as they are, or responses, whose
            systems and items are then named by their positions.
        model: the model that was fitted.
        result: its fit of `data`; a batch has to be taken apart first.
        uncertainty: its errors. Where None, those of `Fisher`, which go with `JointMAP`;
            give a fit by `MarginalMAP` those of `MarginalFisher`.
        system_features: as given to `fit`; used for the errors.
        item_features: as given to `fit`.

    Returns:
        In the order of `KINDS`, about systems before items.

    Raises:
        ValueError: if one of `model` and `result` is missing, or `result` is a batch.
    """
    if (model is None) != (result is None):
        raise ValueError("Give both `model` and `result`, or neither.")
    if isinstance(data, ResponseTable):
        responses = data.responses
        system_ids, item_ids = data.system_ids, data.item_ids
    else:
        responses = data
        system_ids, item_ids = (tuple(range(size)) for size in data.shape)
    systems, items = sides(responses, system_ids, item_ids)
    found = list(data_flags(responses, systems, items))
    if model is None or result is None:
        return _in_order(found)
    if np.ndim(result.code) != 0:
        raise ValueError(
            f"`result` holds {np.shape(result.code)[0]} fits; flags are of one table."
        )
    found += convergence_flags(result)
    if int(result.code) != RESULTS.successful:
        return _in_order(found)
    if uncertainty is None:
        uncertainty = Fisher()(
            model,
            responses,
            result.value,
            system_features=system_features,
            item_features=item_features,
        )
    reversed_items = {f.ids[0] for f in found if f.kind == "reversed"}
    constant = {f.ids[0] for f in found if f.kind == "constant"}
    found += orientation_flags(model, result.value, systems)
    found += negative_slope_flags(model, result.value, items, reversed_items)
    problem = posterior(model, responses, system_features, item_features)
    found += prior_flags(problem, result.value, uncertainty, systems, items, constant)
    return _in_order(found)


def _in_order(found: list[Flag]) -> tuple[Flag, ...]:
    place = {kind: k for k, kind in enumerate(KINDS)}
    return tuple(sorted(found, key=lambda f: (place[f.kind], f.about == "item")))
