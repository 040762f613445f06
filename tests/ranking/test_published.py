"""What every ranker makes of the published data, against figures known beforehand."""

import functools

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import statsmodels.api as sm

from irtjax.data import BinomialResponses, published
from irtjax.ranking import RANKERS, spearman

TRUTH = jnp.arange(10.0)


@functools.cache
def tables(mask) -> BinomialResponses:
    """All 2,250 data sets of a mask, condition by condition, 15 seeds each."""
    drawn = [
        published.dataset(c.sparsity, c.gap, c.cell_number, seed, mask)
        for c in published.conditions()
        for seed in range(15)
    ]
    successes, trials = (np.stack(each) for each in zip(*drawn, strict=True))
    return jax.vmap(BinomialResponses)(jnp.asarray(successes), jnp.asarray(trials))


def cell_means(name, mask, resolution=None):
    scores = RANKERS[name].score_many(tables(mask))
    assert not np.asarray(scores.code).any()
    rho = eqx.filter_jit(
        jax.vmap(lambda score: spearman(score, TRUTH, resolution=resolution))
    )(scores.score)
    return np.asarray(rho).reshape(150, 15).mean(axis=1)


# Mean over all runs and lowest mean of a condition, to the printed digits. The mean of
# ranks within items has exact ties, which the known figures broke by rounding: .8089
# and .8963 with them left in. In rational arithmetic those conditions give what is here.
KNOWN = {
    ("average", "assortative"): (0.9384, 0.2424),
    ("average", "mcar"): (0.9686, 0.7700),
    ("item_centred_average", "assortative"): (0.9661, 0.8293),
    ("item_centred_average", "mcar"): (0.9806, 0.9063),
    ("within_item_rank", "assortative"): (0.9650, 0.8103),
    ("within_item_rank", "mcar"): (0.9813, 0.8971),
    ("logit_least_squares", "assortative"): (0.9983, 0.9903),
    ("logit_least_squares", "mcar"): (0.9938, 0.9661),
    ("one_pl", "assortative"): (0.9993, 0.9943),
    ("one_pl", "mcar"): (0.9958, 0.9677),
    ("two_pl", "assortative"): (0.9995, 0.9927),
    ("two_pl", "mcar"): (0.9981, 0.9774),
    ("pooled_two_pl", "assortative"): (0.9997, 0.9927),
    ("pooled_two_pl", "mcar"): (0.9980, 0.9733),
}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "mask"), KNOWN)
def test_rankers_give_their_known_figures(name, mask):
    means = cell_means(name, mask)
    np.testing.assert_allclose(
        (means.mean(), means.min()), KNOWN[name, mask], atol=0.5e-4 + 1e-9
    )


def test_regression_with_exact_ties():
    """Kang (2026): the error of the average on S, D and S x D; g3 = .1987, t = 13.06."""
    conditions = published.conditions()
    sparsity = np.array([c.sparsity for c in conditions])
    gap = np.array([c.gap for c in conditions])
    s, d = sparsity - sparsity.mean(), gap - gap.mean()
    fit = sm.OLS(
        1 - cell_means("average", "assortative"),
        sm.add_constant(np.stack([s, d, s * d], axis=1)),
    ).fit()
    assert fit.params[3] == pytest.approx(0.1987, abs=0.5e-4)
    assert fit.tvalues[3] == pytest.approx(13.06, abs=0.005)


def test_rounding_decides_some_published_correlations():
    score = RANKERS["average"].score_many(tables("assortative")).score
    exact = jax.vmap(lambda x: spearman(x, TRUTH))(score)
    coarse = jax.vmap(lambda x: spearman(x, TRUTH, resolution=1e-9))(score)
    bitwise = jax.vmap(lambda x: spearman(x, TRUTH, resolution=0))(score)
    np.testing.assert_array_equal(exact, coarse)
    assert 5 < int(jnp.sum(exact != bitwise)) < 40
