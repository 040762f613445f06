"""One condition of `experiments.failures`: its searches, and what each of them found."""

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import polars as pl
from jaxtyping import Array, Float, Int, Key

from irtjax.active import PriorMean, SourceErrors, Target
from irtjax.active.encoders import hashed_ngrams
from irtjax.active.failures import (
    FAILURE_METHODS,
    NOVEL,
    AbstractFailureMethod,
    Found,
    cluster_topics,
    diversity,
    failure_counts,
    find_failures,
    topic_entropy,
)
from irtjax.active.generation import HashedFeatures, Hunt, hunt
from irtjax.active.offline import (
    TOPICS,
    Mutation,
    OfflineScorer,
    RandomGenerator,
    World,
    draw_world,
)

from ._matrices import load_errors

OFFLINE = "offline"
POOL_METHODS = tuple(FAILURE_METHODS)
WRITERS = ("writing", "writing_blindly", "random_questions")
"""Those that write questions: anchors by the belief, anchors at random, no anchors."""

CLUSTERS = 10
"""Topics of a matrix, which has none of its own: clusters of the sources' errors."""

ROW = {
    "where": pl.String,
    "method": pl.String,
    "target": pl.Int64,  # position of the system in its matrix; 0 in the offline world
    "seed": pl.Int64,
    "asked": pl.Int64,  # questions that the system was asked
    "failures": pl.Float64,  # the sum of their errors
    "novel": pl.Float64,  # of those on questions that most sources get right
    "surprise": pl.Float64,  # each failure times the share of sources that are right
    "entropy": pl.Float64,  # of the failures over all topics, 0 to 1
    "vendi": pl.Float64,  # effective number of different failures
    "log_det": pl.Float64,  # log det(I + G) of the failures, nats
    "failed": pl.List(pl.Float64),  # the errors, in the order of asking
    "new": pl.List(pl.Float64),  # the same, 0 where most sources are wrong
}
"""Columns of a record's rows: one row a search."""


def condition_rows(settings: dict[str, Any], folder: Path) -> pl.DataFrame:
    """Return a condition's rows.

    Args:
        settings: of the condition.
        folder: of the matrices; not looked at in the offline world.
    """
    where, method = settings["where"], settings["method"]
    picks, seeds = settings["picks"], settings["seeds"]
    if where == OFFLINE:
        rows = [_world_row(method, picks, seed) for seed in range(seeds)]
    else:
        error = load_errors(where, folder)
        rows = list(_matrix_rows(method, error, min(picks, len(error)), seeds))
    constants = {"where": where, "method": method}
    return pl.DataFrame([constants | row for row in rows], schema=ROW)


def _matrix_rows(
    method: str, error: Float[np.ndarray, "item system"], picks: int, seeds: int
) -> Iterator[dict[str, Any]]:
    """Yield the rows of all targets of a matrix, each system in turn the new one."""
    count = error.shape[1]
    targets = jnp.asarray(error.T)
    others = jnp.asarray(np.stack([np.delete(error, k, 1) for k in range(count)]))
    profiles = [each - each.mean(axis=0) for each in np.asarray(others)]
    topics = [cluster_topics(profile, CLUSTERS, seed=0) for profile in profiles]
    # The others draw nothing: one search a target is all there is.
    for seed in range(seeds if method == "random" else 1):
        keys = jax.random.split(jax.random.key(seed), count)
        found = _search_all(FAILURE_METHODS[method], others, targets, picks, keys)
        items, outcomes = np.asarray(found.item), np.asarray(found.outcome)
        for target, (item, outcome) in enumerate(zip(items, outcomes, strict=True)):
            yield {"target": target, "seed": seed} | _measured(
                outcome,
                np.asarray(others[target]).mean(axis=1)[item],
                topics[target][item],
                CLUSTERS,
                profiles[target][item],
            )


@eqx.filter_jit
def _search_all(
    method: AbstractFailureMethod,
    others: Float[Array, "target item source"],
    targets: Float[Array, "target item"],
    picks: int,
    keys: Key[Array, " target"],
) -> Found:
    def one(error: Float[Array, "item source"], outcome: Float[Array, " item"], key):
        sources = SourceErrors(error, jnp.ones(error.shape, bool))
        target = Target(outcome, jnp.ones(outcome.shape, bool))
        return find_failures(method, sources, target, picks, key=key)

    return jax.vmap(one)(others, targets, keys)


def _world_row(method: str, picks: int, seed: int) -> dict[str, Any]:
    """Return what a method finds in one offline world."""
    world = draw_world(seed)
    if method in WRITERS:
        written = search_by_writing(method, world, picks, seed).written
        questions = [one.question for one in written]
        outcome = np.array([one.error for one in written])
    else:
        sources = _sources(world)
        target = Target(
            jnp.asarray(world.target_errors()), jnp.ones(sources.shape[0], bool)
        )
        found = _search(
            FAILURE_METHODS[method],
            sources,
            target,
            min(picks, sources.shape[0]),
            jax.random.key(seed),
        )
        questions = [world.questions[k] for k in found.item.tolist()]
        outcome = np.asarray(found.outcome)
    # Asked of the sources only to say how new a failure is.
    asked = [OfflineScorer(solver)(questions) for solver in world.sources]
    names = sorted(TOPICS)
    topic = np.array([names.index(question.topic) for question in questions], int)
    embedding = hashed_ngrams([question.text for question in questions])
    return {"target": 0, "seed": seed} | _measured(
        outcome, np.mean(asked, axis=0), topic, len(names), embedding
    )


@eqx.filter_jit
def _search(
    method: AbstractFailureMethod,
    sources: SourceErrors,
    target: Target,
    picks: int,
    key: Key[Array, ""],
) -> Found:
    return find_failures(method, sources, target, picks, key=key)


def search_by_writing(method: str, world: World, rounds: int, seed: int) -> Hunt:
    """Return what a way of writing questions finds in an offline world.

    Args:
        method: one of `WRITERS`.
        world: holds the pool, the sources and the system under test.
        rounds: questions that are written.
        seed: of what the generator draws.
    """
    texts = tuple(question.text for question in world.questions)
    features = _features(texts, world.errors.tobytes(), seed)
    generator = RandomGenerator() if method == "random_questions" else Mutation()
    acquisition = None
    if method == "writing_blindly":
        rng = np.random.default_rng([seed, 3])
        acquisition = PriorMean(jnp.asarray(rng.random(len(texts) + rounds)))
    return hunt(
        world.questions,
        features,
        generator,
        OfflineScorer(world.target),
        rounds=rounds,
        seed=seed,
        acquisition=acquisition,
    )


@functools.lru_cache(maxsize=32)
def _features(texts: tuple[str, ...], errors: bytes, seed: int) -> HashedFeatures:
    """Return one world's features; all ways of writing share them."""
    error = np.frombuffer(errors).reshape(len(texts), -1)
    sources = SourceErrors(jnp.asarray(error), jnp.ones(error.shape, bool))
    return HashedFeatures.trained(texts, sources, seed=seed)


def _sources(world: World) -> SourceErrors:
    return SourceErrors(jnp.asarray(world.errors), jnp.ones(world.errors.shape, bool))


def _measured(
    outcome: Float[np.ndarray, " pick"],
    source_error: Float[np.ndarray, " pick"],
    topic: Int[np.ndarray, " pick"],
    topics: int,
    feature: Float[np.ndarray, "pick feature"],
) -> dict[str, Any]:
    """Return a search's figures; all arrays are of the questions that were asked."""
    counts, entropy, varied = _figures(
        jnp.asarray(outcome),
        jnp.asarray(source_error),
        jnp.asarray(topic),
        topics,
        jnp.asarray(feature),
    )
    return {
        "asked": len(outcome),
        "failures": float(counts.failures),
        "novel": float(counts.novel),
        "surprise": float(counts.surprise),
        "entropy": float(entropy),
        "vendi": float(varied.vendi),
        "log_det": float(varied.log_det),
        "failed": outcome.tolist(),
        "new": np.where(source_error <= NOVEL, outcome, 0).tolist(),
    }


@eqx.filter_jit
def _figures(outcome, source_error, topic, topics, feature):
    return (
        failure_counts(jnp.arange(len(outcome)), outcome, source_error),
        topic_entropy(topic, outcome, topics),
        diversity(feature, outcome),
    )
