"""The bar on composition, at a reduced size."""

import gzip
import json

import numpy as np

from experiments.bars import issue6_bar5
from experiments.bars._published_panel import published_panel
from experiments.bars.issue6_bar5 import brute_force, drawn_flags, judge
from irtjax.cegar import count_subsets, gain


def write(path, lines):
    with gzip.open(path, "wt") as stream:
        stream.writelines(json.dumps(line) + "\n" for line in lines)


def test_published_programs_become_a_panel(tmp_path):
    programs = [
        {"code": "a", "samples": [[1, 0], [2, 0]]},
        {"code": "b", "samples": [[1, 1]]},
    ]
    for name in ("mbpp", "humaneval"):
        line = {"task_id": f"{name}/1", "candidates": programs}
        write(tmp_path / f"candidates_{name}.jsonl.gz", [line])
        labels = [{"i": 1, "vis": 1, "base": 1, "plus": 1}, {"i": 0, "vis": 0}]
        line = {"task_id": f"{name}/1", "labels": labels}
        write(tmp_path / f"labels_{name}.jsonl.gz", [line])
    panel = published_panel(tmp_path)
    assert panel.task_ids == ("mbpp/1", "humaneval/1")
    assert panel.count.tolist() == [2, 1, 2, 1]
    assert panel.right.tolist() == [False, True, False, True]
    assert published_panel(tmp_path, passing=True).candidate.tolist() == [1, 1]
    flags = drawn_flags(panel._replace(count=np.array([3, 1, 2, 5])), 5)
    assert brute_force(panel, flags, 3) == 0
    assert gain(panel, flags).headroom > 0


def test_the_verdict():
    good = {"subsets": 2_007_327, "gains": 2_007_327, "seconds": 9.0}
    good |= {"brute force differs": 0}
    assert judge(good)["passed"]
    for worse in ({"seconds": 61.0}, {"brute force differs": 1}, {"subsets": 5}):
        assert not judge(good | worse)["passed"]
    assert count_subsets(issue6_bar5.OPERATORS, issue6_bar5.SIZE) == issue6_bar5.SUBSETS
