import pytest

from experiments.bars import issue4_bar1_fit_statistics, issue4_bar5


@pytest.mark.parametrize(
    ("changes", "passed"),
    [
        ({}, True),
        ({"M2": 1e-3}, False),
        ({"Q3": float("inf")}, False),
        ({"unequal_df": 1}, False),
    ],
)
def test_bar_1_falls_where_it_should(changes, passed):
    exact = {"M2": 0.0, "S-X2": 0.0, "infit": 0.0, "outfit": 0.0, "Q3": 0.0}
    found = {name: exact | {"unequal_df": 0} for name in ("one", "two")}
    found["two"] |= changes
    assert issue4_bar1_fit_statistics.judge(found)["passed"] is passed


def test_bar_1_finds_no_gap_in_a_small_fit(shared):
    found = issue4_bar1_fit_statistics.gaps(shared, "LSAT7_2PL")
    assert issue4_bar1_fit_statistics.judge({"LSAT7_2PL": found})["passed"]


@pytest.mark.parametrize(
    ("changes", "passed"),
    [
        ({}, True),
        ({"seconds": 10.1}, False),
        ({"finite": False}, False),
        ({"code": "stalled"}, False),
        ({"constant": 696}, False),
        ({"constant_ids_right": False}, False),
        ({"gradient_norm": 1e-3}, False),
    ],
)
def test_bar_5_falls_where_it_should(changes, passed):
    entry = {
        "seconds": 5.0,
        "finite": True,
        "code": "successful",
        "constant": 697,
        "constant_ids_right": True,
        "gradient_norm": 1e-12,
    }
    found = {name: dict(entry) for name in issue4_bar5.TABLES}
    found["gqa_labels.csv"] |= changes
    assert issue4_bar5.judge(found)["passed"] is passed


def test_bar_5_reads_constant_rows_off_the_file(tmp_path):
    file = tmp_path / "labels.csv"
    file.write_text("index,a,b\n007,1,1\n8,1,0\n9,0,0\n10,0.5,0.5\n")
    assert issue4_bar5.constant_ids(file) == ["007", "9"]
