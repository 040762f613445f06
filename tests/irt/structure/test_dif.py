"""Group differences: found where planted, not elsewhere, and the rule itself."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from irtjax.data import BinomialResponses
from irtjax.irt import RESULTS, TwoPL
from irtjax.irt.models import NonuniformDifTwoPL
from irtjax.irt.structure import dif
from irtjax.irt.structure._dif import _discoveries

N_SYSTEM, N_ITEM = 120, 12
FOCAL = jnp.arange(N_SYSTEM) % 2 == 1


def _table(seed, *, shift=0.0, slope_shift=0.0, impact=-0.5, trials=10):
    """The first two items are harder, or flatter, for the second group."""
    rng = np.random.default_rng(seed)
    group = np.asarray(FOCAL)[:, None]
    ability = rng.standard_normal((N_SYSTEM, 1)) + impact * group
    planted = np.arange(N_ITEM) < 2
    difficulty = rng.standard_normal(N_ITEM) + shift * group * planted
    log_slope = 0.3 * rng.standard_normal(N_ITEM) + slope_shift * group * planted
    p = 1 / (1 + np.exp(-np.exp(log_slope) * (ability - difficulty)))
    drawn = rng.binomial(trials, p).astype(float)
    return BinomialResponses(jnp.asarray(drawn), jnp.full(p.shape, float(trials)))


def test_planted_items_are_found_and_no_others():
    found = [dif(_table(seed, shift=1.0), FOCAL) for seed in range(6)]
    flags = np.array([one.flagged for one in found])
    assert all(one.code == RESULTS.successful for one in found)
    assert flags[:, :2].mean() >= 0.9
    assert flags[:, 2:].mean() <= 0.05
    assert np.mean([one.effect[:2] for one in found]) > 0.4
    assert not np.any([one.anchor[:2] & one.flagged[:2] for one in found])


def test_nothing_is_found_where_nothing_is():
    """The share of p below .05 over 72 items has a standard error of .026."""
    found = [dif(_table(seed), FOCAL) for seed in range(6)]
    p = np.array([one.p for one in found])
    assert np.mean(p < 0.05) < 0.05 + 3 * 0.026
    assert np.mean([one.flagged for one in found]) < 0.02
    # The difference in ability is no difference of items.
    impact = np.array([one.impact for one in found])
    assert np.all(impact < 0)


def test_a_slope_that_differs_is_found():
    model = NonuniformDifTwoPL()
    found = [
        dif(
            _table(seed, slope_shift=-1.2, impact=0.0, trials=20),
            FOCAL,
            model=model,
            parameter="slope_shift",
        )
        for seed in range(3)
    ]
    flags = np.array([one.flagged for one in found])
    assert flags[:, :2].mean() >= 0.8
    assert flags[:, 2:].mean() <= 0.1
    assert np.mean([one.effect[:2] for one in found]) < -0.6


def test_groups_may_change_their_roles_and_rows_their_places():
    table = _table(1, shift=1.0)
    found, other = dif(table, FOCAL), dif(table, ~FOCAL)
    np.testing.assert_allclose(other.flagged, found.flagged)
    # The difficulties' prior speaks of the reference group, hence not to the digit.
    np.testing.assert_allclose(other.effect, -found.effect, atol=0.1)
    system, item = jnp.arange(N_SYSTEM)[::-1], jnp.roll(jnp.arange(N_ITEM), 5)
    turned = dif(table.take(system, item), FOCAL[system])
    np.testing.assert_allclose(turned.effect, found.effect[item], atol=1e-7)
    np.testing.assert_allclose(turned.se, found.se[item], atol=1e-7)


def test_batch_equals_loop():
    tables = [_table(seed, shift=1.0) for seed in range(2)]
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *tables)
    together = jax.vmap(lambda r: dif(r, FOCAL))(stacked)
    for k, table in enumerate(tables):
        np.testing.assert_allclose(
            together.effect[k], dif(table, FOCAL).effect, atol=1e-7
        )


def test_discoveries_are_those_of_statsmodels():
    rng = np.random.default_rng(0)
    for _ in range(50):
        p = rng.uniform(size=20) ** rng.choice([1, 4])
        expected = multipletests(p, 0.1, method="fdr_bh")[0]
        np.testing.assert_array_equal(_discoveries(jnp.asarray(p), 0.1), expected)
    assert not np.any(_discoveries(jnp.full(5, jnp.nan), 0.1))


def test_a_model_without_shifts_is_refused():
    with pytest.raises(ValueError, match="'shift' and a shared parameter 'impact'"):
        dif(_table(0), FOCAL, model=TwoPL())
