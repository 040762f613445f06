"""The regressions give the published numbers and agree with plain linear algebra."""

import numpy as np
import polars as pl
import pytest

from experiments import _published_claims as published
from experiments._regression import TERMS, clustered_surface, power_law, surface


@pytest.fixture
def summary(shared):
    return pl.read_csv(shared / "reference" / "kang2026" / "grid_summary.csv")


def columns(summary, mask):
    error = 1 - summary[f"rho_avg_{mask}_mean"].to_numpy()
    return summary["S"].to_numpy(), summary["D"].to_numpy(), error


@pytest.mark.parametrize(
    ("mask", "column"), [("assortative", "biased"), ("mcar", "mcar")]
)
def test_surface_is_the_published_one_to_every_printed_digit(summary, mask, column):
    fit = surface(*columns(summary, column))
    ours = dict(zip(TERMS, fit.coefficient, strict=True))
    ours |= {"t of S x D": fit.t[3], "R squared": fit.r_squared}
    assert ours.keys() == published.SURFACE[mask].keys()
    for name, number in published.SURFACE[mask].items():
        assert number.agrees(ours[name]), name
    assert fit.n == published.CELLS


def test_hc3_t_of_the_product_on_the_published_data(summary):
    assert round(surface(*columns(summary, "biased")).t_hc3[3], 1) == 6.9


def test_power_law_is_the_published_one(summary):
    fit = power_law(*columns(summary, "biased"))
    assert fit.n == published.POWER_LAW_CELLS
    assert published.POWER_LAW["alpha"].agrees(fit.alpha)
    assert published.POWER_LAW["beta"].agrees(fit.beta)
    assert published.POWER_LAW["R squared"].agrees(fit.r_squared)
    assert round(fit.r_squared_log, 3) == 0.832


def grid(rng):
    s, d = np.meshgrid(np.linspace(0, 0.7, 5), np.linspace(0.5, 5, 6), indexing="ij")
    s, d = s.ravel(), d.ravel()
    error = 0.1 + 0.3 * s + 0.05 * d + 0.2 * s * d + 0.05 * rng.normal(size=s.size)
    return s, d, error


def test_surface_agrees_with_the_normal_equations():
    s, d, error = grid(np.random.default_rng(1))
    x = np.column_stack(
        [np.ones(s.size), s - s.mean(), d - d.mean(), (s - s.mean()) * (d - d.mean())]
    )
    inverse = np.linalg.inv(x.T @ x)
    beta = inverse @ x.T @ error
    left = error - x @ beta
    plain = np.sqrt(left @ left / (s.size - 4) * np.diag(inverse))
    leverage = np.einsum("ij,jk,ik->i", x, inverse, x)
    meat = (x * (left / (1 - leverage))[:, None] ** 2).T @ x
    robust = np.sqrt(np.diag(inverse @ meat @ inverse))
    fit = surface(s, d, error)
    np.testing.assert_allclose(fit.coefficient, beta, rtol=1e-10)
    np.testing.assert_allclose(fit.t, beta / plain, rtol=1e-10)
    np.testing.assert_allclose(fit.t_hc3, beta / robust, rtol=1e-10)


def test_repeating_every_run_does_not_change_the_clustered_t():
    """Copies carry no information: a clustered error knows it, an ordinary one not."""
    s, d, error = grid(np.random.default_rng(2))
    once = clustered_surface(s, d, error)
    thrice = clustered_surface(*(np.repeat(x, 3) for x in (s, d, error)))
    # What is left is the correction (n - 1) / (n - k) of few runs.
    ratio = np.sqrt((29 / 26) / (89 / 86))
    np.testing.assert_allclose(thrice.t / once.t, ratio, rtol=1e-10)
    copied = surface(*(np.repeat(x, 3) for x in (s, d, error)))
    ratio = np.sqrt(86 / 26)
    np.testing.assert_allclose(copied.t / surface(s, d, error).t, ratio, rtol=1e-10)


def test_power_law_recovers_an_exact_one_and_skips_cells_without_error():
    s, d = np.array([0, 0.1, 0.2, 0.4, 0.5]), np.array([1, 1, 2, 2, 4.0])
    error = 0.03 * (s * d) ** 1.7
    error[1] = 0
    fit = power_law(s, d, error)
    assert fit.n == 3
    np.testing.assert_allclose([fit.alpha, fit.beta], [0.03, 1.7], rtol=1e-10)
    np.testing.assert_allclose([fit.r_squared, fit.r_squared_log], 1, rtol=1e-10)


@pytest.mark.parametrize("fit", [surface, clustered_surface])
def test_too_small_a_grid_says_so(fit):
    three = np.array([0.1, 0.2, 0.3])
    with pytest.raises(ValueError, match="five cells or more"):
        fit(three, three, three)
    with pytest.raises(ValueError, match="five cells or more"):
        fit(np.full(9, 0.5), np.arange(9.0), np.arange(9.0))
    with pytest.raises(ValueError, match="three cells"):
        power_law(three[:2], three[:2], three[:2])
