import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import BinomialResponses
from irtjax.irt import BlockNewton, Estimate, JointMAP, OnePL, TwoPL
from irtjax.irt.diagnostics import (
    negative_control,
    shuffled_columns,
    system_spread,
)

from ..cases import MODELS, binomial, point, table


@pytest.mark.parametrize("name", ["two_pl", "partial_credit", "beta_score"])
def test_a_shuffle_keeps_each_column_and_what_is_observed(name):
    responses = table(MODELS[name], 12, 9, trials=3.0)
    dealt = shuffled_columns(responses, key=jax.random.key(0))
    np.testing.assert_array_equal(dealt.observed(), responses.observed())
    seen = np.asarray(responses.observed())
    moved = 0
    for one, other in zip(
        jax.tree.leaves(responses), jax.tree.leaves(dealt), strict=True
    ):
        for i in range(9):
            before = np.asarray(one)[seen[:, i], i].reshape(seen[:, i].sum(), -1)
            after = np.asarray(other)[seen[:, i], i].reshape(before.shape)
            order = [np.lexsort(part.T) for part in (before, after)]
            np.testing.assert_array_equal(before[order[0]], after[order[1]])
            moved += np.any(before != after)
    assert moved > 0


def test_every_order_of_a_column_is_as_likely():
    successes = np.arange(3.0)[:, None]
    responses = BinomialResponses(
        *(jnp.asarray(x) for x in (successes, successes * 0 + 9))
    )
    keys = jax.random.split(jax.random.key(5), 6000)
    dealt = jax.vmap(lambda key: shuffled_columns(responses, key=key))(keys)
    _, count = np.unique(
        np.asarray(dealt.successes)[..., 0], axis=0, return_counts=True
    )
    assert len(count) == 6
    assert np.sum((count - 1000) ** 2 / 1000) < 20.5  # chi-squared of 5, p = .001


def test_the_spread_does_not_depend_on_the_scale():
    """Twice the abilities and half the slopes are the same model."""
    responses, at = table(TwoPL()), point(TwoPL())
    item = np.asarray(at.item) * [2, 1] - [0, np.log(2)]
    doubled = Estimate(at.system * 2, jnp.asarray(item), at.shared)
    np.testing.assert_allclose(
        system_spread(TwoPL(), responses, at),
        system_spread(TwoPL(), responses, doubled),
        rtol=1e-12,
    )


def test_ability_is_found_where_it_is_and_not_where_it_is_not():
    rng = np.random.default_rng(1)
    real = binomial(rng, 12, 16, 2)
    found = negative_control(OnePL(), real, shuffles=39, key=jax.random.key(0))
    assert found.p == 1 / 40
    assert found.failed == 0
    assert found.spread > np.max(found.shuffled)
    noise = shuffled_columns(real, key=jax.random.key(9))
    empty = negative_control(OnePL(), noise, shuffles=39, key=jax.random.key(0))
    assert empty.p > 0.05


def test_the_same_key_gives_the_same_bits():
    real = table(OnePL())
    one, other = (
        negative_control(OnePL(), real, shuffles=3, key=jax.random.key(4))
        for _ in range(2)
    )
    assert one.p == other.p
    np.testing.assert_array_equal(one.shuffled, other.shuffled)


def test_failures_are_counted_and_a_failed_fit_is_refused():
    real = table(OnePL())
    with pytest.raises(ValueError, match="max_steps_reached"):
        negative_control(
            OnePL(),
            real,
            shuffles=3,
            estimator=JointMAP(BlockNewton(max_steps=1)),
            key=jax.random.key(4),
        )
    with pytest.raises(ValueError, match="at least 1"):
        negative_control(OnePL(), real, shuffles=0, key=jax.random.key(4))
