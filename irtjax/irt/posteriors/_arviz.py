"""Draws as arviz's `InferenceData`: the one file that knows arviz."""

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

import jax
import numpy as np

from .._model import AbstractResponseModel, named
from ._nuts import NUTSTrace
from ._sampler import SampleResult

if TYPE_CHECKING:
    import arviz


def to_arviz(
    model: AbstractResponseModel,
    result: SampleResult,
    *,
    system_ids: Sequence | None = None,
    item_ids: Sequence | None = None,
) -> "arviz.InferenceData":
    """Return one table's draws for arviz's plots and summaries.

    Args:
        model: what was sampled.
        result: what `sample_posterior` returned.
        system_ids: labels of the `system` dimension; by default 0, 1, 2, ...
        item_ids: labels of the `item` dimension.

    Returns:
        Group `posterior` with every parameter by name on its own scale, and for NUTS
        group `sample_stats` with arviz's names.

    Raises:
        ImportError: if arviz is not installed; it comes with `irtjax[bayes]`.
    """
    with warnings.catch_warnings():
        # arviz 0.23 announces at import what a later version will rearrange.
        warnings.filterwarnings(
            "ignore", category=FutureWarning, message=r"\s*ArviZ is undergoing"
        )
        try:
            import arviz
        except ImportError as error:
            raise ImportError(
                "Draws for arviz need arviz: pip install 'irtjax[bayes]'."
            ) from error
    values = jax.vmap(jax.vmap(lambda draw: named(model, draw)))(result.value)
    variables, dims = {}, {}
    for part, axis in ((values.system, "system"), (values.item, "item")):
        variables |= {name: np.asarray(value) for name, value in part.items()}
        dims |= {name: [axis] for name in part}
    variables |= {name: np.asarray(value) for name, value in values.shared.items()}
    trace = result.trace
    stats = None
    if isinstance(trace, NUTSTrace):
        stats = {
            "acceptance_rate": np.asarray(trace.accept),
            "diverging": np.asarray(trace.diverging),
            "n_steps": np.asarray(trace.leapfrogs),
            "step_size": np.full(trace.accept.shape, trace.step_size),
        }
    n_system, n_item = result.value.system.shape[2], result.value.item.shape[2]
    return arviz.from_dict(
        posterior=variables,
        sample_stats=stats,
        dims=dims,
        coords={
            "system": list(range(n_system) if system_ids is None else system_ids),
            "item": list(range(n_item) if item_ids is None else item_ids),
        },
    )
