"""The bar on labels, at a reduced size."""

import gzip
import json

import pytest

from experiments._programs import Programs
from experiments.bars import issue6_bar1
from experiments.bars.issue6_bar1 import (
    KINDS,
    busy,
    compare,
    judge,
    measure,
    read_labels,
)
from irtjax.cegar import Candidate, Case, Task
from irtjax.cegar.tasks import Verdict


def test_differences_are_counted_by_kind(tmp_path):
    path = tmp_path / "labels.jsonl.gz"
    labels = [
        {"i": 0, "vis": 1, "base": 1, "plus": 0, "beh": ["x"]},
        {"i": 1, "vis": 0},
        {"i": 2, "vis": 1, "base": 1, "plus": 1},
    ]
    with gzip.open(path, "wt") as stream:
        stream.write(json.dumps({"task_id": "T/0", "labels": labels}) + "\n")
    given = read_labels(path)
    assert given["T/0"][1] == {"visible": False, "base": None, "plus": None}
    programs = Programs((Case(Task("T/0", ""), tuple(map(Candidate, "abc"))),), ())
    same = [[Verdict(True, True, False), Verdict(False), Verdict(True, True, True)]]
    counts, differing = compare(programs, same, given)
    assert counts == {"visible": 3, "base": 2, "plus": 2}
    assert differing == []
    other = [[Verdict(True, False), Verdict(True, True, True), Verdict(False)]]
    _, differing = compare(programs, other, given)
    assert [each[1:] for each in differing] == [
        (0, "base", True, False),
        (1, "visible", False, True),
        (2, "visible", True, False),
        (2, "base", True, False),
        (2, "plus", True, False),
    ]


def test_the_verdict():
    good = {"agreement": dict.fromkeys(KINDS, 0.995), "changed when busy": 0}
    assert judge([good, good])["passed"]
    assert not judge([good])["passed"]
    assert not judge([good, good | {"changed when busy": 1}])["passed"]
    worse = good | {"agreement": dict.fromkeys(KINDS, 0.995) | {"plus": 0.9949}}
    assert not judge([good, worse])["passed"]


def test_loops_end_with_the_block():
    with busy(1):
        pass


@pytest.mark.slow
def test_three_tasks_of_each_set(shared, tmp_path, monkeypatch):
    monkeypatch.setenv("IRTJAX_SHARED", str(shared))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(issue6_bar1, "SAMPLE", 1)
    found = measure(limit=3)
    assert found["passed"]
    for entry in found["measured"]:
        assert entry["programs"] > 20
        assert entry["labelled again when busy"] >= 1
