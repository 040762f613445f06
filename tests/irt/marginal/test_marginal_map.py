import json

import jax
import jax.numpy as jnp
import numpy as np
import polars as pl
import pytest

from irtjax.data import BinomialResponses
from irtjax.irt import (
    RESULTS,
    Flat,
    MarginalMAP,
    Normal,
    OnePL,
    TwoPL,
    fit,
    fit_many,
    posterior,
)
from irtjax.irt.marginal import FixedQuadrature, MarginalPosterior

from ..cases import KINDS, MODELS, apart, stack, table

FLAT = TwoPL(difficulty=Flat(), log_discrimination=Flat())
FLAT_ONE = OnePL(difficulty=Flat(), log_discrimination=Flat())


def classic(shared, name):
    """A published table of right and wrong answers, one row a person."""
    path = shared / "data" / "classic" / f"{name}.csv"
    answers = pl.read_csv(path, null_values="NA").to_numpy()[:, 1:].astype(float)
    seen = ~np.isnan(answers)
    return BinomialResponses(
        jnp.asarray(np.nan_to_num(answers)), jnp.asarray(seen, float)
    )


@pytest.mark.parametrize("name", ["LSAT6", "LSAT7", "SAT12"])
@pytest.mark.parametrize("model", [FLAT, FLAT_ONE], ids=["2PL", "Rasch"])
def test_flat_priors_are_r_mirts_maximum_likelihood(shared, name, model):
    kind = "2PL" if model is FLAT else "Rasch"
    path = shared / "reference" / "mirt" / f"{name}_{kind}.json"
    reference = json.loads(path.read_text())
    responses = classic(shared, "SAT12_scored" if name == "SAT12" else name)
    found = fit(model, responses, estimator=MarginalMAP())
    assert found.code == RESULTS.successful
    assert abs(float(found.stats.objective) + reference["logLik"]) < 1e-4
    items = list(reference["slope_intercept"].values())
    spread = 1.0 if kind == "2PL" else np.sqrt(reference["group"][0][1])
    slope = spread * np.array([item["est"]["a1"] for item in items])
    intercept = np.array([item["est"]["d"] for item in items])
    log_slope = found.value.item[:, 1] if kind == "2PL" else found.value.shared
    np.testing.assert_allclose(np.exp(log_slope) + 0 * slope, slope, atol=2e-4)
    ours = -np.exp(log_slope) * found.value.item[:, 0]
    np.testing.assert_allclose(ours, intercept, atol=2e-4)


@pytest.mark.parametrize("name", [*KINDS, "two_dimensions"])
def test_the_gradient_is_that_of_the_integral(name):
    """By autodiff of an integral over nodes that are close and equally spaced."""
    model = MODELS[name]
    responses = table(model, trials=5.0)
    found = fit(model, responses, estimator=MarginalMAP())
    assert found.code == RESULTS.successful
    fixed = FixedQuadrature(121 if len(model.system_parameters) == 1 else 61, 7.0)

    reference = MarginalPosterior(posterior(model, responses), fixed)
    value, slope = jax.jit(jax.value_and_grad(reference.value))(found.value)
    np.testing.assert_allclose(found.stats.objective, value, atol=1e-6)
    assert jnp.max(jnp.abs(slope.item)) < 1e-4
    assert jnp.max(jnp.abs(slope.shared), initial=0) < 1e-4


@pytest.mark.parametrize("name", ["two_pl", "partial_credit"])
def test_many_tables_are_fitted_as_one_by_one(name):
    model = MODELS[name]
    tables = [table(model, seed=seed) for seed in range(3)]
    many = fit_many(model, stack(tables), estimator=MarginalMAP())
    for k, one in enumerate(tables):
        alone = fit(model, one, estimator=MarginalMAP())
        row = jax.tree.map(lambda leaf, k=k: leaf[k], many)
        assert row.code == alone.code == RESULTS.successful
        assert apart(row.value, alone.value) < 1e-8


def test_derivative_by_a_prior():
    responses = table(TwoPL())

    def best(sd):
        model = TwoPL(difficulty=Normal(0.0, sd))
        found = fit(model, responses, estimator=MarginalMAP())
        return jnp.sum(found.value.system**3) + found.value.item[0, 1]

    sd, step = jnp.asarray(1.5), 1e-4
    difference = (best(sd + step) - best(sd - step)) / (2 * step)
    np.testing.assert_allclose(jax.grad(best)(sd), difference, rtol=1e-6)
