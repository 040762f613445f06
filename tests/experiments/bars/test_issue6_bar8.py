"""The bar on short answers, at a reduced size."""

import shutil

import pytest

from experiments.bars import issue6_bar8
from experiments.bars.issue6_bar8 import P_VALUE, judge, measure
from irtjax.cegar import LoopSettings, grow

needs_jail = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="no bubblewrap: apt-get install bubblewrap"
)


@needs_jail
@pytest.mark.slow
def test_a_small_example_gains(monkeypatch):
    def short(*arguments):
        return grow(*arguments, settings=LoopSettings(rounds=3, first_level=2))

    monkeypatch.setattr(issue6_bar8, "grow", short)
    (found,) = measure(60, (0,))["measured"]
    assert (found["training questions"], found["unseen questions"]) == (36, 24)
    assert found["admitted"] >= len(found["operators"]) >= 1
    assert found["delta"] > 0
    assert found["interval"][0] < found["delta"] < found["interval"][1]


def test_the_verdict():
    good = {"delta": 0.01, "p": P_VALUE}
    assert judge([good, good])["passed"]
    assert not judge([])["passed"]
    assert not judge([good, good | {"delta": 0.0}])["passed"]
    assert not judge([good, good | {"p": 1.1 * P_VALUE}])["passed"]
