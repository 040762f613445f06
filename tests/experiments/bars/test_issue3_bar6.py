"""The bar on a million long rows, at a reduced size."""

import numpy as np

from experiments.bars import issue3_bar6
from experiments.bars.issue3_bar6 import SHAPES, Shape, judge, rank_file, write_rows
from irtjax.data import read_table


def test_the_file_holds_what_its_shape_says(tmp_path):
    shape = Shape(30, 20, 300)
    write_rows(tmp_path / "a.csv", shape)
    table = read_table(tmp_path / "a.csv")
    assert table.responses.shape == (30, 20)
    assert table.n_observed() == 300
    write_rows(tmp_path / "b.csv", shape)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_a_file_is_ranked_in_a_process_of_its_own(tmp_path):
    write_rows(tmp_path / "a.csv", Shape(5, 6, 30))
    found = rank_file(tmp_path / "a.csv", tmp_path / "cache")
    assert found["ranked"] == 5
    assert found["seconds"] > 0
    assert 0.1 < found["gigabytes"] < 4


def test_the_verdict():
    good = {"systems": 5, "ranked": 5, "seconds": 59.0, "gigabytes": 3.9}
    assert judge([good] * len(SHAPES))["passed"]
    for worse in ({"seconds": 60.0}, {"gigabytes": 4.0}, {"ranked": 4}):
        assert not judge([good, good | worse])["passed"]
    assert not judge([good])["passed"]
    assert issue3_bar6.ROWS == 1_000_000
    assert np.all([shape.n_row == issue3_bar6.ROWS for shape in SHAPES])
