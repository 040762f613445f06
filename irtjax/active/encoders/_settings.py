"""What an encoder may be trained on when one system on one benchmark is the target."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Float

from irtjax.active import SourceErrors


class Benchmark(NamedTuple):
    """A benchmark's items and what systems got wrong on them.

    Attributes:
        embedding: of the items, of one kind for all benchmarks.
        errors: of the systems, the same ones in the same order on every benchmark.
    """

    embedding: Float[Array, "item embedding"]
    errors: SourceErrors


def _new_pair(
    benchmarks: Sequence[Benchmark], benchmark: int, system: int
) -> list[Benchmark]:
    return [
        _without(each, system) if k == benchmark else each
        for k, each in enumerate(benchmarks)
    ]


def _new_model(
    benchmarks: Sequence[Benchmark], benchmark: int, system: int
) -> list[Benchmark]:
    return [_without(each, system) for each in benchmarks]


def _new_benchmark(
    benchmarks: Sequence[Benchmark], benchmark: int, system: int
) -> list[Benchmark]:
    return [each for k, each in enumerate(benchmarks) if k != benchmark]


SETTINGS: dict[str, Callable[..., list[Benchmark]]] = {
    "new_pair": _new_pair,
    "new_model": _new_model,
    "new_benchmark": _new_benchmark,
}
"""The settings by name. "new_pair": the system is known from other benchmarks and the
benchmark from other systems. "new_model": the system is known from nowhere.
"new_benchmark": the benchmark's items were seen with no system."""


def training_sets(
    setting: str, benchmarks: Sequence[Benchmark], benchmark: int, system: int
) -> list[Benchmark]:
    """Return what may be trained on; the target's errors are in none of it.

    Args:
        setting: one of `SETTINGS`.
        benchmarks: all there are.
        benchmark: position of the target's benchmark.
        system: position of the target among the systems.

    Raises:
        ValueError: an unknown setting, a position that does not exist, or a setting that
            leaves nothing to train on.
    """
    if setting not in SETTINGS:
        raise ValueError(f"`setting` must be one of {list(SETTINGS)}, got {setting!r}.")
    if not 0 <= benchmark < len(benchmarks):
        raise ValueError(f"There is no benchmark {benchmark} of {len(benchmarks)}.")
    systems = benchmarks[benchmark].errors.shape[1]
    if not 0 <= system < systems:
        raise ValueError(f"There is no system {system} of {systems}.")
    found = SETTINGS[setting](benchmarks, benchmark, system)
    if not found or any(each.errors.shape[1] == 0 for each in found):
        raise ValueError(f"The setting {setting!r} leaves nothing to train on.")
    return found


def _without(benchmark: Benchmark, system: int) -> Benchmark:
    errors = benchmark.errors
    kept = SourceErrors(
        jnp.delete(errors.error, system, axis=1, assume_unique_indices=True),
        jnp.delete(errors.observed, system, axis=1, assume_unique_indices=True),
    )
    return Benchmark(benchmark.embedding, kept)
