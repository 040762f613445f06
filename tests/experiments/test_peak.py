import time

import pytest

from experiments import _peak


def test_peak_is_positive_and_finite():
    peak = _peak.measured_peak(matrix=64, length=1000, repeats=2)
    assert 0 < peak.flops < 1e16
    assert 0 < peak.bandwidth < 1e15


def test_fastest_leaves_the_first_call_out():
    calls = []

    def function():
        calls.append(None)
        time.sleep(0.2 if len(calls) == 1 else 0.001)

    assert _peak.fastest(function, (), repeats=3) < 0.2
    assert len(calls) == 4


def test_seconds_are_those_of_one_call():
    assert _peak.seconds(lambda wait: time.sleep(wait), (0.05,)) >= 0.05


@pytest.mark.parametrize("shape", [(10, 10), (50, 50), (20, 500)])
def test_work_grows_with_the_table(shape):
    work = _peak.newton_step_work(*shape)
    wider = _peak.newton_step_work(shape[0], 2 * shape[1])
    assert work.flops < wider.flops
    assert work.bytes < wider.bytes


def test_the_smaller_side_is_left():
    """With many more systems than items the systems are eliminated, and the reverse."""
    many_systems = _peak.newton_step_work(1000, 5)
    assert many_systems.flops == pytest.approx(30 * 5000 + 8 * 25 * 1000 + 1000 / 3)
    many_items = _peak.newton_step_work(5, 1000)
    assert many_items.flops == pytest.approx(30 * 5000 + 4 * 25 * 1000 + 125 / 3)
