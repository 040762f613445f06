"""The sandbox's bar, at a reduced size."""

import shutil

import pytest

from experiments.bars import issue6_bar6
from experiments.bars.issue6_bar6 import (
    compare,
    endure,
    judge,
    programs,
    watched_folders,
)
from irtjax.cegar.sandbox import LAWS

needs_jail = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="no bubblewrap: apt-get install bubblewrap"
)


@needs_jail
def test_nothing_is_left_after_executions():
    found = endure(25)
    assert found["executions"] == 25
    assert found["kinds"] == {"value": 24 * 50, "crash": 50}
    assert (found["processes"], found["files"], found["open_files"]) == (0, 0, 0)


@needs_jail
def test_every_way_runs_the_same_programs():
    rates = compare(10)
    assert set(rates) == {"bubblewrap", "limited", "bare"}
    assert min(rates.values()) > 0


def test_programs_differ_and_some_are_hostile():
    texts = list(programs(300, 100, "token"))
    assert len(set(texts)) == 300
    assert [place for place, text in enumerate(texts) if "os." in text] == [0, 100, 200]
    written = list(programs(301, 100, "token"))[300]
    assert all(str(folder) in written for folder in watched_folders())
    assert "token" in written


def test_the_verdict():
    laws = {"bubblewrap": dict.fromkeys(LAWS), "limited": {"socket": None}}
    rates = {"bubblewrap": 40.0, "limited": 50.0, "bare": 500.0}
    left = {"per_second": 35.0, "processes": 0, "files": 0, "open_files": 0}
    good = judge(laws, rates, left)
    assert good["passed"]
    assert good["measured"]["overhead_milliseconds"]["bubblewrap"] == 23
    assert not judge({**laws, "limited": {"socket": "open"}}, rates, left)["passed"]
    assert not judge(laws, rates | {"bubblewrap": 29.0}, left)["passed"]
    for name in ("processes", "files", "open_files"):
        assert not judge(laws, rates, left | {name: 1})["passed"]
    assert not judge(laws, rates, left | {"per_second": 29.0})["passed"]
    assert issue6_bar6.EXECUTIONS == 10_000
