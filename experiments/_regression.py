"""How a ranker's error grows with sparsity and difficulty gap: two regressions.

The surface is ordinary least squares of the error (1 - Spearman's rho) on the centred
sparsity, the centred gap and the product of the two; statsmodels does the arithmetic.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from statsmodels.regression.linear_model import OLS

TERMS = ("intercept", "S", "D", "S x D")


@dataclass(frozen=True)
class Surface:
    """A regression of error on sparsity S and gap D, both centred.

    Attributes:
        coefficient: one a term of `TERMS`; error, error, error a logit, error a logit.
        t: coefficient over its standard error, of the kind the function names.
        t_hc3: the same with heteroscedasticity-consistent errors; NaN where clustered.
        r_squared: share of the variance of the errors explained.
        n: how many errors went in.
    """

    coefficient: Float[np.ndarray, " term"]
    t: Float[np.ndarray, " term"]
    t_hc3: Float[np.ndarray, " term"]
    r_squared: float
    n: int


@dataclass(frozen=True)
class PowerLaw:
    r"""A fit of error $= \alpha (S D)^\beta$.

    Attributes:
        alpha: error at S D = 1 logit.
        beta: exponent, dimensionless.
        r_squared: share of the variance explained on the scale of the error.
        r_squared_log: the same on the scale of its logarithm, where it was fitted.
        n: how many cells went in: those with S D > 0 and error > 0.
    """

    alpha: float
    beta: float
    r_squared: float
    r_squared_log: float
    n: int


def surface(
    sparsity: Float[np.ndarray, " cell"],
    gap: Float[np.ndarray, " cell"],
    error: Float[np.ndarray, " cell"],
) -> Surface:
    """Return the regression over cells, with ordinary and HC3 t values.

    Args:
        sparsity: share of cells hidden.
        gap: largest minus smallest difficulty, logits.
        error: a cell's mean of 1 - rho.

    Raises:
        ValueError: fewer than five cells, or S or D does not vary.

    References:
        MacKinnon & White (1985), Some heteroskedasticity-consistent covariance matrix
        estimators with improved finite sample properties, J. Econometrics 29, for HC3.
    """
    model = OLS(error, _design(sparsity, gap))
    plain, robust = model.fit(), model.fit(cov_type="HC3")
    return Surface(
        np.asarray(plain.params),
        np.asarray(plain.tvalues),
        np.asarray(robust.tvalues),
        float(plain.rsquared),
        len(error),
    )


def clustered_surface(
    sparsity: Float[np.ndarray, " run"],
    gap: Float[np.ndarray, " run"],
    error: Float[np.ndarray, " run"],
) -> Surface:
    """Return the regression over runs, with standard errors clustered by condition.

    Runs of the same S and D share a condition and may depend on each other.

    Args:
        sparsity: share of cells hidden.
        gap: largest minus smallest difficulty, logits.
        error: a run's 1 - rho.

    Raises:
        ValueError: fewer than five runs, or S or D does not vary.

    References:
        Liang & Zeger (1986), Longitudinal data analysis using generalized linear
        models, Biometrika 73.
    """
    condition = np.column_stack([sparsity, gap])
    _, group = np.unique(condition, axis=0, return_inverse=True)
    fit = OLS(error, _design(sparsity, gap)).fit(
        cov_type="cluster", cov_kwds={"groups": group}
    )
    t = np.asarray(fit.tvalues)
    coefficient = np.asarray(fit.params)
    return Surface(coefficient, t, np.full(4, np.nan), float(fit.rsquared), len(error))


def power_law(
    sparsity: Float[np.ndarray, " cell"],
    gap: Float[np.ndarray, " cell"],
    error: Float[np.ndarray, " cell"],
) -> PowerLaw:
    """Return the power law, fitted by least squares of log error on log(S D).

    Args:
        sparsity: share of cells hidden.
        gap: largest minus smallest difficulty, logits.
        error: a cell's mean of 1 - rho; cells of no error are left out, as published.

    Raises:
        ValueError: fewer than three cells are left.
    """
    keep = (sparsity * gap > 0) & (error > 0)
    if np.unique((sparsity * gap)[keep]).size < 3:
        raise ValueError("A power law needs three cells with S D > 0 and error > 0.")
    product, error = (sparsity * gap)[keep], error[keep]
    design = np.column_stack([np.ones(len(error)), np.log(product)])
    fit = OLS(np.log(error), design).fit()
    alpha, beta = float(np.exp(fit.params[0])), float(fit.params[1])
    left = np.sum((error - alpha * product**beta) ** 2)
    total = np.sum((error - error.mean()) ** 2)
    return PowerLaw(
        alpha, beta, float(1 - left / total), float(fit.rsquared), len(error)
    )


def _design(
    sparsity: Float[np.ndarray, " row"], gap: Float[np.ndarray, " row"]
) -> Float[np.ndarray, "row term"]:
    """Return the columns of `TERMS`; the product is that of the centred variables."""
    if len(sparsity) < 5 or np.ptp(sparsity) == 0 or np.ptp(gap) == 0:
        raise ValueError(
            "The regression needs five cells or more in which both the sparsity and "
            "the gap vary."
        )
    s, d = sparsity - sparsity.mean(), gap - gap.mean()
    return np.column_stack([np.ones(len(s)), s, d, s * d])
