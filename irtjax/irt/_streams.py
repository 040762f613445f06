"""How many compiled calls may be under way at once."""

import os
from collections.abc import Sequence

import jax


def streams(
    devices: Sequence[jax.Device],  # pyright: ignore[reportInvalidTypeForm]
) -> int:
    """Return how many compiled calls may be under way at once on some devices.

    One each, except on a processor, whose devices share its cores: there it is one a
    core that this process may use. Calls that factorise many matrices must do so one by
    one, see `_dense`.
    """
    if all(device.platform != "cpu" for device in devices):
        return len(devices)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
