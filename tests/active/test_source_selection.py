"""Systems of two kinds are told apart, and a target gets those of its own."""

import numpy as np
import pytest

from irtjax.active import (
    Clusters,
    cluster_systems,
    reference_features,
    similar_systems,
)
from irtjax.data import DataError


def two_kinds(first=6, second=5, seed=0, slip=0.15):
    """Systems that fail on different halves of the items, but for slips."""
    generator = np.random.default_rng(seed)
    chance = np.full((120, first + second), slip)
    chance[:60, :first] = 1 - slip
    chance[60:, first:] = 1 - slip
    return (generator.random(chance.shape) < chance).astype(float)


def test_two_kinds_are_two_clusters():
    errors = two_kinds(25, 25)
    features = reference_features(errors, np.ones(errors.shape, bool))
    found = cluster_systems(features[:, :2])
    assert isinstance(found, Clusters)
    assert found.count == 2
    assert len(set(found.cluster[:25])) == len(set(found.cluster[25:])) == 1
    assert found.criterion.argmin() == 1


def test_one_kind_is_one_cluster():
    generator = np.random.default_rng(1)
    assert cluster_systems(generator.normal(size=(40, 2))).count == 1


def test_components_explain_what_they_should():
    errors = two_kinds()
    found = reference_features(errors, np.ones(errors.shape, bool))
    centred = errors.T - errors.T.mean(axis=0)
    whole = (centred**2).sum()
    assert (found**2).sum() >= 0.95 * whole
    assert (found[:, :-1] ** 2).sum() < 0.95 * whole


def test_missing_cells_get_their_items_mean():
    errors = two_kinds()
    observed = np.ones(errors.shape, bool)
    observed[3, 2] = False
    filled = errors.copy()
    filled[3, 2] = errors[3, np.arange(11) != 2].mean()
    here = reference_features(np.where(observed, errors, 9.0), observed)
    there = reference_features(filled, np.ones(errors.shape, bool))
    assert np.allclose(np.abs(here), np.abs(there))


def test_a_target_gets_its_own_kind():
    errors = two_kinds(15, 12, slip=0.005)
    names = [f"s{k}" for k in range(27)]
    like = similar_systems(errors, np.ones(errors.shape, bool), names, "s20")
    assert "s20" not in like
    assert set(like) <= set(names[15:])


def test_what_cannot_be_answered_is_refused():
    errors = two_kinds(9, 2)
    seen = np.ones(errors.shape, bool)
    names = list(range(11))
    with pytest.raises(DataError, match="No system is called 'x'"):
        similar_systems(errors, seen, names, "x")
    seen[4] = False
    with pytest.raises(DataError, match="Item 4"):
        similar_systems(errors, seen, names, 0)
    few = errors[:, :3]
    with pytest.raises(DataError, match="Only"):
        similar_systems(few, np.ones(few.shape, bool), [0, 1, 2], 0)
