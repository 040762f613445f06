"""Training an encoder: Adam on the log score, some items held out, the best one kept."""

from collections.abc import Sequence
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jaxtyping import Array, Float, Int

from irtjax.active import SourceErrors

from ._encoder import AbstractEncoder
from ._score import encoder_log_score
from ._settings import Benchmark
from ._tuned import TunedFeatures

HELD_OUT = 0.1
"""Share of each benchmark's items that training does not see and validation does."""

RATE = 1e-2
"""Adam's rate of learning."""

BATCH = 64
"""Items of each benchmark that one step looks at. A prior is put to use when few items are
answered; trained on all at once it leaves to the kernel what its mean could say."""


class Trained(NamedTuple):
    """An encoder and how its training went.

    Attributes:
        features: the encoder at its best validation score.
        score: on the items of each step, in nats an error.
        validation: on the items held out, by step.
        best: the step of `features`; 0 = the start was never bettered.
    """

    features: AbstractEncoder
    score: Float[Array, " step"]
    validation: Float[Array, " step"]
    best: Int[Array, ""]


def train(
    encoder: AbstractEncoder,
    benchmarks: Sequence[Benchmark],
    *,
    seed: int,
    steps: int = 300,
) -> Trained:
    """Return the encoder that predicts held-out items best along a run of Adam.

    The loss is the mean over benchmarks of the negative log score of all their systems
    on some items, drawn anew in each step. A tenth of each benchmark's items is held
    out; the encoder after the step with the best score on these is the result.

    Args:
        encoder: where to start; what its `trainable` says may change.
        benchmarks: to train on.
        seed: of which items are held out, and of those that a step looks at.
        steps: of Adam.

    Raises:
        ValueError: no benchmark, or one with too few items to hold any out.
    """
    if not benchmarks:
        raise ValueError("There is no benchmark to train on.")
    fitted, held, batches = [], [], []
    for number, benchmark in enumerate(benchmarks):
        count = benchmark.embedding.shape[0]
        out = round(HELD_OUT * count)
        if out < 1:
            raise ValueError(
                f"Benchmark {number} has {count} items; training holds a tenth of them "
                "out, so it needs at least 5."
            )
        rng = np.random.default_rng([seed, number])
        order = rng.permutation(count)
        fitted.append(_rows(benchmark, np.sort(order[out:])))
        held.append(_rows(benchmark, np.sort(order[:out])))
        left = np.tile(np.arange(count - out), (steps, 1))
        batches.append(jnp.asarray(rng.permuted(left, axis=1)[:, :BATCH]))
    complete = all(bool(jnp.all(each.errors.observed)) for each in benchmarks)
    return _run(encoder, fitted, held, batches, complete)


def train_features(
    embedding: Float[Array, "item embedding"],
    sources: SourceErrors,
    *,
    seed: int,
    outputs: int = 16,
    form: str = "linear",
    steps: int = 300,
) -> Trained:
    """Return tuned prompt features of one benchmark.

    Args:
        embedding: of the items.
        sources: errors of the other systems on them.
        seed: of the start and of which items are held out.
        outputs: of the encoder.
        form: of the kernel, one of `KERNELS`.
        steps: of Adam.
    """
    error = float(jnp.mean(sources.mean()))
    start = TunedFeatures(
        embedding.shape[1],
        outputs=outputs,
        error=error,
        form=form,
        dtype=embedding.dtype,
        key=jax.random.key(seed),
    )
    return train(start, [Benchmark(embedding, sources)], seed=seed, steps=steps)


@eqx.filter_jit
def _run(
    encoder: AbstractEncoder,
    fitted: list[Benchmark],
    held: list[Benchmark],
    batches: list[Int[Array, "step _"]],
    complete: bool,
) -> Trained:
    moving, fixed = eqx.partition(encoder, encoder.trainable())
    optimiser = optax.adam(RATE)

    def loss(moving: AbstractEncoder, sets: list[Benchmark]) -> Float[Array, ""]:
        current = eqx.combine(moving, fixed)
        scores = [encoder_log_score(current, *each, complete) for each in sets]
        return -jnp.mean(jnp.stack(scores))

    def step(carry, inputs):
        moving, state, best, lowest, at = carry
        number, rows = inputs
        drawn = [_rows(*each) for each in zip(fitted, rows, strict=True)]
        value, gradient = jax.value_and_grad(loss)(moving, drawn)
        # Of the encoder before the step, so that the start counts, too. It waits for the
        # gradient: two factorisations at once can stand still for ever on a CPU.
        waited, gradient = jax.lax.optimization_barrier((moving, gradient))
        validation = loss(waited, held)
        better = validation < lowest
        best = jax.tree.map(lambda new, old: jnp.where(better, new, old), moving, best)
        at = jnp.where(better, number, at)
        # optax multiplies floats by integers.
        with jax.numpy_dtype_promotion("standard"):
            change, state = optimiser.update(gradient, state)
            moved = optax.apply_updates(moving, change)
        carry = moved, state, best, jnp.minimum(validation, lowest), at
        return carry, (-value, -validation)

    dtype = fitted[0].embedding.dtype
    start = (
        moving,
        optimiser.init(moving),
        moving,
        jnp.asarray(jnp.inf, dtype),
        jnp.asarray(0),
    )
    (_, _, best, _, at), (score, validation) = jax.lax.scan(
        step, start, (jnp.arange(batches[0].shape[0]), batches)
    )
    return Trained(eqx.combine(best, fixed), score, validation, at)


def _rows(benchmark: Benchmark, rows: Int[np.ndarray | Array, " item"]) -> Benchmark:
    embedding, errors = benchmark
    kept = SourceErrors(errors.error[rows], errors.observed[rows])
    return Benchmark(embedding[rows], kept)
