import warnings

import jax
import numpy as np
import pytest

from irtjax.irt import TwoPL
from irtjax.irt.posteriors._mixing import mixing_of

from ..cases import point

with warnings.catch_warnings():
    # Once a day arviz 0.23 announces at import what a later version will rearrange.
    warnings.simplefilter("ignore", FutureWarning)
    import arviz


def _chains(*shape, slow=0.0, seed=0):
    """Chains in which each draw keeps a share of the last."""
    rng = np.random.default_rng(seed)
    draws = rng.standard_normal(shape)
    for t in range(1, shape[1]):
        draws[:, t] = slow * draws[:, t - 1] + np.sqrt(1 - slow**2) * draws[:, t]
    return draws


@pytest.fixture
def draws():
    values = np.stack(
        [
            _chains(4, 500, slow=slow, seed=k)
            for k, slow in enumerate((0.0, 0.5, 0.9, -0.3))
        ],
        axis=-1,
    )
    values[0, :, 2] += 1.0  # one chain that sits elsewhere
    values[..., 3] = np.exp(2 * values[..., 3])  # heavy tail
    return values


def _mixing(values):
    like = point(TwoPL())
    parts = [values[..., :3, None], values[..., 3:, None], values[..., :0]]
    return mixing_of(jax.tree.unflatten(jax.tree.structure(like), parts))


def _all(estimate):
    return np.concatenate([np.ravel(estimate.system), np.ravel(estimate.item)])


def test_diagnostics_agree_with_arviz(draws):
    found = _mixing(draws)
    for k in range(4):
        one = draws[..., k]
        assert _all(found.rhat)[k] == pytest.approx(
            float(arviz.rhat(one, method="rank")), rel=1e-4
        )
        # The sum of autocorrelations is cut off by slightly different rules.
        for ours, method in ((found.ess_bulk, "bulk"), (found.ess_tail, "tail")):
            theirs = float(arviz.ess(one, method=method))
            assert _all(ours)[k] == pytest.approx(theirs, rel=0.1)
    assert _all(found.rhat)[2] > 1.05
    assert np.all(_all(found.rhat)[[0, 1, 3]] < 1.02)


def test_draws_that_are_no_numbers_have_unknown_diagnostics(draws):
    draws[0, 0, 0] = np.nan
    found = _mixing(draws)
    assert all(np.all(np.isnan(_all(part))) for part in found)
