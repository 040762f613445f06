import os
from unittest import mock

import jax
import pytest

from irtjax.irt import streams


@pytest.mark.parametrize(
    ("cores", "threads", "expected"),
    [(2, None, 1), (2, "8", 2), (2, "4", 1), (8, None, 2), (16, "64", 16), (1, "9", 1)],
)
def test_calls_on_a_processor_leave_its_pool_threads_to_spare(
    monkeypatch, cores, threads, expected
):
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    monkeypatch.delenv("NPROC", raising=False)
    if threads is not None:
        monkeypatch.setenv("NPROC", threads)
    assert len(jax.devices()) == 2
    assert streams(jax.devices()) == expected


@pytest.mark.parametrize("count", [1, 3])
def test_each_accelerator_is_kept_busy(count):
    device = mock.Mock(spec=jax.Device, platform="cuda")
    assert streams([device] * count) == count
