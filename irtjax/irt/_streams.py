"""How many compiled calls may be under way at once."""

from collections.abc import Sequence

import jax


def streams(
    devices: Sequence[jax.Device],  # pyright: ignore[reportInvalidTypeForm]
) -> int:
    """Return how many compiled calls may be under way at once on some devices.

    One each, except that all devices of a processor take turns. They share one pool of
    threads, and a batched factorisation holds a thread of that pool while it waits for
    others to do its parts: two programs at once can hold every thread and wait for
    ever. A single program's operations use all cores by themselves.
    """
    shared_pool = any(device.platform == "cpu" for device in devices)
    return 1 if shared_pool else len(devices)
