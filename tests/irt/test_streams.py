from unittest import mock

import jax
import pytest

from irtjax.irt import streams


def test_the_devices_of_a_processor_take_turns():
    assert len(jax.devices()) == 2
    assert streams(jax.devices()) == 1


@pytest.mark.parametrize("count", [1, 3])
def test_each_accelerator_is_kept_busy(count):
    assert streams([mock.Mock(spec=jax.Device, platform="cuda")] * count) == count
