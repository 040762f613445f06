"""Diversity, entropy, selections and topics against what they must be by hand."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.active.failures import (
    SELECTIONS,
    Diversity,
    FailureCounts,
    TopicBandit,
    above_threshold,
    cluster_topics,
    diversity,
    failure_counts,
    farthest_first,
    top_n,
    topic_entropy,
)


def test_counts_by_hand():
    found = failure_counts(
        jnp.array([0, 2, 3]),
        jnp.array([1.0, 0.5, 1.0]),
        jnp.array([0.2, 0.0, 0.5, 0.9]),
    )
    assert isinstance(found, FailureCounts)
    np.testing.assert_allclose(found, [2.5, 1.5, 0.8 + 0.25 + 0.1])


def test_entropy_is_over_all_topics():
    topic = jnp.array([0, 1, 2, 3])
    ones = jnp.ones(4)
    assert topic_entropy(topic, ones, 4) == pytest.approx(1)
    assert topic_entropy(topic, ones, 8) == pytest.approx(np.log(4) / np.log(8))
    assert topic_entropy(jnp.zeros(4, int), ones, 8) == 0
    assert topic_entropy(topic, jnp.zeros(4), 4) == 0


def test_diversity_of_equal_and_orthogonal_items():
    ones = jnp.ones(4)
    equal = diversity(jnp.ones((4, 6)), ones)
    assert isinstance(equal, Diversity)
    np.testing.assert_allclose(equal, [1, np.log(5)], rtol=1e-12)
    apart = diversity(3 * jnp.eye(4, 6), ones)
    np.testing.assert_allclose(apart, [4, 4 * np.log(2)], rtol=1e-12)
    assert tuple(map(float, diversity(jnp.eye(4, 6), 0 * ones))) == (0, 0)


def test_diversity_agrees_with_the_definition_and_is_bounded():
    rng = np.random.default_rng(0)
    feature = rng.normal(size=(30, 8))
    weight = (np.arange(30) % 3 > 0) * 1.0
    found = diversity(jnp.asarray(feature), jnp.asarray(weight))
    unit = feature[weight > 0]
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    gram = unit @ unit.T
    value = np.linalg.eigvalsh(gram / len(gram))
    value = value[value > 1e-12]
    vendi = np.exp(-np.sum(value * np.log(value)))
    log_det = np.linalg.slogdet(np.eye(len(gram)) + gram)[1]
    np.testing.assert_allclose(found, [vendi, log_det], rtol=1e-10)
    assert 1 <= found.vendi <= 8
    order = rng.permutation(30)
    again = diversity(jnp.asarray(feature[order]), jnp.asarray(weight[order]))
    np.testing.assert_allclose(again, found, rtol=1e-10)


def test_diversity_grows_with_an_item_unlike_the_others():
    feature = jnp.eye(3)
    few = diversity(feature, jnp.array([1.0, 1.0, 0.0]))
    more = diversity(feature, jnp.ones(3))
    assert more.vendi > few.vendi
    assert more.log_det > few.log_det


def test_selections_by_hand():
    score = jnp.array([0.1, 0.9, -jnp.inf, 0.5, 0.8, 0.7, 0.85])
    np.testing.assert_array_equal(top_n(score, 3), [1, 6, 4])
    above = above_threshold(score, 0.5)
    np.testing.assert_array_equal(jnp.flatnonzero(above), [1, 3, 4, 5, 6])
    assert not above_threshold(score, -jnp.inf)[2]
    place = jnp.array([[9.0], [0.0], [99.0], [0.0], [3.0], [5.0], [0.1]])
    # The shortlist of 3 x 2 leaves out the item that was seen, though it is farthest.
    np.testing.assert_array_equal(farthest_first(score, place, 2), [1, 0])
    # Of 3: items that lie in one place are still chosen only once.
    same = farthest_first(score[:6], jnp.zeros((6, 1)), 3)
    assert len(set(same.tolist())) == 3
    assert list(SELECTIONS.values()) == [top_n, above_threshold, farthest_first]


def test_farthest_first_is_more_varied_than_the_top():
    key = jax.random.key(0)
    feature = jax.random.normal(key, (100, 2))
    score = -jnp.linalg.norm(feature - 1, axis=1)
    spread = [
        float(diversity(feature[picks], jnp.ones(10)).log_det)
        for picks in (farthest_first(score, feature, 10), top_n(score, 10))
    ]
    assert spread[0] > spread[1]


def test_the_bandit_tries_all_and_then_the_best():
    bandit = TopicBandit(3)
    order = []
    chance = [0.1, 0.9, 0.2]
    rng = np.random.default_rng(1)
    for _ in range(200):
        topic = bandit.choose()
        order.append(int(topic))
        reward = float(rng.random() < chance[int(topic)])
        bandit = bandit.update(topic, jnp.asarray(reward))
    assert order[:3] == [0, 1, 2]
    assert order.count(1) > 100
    assert int(jnp.sum(bandit.tries)) == 200


def test_the_bandits_bound_by_hand():
    bandit = TopicBandit(2, explore=1.0)
    for topic, reward in ((0, 1.0), (1, 0.0), (0, 0.0)):
        bandit = bandit.update(jnp.asarray(topic), jnp.asarray(reward))
    np.testing.assert_allclose(
        bandit.index(), [0.5 + np.sqrt(np.log(3) / 2), np.sqrt(np.log(3))]
    )


def test_topics_are_the_clusters_there_are():
    rng = np.random.default_rng(0)
    centre = np.repeat(10 * np.eye(3), 20, axis=0)
    label = cluster_topics(centre + rng.normal(size=(60, 3)), 3, seed=1)
    groups = [set(label[k : k + 20]) for k in (0, 20, 40)]
    assert [len(group) for group in groups] == [1, 1, 1]
    assert len(set.union(*groups)) == 3
    again = cluster_topics(centre + 0.0, 3, seed=1)
    np.testing.assert_array_equal(again, cluster_topics(centre + 0.0, 3, seed=1))
