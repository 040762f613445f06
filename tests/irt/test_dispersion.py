import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import ScoreResponses
from irtjax.irt import RESULTS, TwoPL, effective_trials

N_SYSTEM, N_ITEM = 16, 12


def _scores(trials, seed, share=0.8):
    rng = np.random.default_rng(seed)
    ability, difficulty = rng.normal(size=N_SYSTEM), rng.normal(size=N_ITEM)
    p = 1 / (1 + np.exp(-(ability[:, None] - difficulty)))
    seen = rng.random(p.shape) < share
    score = rng.binomial(trials, p) / trials
    return ScoreResponses(
        jnp.asarray(np.where(seen, score, 0.0)), jnp.asarray(1.0 * seen)
    )


@pytest.mark.parametrize("trials", [5, 40, 500])
def test_planted_trials_come_back(trials):
    scores = _scores(trials, seed=trials)
    found = effective_trials(TwoPL(), scores)
    assert found.code == RESULTS.successful
    assert found.change < 1e-3
    # A ratio of sums over about 150 cells less 40 parameters: relative error near
    # sqrt(2 / 110) = .135; shrinkage of the fit adds to it where trials are few.
    assert abs(np.log(found.trials / trials)) < 3.5 * 0.135


def test_the_order_of_systems_and_items_does_not_matter():
    scores, rng = _scores(40, seed=1), np.random.default_rng(2)
    systems, items = rng.permutation(N_SYSTEM), rng.permutation(N_ITEM)
    moved = jax.tree.map(lambda leaf: leaf[systems][:, items], scores)
    one, other = (effective_trials(TwoPL(), s).trials for s in (scores, moved))
    np.testing.assert_allclose(one, other, rtol=1e-8)


def test_scores_that_count_twice_stand_for_twice_the_trials():
    """Weights say how the scores' precisions compare, not how large they are."""
    scores = _scores(40, seed=3)
    doubled = ScoreResponses(scores.score, 2 * scores.weight)
    one, other = (effective_trials(TwoPL(), s).trials for s in (scores, doubled))
    np.testing.assert_allclose(other, one / 2, rtol=1e-3)
