import os
from unittest import mock

import jax
import pytest

from irtjax.irt import streams


@pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity"), reason="this system has no affinity"
)
@pytest.mark.parametrize("cores", [{0}, {1, 3}])
def test_a_processor_runs_one_call_for_each_core_that_is_ours(monkeypatch, cores):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: cores)
    assert len(jax.devices()) == 2
    assert streams(jax.devices()) == len(cores)


def test_without_affinity_every_core_counts(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert streams(jax.devices()) == 7


@pytest.mark.parametrize("count", [1, 3])
def test_each_accelerator_is_kept_busy(count):
    device = mock.Mock(spec=jax.Device, platform="cuda")
    assert streams([device] * count) == count
