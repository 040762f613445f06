"""How many compiled calls may be under way at once."""

import os
from collections.abc import Sequence

import jax

# Threads of the processor's pool for each call under way. A call whose factorisations
# follow one another holds one while it waits; the others leave room for its parts.
THREADS_A_CALL = 4


def streams(
    devices: Sequence[jax.Device],  # pyright: ignore[reportInvalidTypeForm]
) -> int:
    """Return how many compiled calls may be under way at once on some devices.

    One each, except on a processor. Its devices share one pool of threads, and a batched
    factorisation holds a thread of that pool while it waits for others to do its parts:
    on a small pool two programs at once can hold every thread and wait for ever. So
    there is one call for every four threads of the pool, at least one and at most one a
    core. The pool has a thread a core, or as many as the environment variable `NPROC`
    said when the process started.
    """
    if all(device.platform != "cpu" for device in devices):
        return len(devices)
    cores = os.cpu_count() or 1
    pool = os.environ.get("NPROC", "")
    threads = int(pool) if pool.isdigit() else cores
    return max(1, min(cores, threads // THREADS_A_CALL))
