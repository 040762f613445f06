"""The graded response model on R's Science table beside R mirt's fit of it."""

import json
from typing import Any

import jax.numpy as jnp
import numpy as np
import polars as pl

from irtjax.data import CategoricalResponses
from irtjax.irt import (
    RESULTS,
    Flat,
    GradedResponse,
    MarginalFisher,
    MarginalMAP,
    derived,
    fit,
    named,
)

from ._shared import shared

N_CATEGORY = 4
# Their names and ours; the intercepts are derived from thresholds.
NAMES = {
    "a1": "discrimination",
    "d1": "intercept_1",
    "d2": "intercept_2",
    "d3": "intercept_3",
}


def compare() -> dict[str, Any]:
    """Return how far the maximum-likelihood fit is from the reference.

    Returns:
        The fit's code; `log_likelihood`, the difference in nats; `estimates`, the largest
        difference of slopes and intercepts; `errors`, the largest relative difference of
        their standard errors (Oakes).
    """
    path = shared() / "data" / "classic" / "Science.csv"
    answers = pl.read_csv(path).to_numpy()[:, 1:].astype(int)
    responses = CategoricalResponses(jnp.asarray(np.eye(N_CATEGORY)[answers - 1]))
    model = GradedResponse(
        N_CATEGORY, difficulty=Flat(), log_discrimination=Flat(), log_gap=Flat()
    )
    result = fit(model, responses, estimator=MarginalMAP())
    errors = MarginalFisher()(model, responses, result.value)
    value = named(model, result.value).item | derived(model, result.value)
    error = errors.item | errors.derived

    reference = json.loads(
        (shared() / "reference" / "mirt" / "Science_graded.json").read_text()
    )
    items = list(reference["slope_intercept"].values())
    apart, relative = [], []
    for theirs, ours in NAMES.items():
        expected = np.asarray([item["est"][theirs] for item in items])
        apart.append(np.abs(np.asarray(value[ours]) - expected).max())
        expected = np.asarray([item["se"][theirs] for item in items])
        relative.append(np.abs(np.asarray(error[ours]) / expected - 1).max())
    return {
        "code": RESULTS(int(result.code)).name,
        "log_likelihood": abs(float(result.stats.objective) + reference["logLik"]),
        "estimates": float(np.max(apart)),
        "errors": float(np.max(relative)),
    }
