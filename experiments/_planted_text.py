"""Items whose errors hang on a few planted directions of their embedding."""

from typing import NamedTuple

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from irtjax.active import SourceErrors
from irtjax.active.encoders import (
    Benchmark,
    RawFeatures,
    TunedFeatures,
    log_score_of,
    train,
    train_features,
)


class Planted(NamedTuple):
    """Items, systems, and what makes the one hard for the other.

    Attributes:
        embedding: of the items, each of length 1.
        latent: the planted directions' coordinates, standard normal.
        error: drawn from them, 0 or 1.
    """

    embedding: Float[np.ndarray, "item embedding"]
    latent: Float[np.ndarray, "item direction"]
    error: Float[np.ndarray, "item system"]


def plant(
    seed: int,
    *,
    items: int = 400,
    systems: int = 24,
    width: int = 64,
    directions: int = 3,
) -> Planted:
    """Return items of which `directions` of `width` columns' directions matter.

    Args:
        seed: of everything.
        items: how many.
        systems: how many.
        width: columns of the embedding; all directions look alike.
        directions: how many say what systems get wrong.
    """
    rng = np.random.default_rng([seed, 60])
    place = rng.normal(size=(items, width))
    basis = np.linalg.qr(rng.normal(size=(width, directions)))[0]
    latent = place @ basis
    weakness = 1.5 * rng.normal(size=(directions, systems))
    logit = latent @ weakness + 0.5 * rng.normal(size=systems)
    error = (rng.random((items, systems)) < 1 / (1 + np.exp(-logit))) * 1.0
    length = np.linalg.norm(place, axis=1, keepdims=True)
    return Planted(place / length, latent, error)


def errors_of(error: Float[np.ndarray, "item system"], dtype: type) -> SourceErrors:
    """Return a complete matrix of errors as arrays.

    Args:
        error: from 0 to 1.
        dtype: of the arrays.
    """
    return SourceErrors(jnp.asarray(error, dtype), jnp.ones(error.shape, bool))


class Compared(NamedTuple):
    """Log scores on items and systems that no encoder saw, in nats an error.

    Attributes:
        raw: raw prompt features as published.
        raw_fitted: their length, variance, noise and mean trained like an encoder's.
        tuned: tuned prompt features.
        encoder: the tuned ones.
    """

    raw: float
    raw_fitted: float
    tuned: float
    encoder: TunedFeatures


def compare(
    embedding: Float[np.ndarray, "item embedding"],
    error: Float[np.ndarray, "item system"],
    seed: int,
    *,
    dtype: type = np.float64,
    form: str = "linear",
    share: float = 0.625,
    steps: int = 300,
) -> Compared:
    """Return how raw and tuned features predict a share of the items and systems.

    Args:
        embedding: of the items.
        error: of the systems, from 0 to 1.
        seed: of the split, of starts and of the items held out in training.
        dtype: of all arithmetic; 64 bits need `jax_enable_x64`.
        form: of the tuned features' kernel.
        share: of items, and of systems, that are trained on.
        steps: of Adam.
    """
    rng = np.random.default_rng([seed, 61])
    items, systems = (rng.permutation(count) for count in error.shape)
    cut, own = (round(share * count) for count in error.shape)
    seen = jnp.asarray(embedding[items[:cut]], dtype)
    sources = errors_of(error[np.ix_(items[:cut], systems[:own])], dtype)
    unseen = jnp.asarray(embedding[items[cut:]], dtype)
    test = errors_of(error[np.ix_(items[cut:], systems[own:])], dtype)
    raw = RawFeatures(seen, jnp.mean(sources.error))
    fitted = train(raw, [Benchmark(seen, sources)], seed=seed, steps=steps).features
    tuned = train_features(seen, sources, seed=seed, form=form, steps=steps).features
    assert isinstance(tuned, TunedFeatures)  # what it starts from
    first, second, third = (
        float(log_score_of(one, unseen, test)) for one in (raw, fitted, tuned)
    )
    return Compared(first, second, third, tuned)


def recovered(encoder: TunedFeatures, planted: Planted) -> float:
    """Return the share of the latent coordinates' variance that the outputs explain.

    Args:
        encoder: trained on some of the items.
        planted: the items.

    Returns:
        R squared of a least-squares fit on the logits of the outputs, the worst
        direction's, cross-validated over two halves of the items.
    """
    outputs = np.asarray(_logits(encoder, jnp.asarray(planted.embedding)))
    outputs = np.c_[outputs, np.ones(len(outputs))]
    half = np.arange(len(outputs)) % 2 == 0
    left = np.zeros_like(planted.latent)
    for one in (half, ~half):
        weight = np.linalg.lstsq(outputs[one], planted.latent[one], rcond=None)[0]
        left[~one] = planted.latent[~one] - outputs[~one] @ weight
    return float(np.min(1 - left.var(axis=0) / planted.latent.var(axis=0)))


@eqx.filter_jit
def _logits(encoder, embedding):
    embedding = embedding.astype(encoder.weight.dtype)
    return embedding @ encoder.weight.T + encoder.bias[None]
