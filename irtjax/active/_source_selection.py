"""Which historical systems are like the target: clusters on reference benchmarks."""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from irtjax.data import DataError

from ._history import FEWEST_SOURCES

EXPLAINED = 0.95
"""Share of the variance that the principal components keep."""

MOST_CLUSTERS = 10
NARROWEST = 0.1
"""A cluster's least variance along a component, as a share of all systems': without a
floor a cluster of one system would be infinitely likely."""

RESTARTS, ROUNDS = 10, 200


class Clusters(NamedTuple):
    """A mixture of diagonal Gaussians over systems.

    Attributes:
        cluster: of each system.
        count: how many there are.
        criterion: BIC for 1, 2, ... clusters; lower is better.
    """

    cluster: Int[np.ndarray, " system"]
    count: int
    criterion: Float[np.ndarray, " count"]


def similar_systems(
    errors: Float[np.ndarray, "item system"],
    observed: Bool[np.ndarray, "item system"],
    system_ids: Sequence[Hashable],
    target: Hashable,
    *,
    seed: int = 0,
) -> tuple[Hashable, ...]:
    """Return the systems in the target's cluster, the target left out.

    All that was scored on reference benchmarks is put below one another, missing cells
    get their item's mean, and principal components that explain 95 % of the variance go
    into a mixture of diagonal Gaussians.

    Args:
        errors: on items of other benchmarks, the target's among them.
        observed: where there is a score.
        system_ids: of the columns.
        target: the system whose like is looked for.
        seed: of the mixture's starts.

    Raises:
        DataError: the target is not there, an item has no score at all, or fewer than
            three others are in its cluster.

    References:
        ProEval (2026), arXiv 2604.23099, selection of pre-training models.
    """
    if target not in system_ids:
        raise DataError(f"No system is called {target!r} on the reference benchmarks.")
    if not observed.any(axis=1).all():
        item = int(np.argmin(observed.any(axis=1)))
        raise DataError(f"Item {item} of the references has no score: leave it out.")
    found = cluster_systems(reference_features(errors, observed), seed=seed)
    own = found.cluster[list(system_ids).index(target)]
    like = tuple(
        each
        for each, cluster in zip(system_ids, found.cluster, strict=True)
        if cluster == own and each != target
    )
    if len(like) < FEWEST_SOURCES:
        raise DataError(
            f"Only {len(like)} systems are like {target!r} (one of {found.count} "
            f"clusters): at least {FEWEST_SOURCES} are needed. Use all systems, or more "
            "reference benchmarks."
        )
    return like


def reference_features(
    errors: Float[np.ndarray, "item system"], observed: Bool[np.ndarray, "item system"]
) -> Float[np.ndarray, "system component"]:
    """Return the principal components of systems that explain 95 % of their variance.

    Args:
        errors: any number where not observed.
        observed: every item at least once.
    """
    known = np.where(observed, errors, 0.0)
    mean = known.sum(axis=1) / observed.sum(axis=1)
    filled = np.where(observed, errors, mean[:, None]).T
    centred = filled - filled.mean(axis=0)
    left, size, _ = np.linalg.svd(centred, full_matrices=False)
    variance = size**2
    if variance.sum() == 0:
        return np.zeros((len(filled), 1))
    share = np.cumsum(variance) / variance.sum()
    count = int(np.searchsorted(share, EXPLAINED - 1e-12)) + 1
    return (left * size)[:, :count]


def cluster_systems(
    features: Float[np.ndarray, "system component"], *, seed: int = 0
) -> Clusters:
    """Return the mixture whose number of clusters has the lowest BIC.

    Args:
        features: of the systems.
        seed: of the starts.
    """
    generator = np.random.default_rng(seed)
    systems, width = features.shape
    best, criterion = None, []
    for count in range(1, min(MOST_CLUSTERS, max(systems - 1, 1)) + 1):
        tries = [_mixture(features, count, generator) for _ in range(RESTARTS)]
        likelihood, cluster = max(tries, key=lambda each: each[0])
        parameters = count * 2 * width + count - 1
        criterion.append(parameters * np.log(systems) - 2 * likelihood)
        if best is None or criterion[-1] < min(criterion[:-1]):
            best = cluster, count
    assert best is not None  # one cluster is always tried
    return Clusters(*best, np.array(criterion))


def _mixture(
    features: Float[np.ndarray, "system component"],
    count: int,
    generator: np.random.Generator,
) -> tuple[float, Int[np.ndarray, " system"]]:
    """Return log-likelihood and clusters of one expectation-maximisation run."""
    systems = len(features)
    spread = features.var(axis=0)
    floor = np.maximum(NARROWEST * spread, 1e-9 * spread.max() + 1e-12)
    centre = features[generator.choice(systems, count, replace=False)]
    variance = np.tile(spread + floor, (count, 1))
    share = np.full(count, 1 / count)
    likelihood = -np.inf
    for _ in range(ROUNDS):
        apart = (features[:, None, :] - centre) ** 2 / variance
        log = np.log(share) - 0.5 * (apart + np.log(2 * np.pi * variance)).sum(axis=2)
        top = log.max(axis=1, keepdims=True)
        chance = np.exp(log - top)
        whole = chance.sum(axis=1, keepdims=True)
        before, likelihood = likelihood, float((np.log(whole) + top).sum())
        chance = chance / whole
        if likelihood - before < 1e-9 * abs(likelihood):
            break
        weight = chance.sum(axis=0) + 1e-12
        share = weight / weight.sum()
        centre = (chance.T @ features) / weight[:, None]
        second = (chance.T @ features**2) / weight[:, None]
        variance = np.maximum(second - centre**2, floor)
    return likelihood, chance.argmax(axis=1)
