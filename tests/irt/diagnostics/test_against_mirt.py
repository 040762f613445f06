"""Statistics at R mirt's own estimates: equal to the digits that its JSON holds."""

import numpy as np
import pytest

from irtjax.irt.diagnostics import (
    item_mean_squares,
    m2,
    q3,
    rmsea_interval,
    s_x2,
)

from .mirt import TABLES, load


@pytest.fixture(scope="module", params=TABLES)
def fitted(request, shared):
    return load(shared, request.param)


def _column(found, name):
    return np.array([item[name] for item in found["itemfit"]])


def test_infit_and_outfit(fitted):
    model, responses, at, found = fitted
    ours = item_mean_squares(model, responses, at)
    for name, value in (
        ("infit", ours.infit),
        ("z.infit", ours.infit_z),
        ("outfit", ours.outfit),
        ("z.outfit", ours.outfit_z),
    ):
        np.testing.assert_allclose(value, _column(found, name), atol=2e-6, err_msg=name)


def test_q3(fitted):
    model, responses, at, found = fitted
    ours = q3(model, responses, at)
    theirs = np.array(found["Q3"])
    np.testing.assert_allclose(ours.correlation, theirs, atol=1e-7)
    pairs = theirs[np.triu_indices(len(theirs), 1)]
    np.testing.assert_allclose(ours.mean, pairs.mean(), atol=1e-7)
    np.testing.assert_allclose(
        ours.corrected[0, 1], theirs[0, 1] - pairs.mean(), atol=1e-7
    )


def test_s_x2(fitted):
    model, responses, at, found = fitted
    ours = s_x2(model, responses, at)
    np.testing.assert_array_equal(ours.df, _column(found, "df.S_X2"))
    for name, value in (
        ("S_X2", ours.statistic),
        ("p.S_X2", ours.p),
        ("RMSEA.S_X2", ours.rmsea),
    ):
        np.testing.assert_allclose(value, _column(found, name), atol=2e-5, err_msg=name)


def test_m2(fitted):
    model, responses, at, found = fitted
    ours, theirs = m2(model, responses, at), found["M2"]
    assert ours.df == theirs["df"]
    # Under the Rasch model, whose variance is free there, mirt's own digits end sooner.
    rtol = 2e-5 if found["name"].endswith("Rasch") else 1e-8
    np.testing.assert_allclose(ours.statistic, theirs["M2"], rtol=rtol)
    np.testing.assert_allclose(ours.p, theirs["p"], atol=1e-6)
    np.testing.assert_allclose(ours.rmsea, theirs["RMSEA"], atol=1e-6)
    # Its estimate of the RMSEA divides by N - 1, as ours does, its interval by N.
    interval = np.array([theirs["RMSEA_5"], theirs["RMSEA_95"]])
    interval *= (found["n_persons"] / (found["n_persons"] - 1)) ** 0.5
    np.testing.assert_allclose(rmsea_interval(ours), interval, atol=1e-6)
