"""How fast the machine can be, and how much work a Newton step is: a fit's efficiency."""

import dataclasses
import time
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np


@dataclasses.dataclass(frozen=True)
class Peak:
    """What the machine reaches on code that does nothing else, in float64.

    Attributes:
        flops: floating-point operations a second in a product of two square matrices.
        bandwidth: bytes a second moved by a + s b into a third array.
    """

    flops: float
    bandwidth: float


@dataclasses.dataclass(frozen=True)
class Work:
    """What an algorithm cannot do without; an estimate from its equations.

    Attributes:
        flops: additions and multiplications; an elementary function counts as one.
        bytes: read and written, each array of the step once.
    """

    flops: float
    bytes: float


def measured_peak(matrix: int, length: int, repeats: int) -> Peak:
    """Return the best of a few timings of a matrix product and of a triad.

    Args:
        matrix: rows of the square matrices.
        length: of each of the triad's three arrays; far more than the caches hold.
        repeats: timings of each, after one that compiles.
    """
    square = jnp.asarray(np.random.default_rng(0).normal(size=(matrix, matrix)))
    line = jnp.arange(length, dtype=jnp.float64)
    product = fastest(jax.jit(jnp.matmul), (square, square), repeats)
    triad = fastest(jax.jit(lambda a, b: a + 0.5 * b), (line, line + 1), repeats)
    return Peak(2 * matrix**3 / product, 3 * 8 * length / triad)


def fastest(function: Callable, arguments: tuple, repeats: int) -> float:
    """Return the least seconds of a few calls, after one that does not count."""
    jax.block_until_ready(function(*arguments))
    return min(seconds(function, arguments) for _ in range(repeats))


def seconds(function: Callable, arguments: tuple) -> float:
    """Return the seconds of one call, to the end of its work on the device."""
    begin = time.perf_counter()
    jax.block_until_ready(function(*arguments))
    return time.perf_counter() - begin


def newton_step_work(n_system: int, n_item: int) -> Work:
    r"""Return the work of one Newton step of a 2PL by block elimination.

    Per cell: the logit, its exponential and logarithm, the residual, and the sums for
    six derivatives, about 30 operations. Elimination of the items leaves a system x
    system matrix, each item adding a matrix of rank two: $4 J^2 I$; of the systems, a
    $2I \times 2I$ one of rank-one terms: $8 I^2 J$. The smaller of both counts, with a
    Cholesky factor, $m^3 / 3$, of what is left. The two tables of data and the three
    derivatives of a cell are read or written once.
    """
    cells = n_system * n_item
    by_item = 4 * n_system**2 * n_item + n_system**3 / 3
    by_system = 8 * n_item**2 * n_system + (2 * n_item) ** 3 / 3
    left = min((by_item, n_system**2), (by_system, (2 * n_item) ** 2))
    return Work(float(30 * cells + left[0]), float(8 * (5 * cells + left[1])))
