import dataclasses

import numpy as np
import pytest

from experiments._agreement import Agreement
from experiments._peak import Peak
from experiments._speed import Speed
from experiments.bars import issue2_bar2, issue2_bar3, issue2_bar6, issue2_bar7


def _agreement(**changes):
    values = {
        "excess": np.zeros(2000),
        "rival_excess": np.zeros(2000),
        "gradient": np.zeros(2000),
        "code": np.zeros(2000, int),
        "error_gap": np.zeros(2000),
    }
    for name, value in changes.items():
        values[name][0] = value
    return Agreement(**values)


@pytest.mark.parametrize(
    ("changes", "passed"),
    [
        ({}, True),
        ({"excess": 1e-7}, False),
        ({"rival_excess": 1e-3}, True),
        ({"gradient": 1e-3}, False),
        ({"gradient": 1e-3, "code": 1}, True),
        ({"error_gap": 1e-5}, False),
    ],
)
def test_bar_2_falls_where_it_should(changes, passed):
    assert issue2_bar2.judge(_agreement(**changes), n_published=1)["passed"] is passed


def _speeds(**changes):
    """Speeds that just meet the bar, the first of them changed."""
    numbers = {f.name: 1 if f.type is int else 1.0 for f in dataclasses.fields(Speed)}
    speeds = [
        Speed(**numbers | {"name": name, "times_faster": times})
        for name, times in issue2_bar3.REQUIRED.items()
    ]
    return [dataclasses.replace(speeds[0], **changes), *speeds[1:]]


@pytest.mark.parametrize(
    ("changes", "passed"),
    [
        ({}, True),
        ({"times_faster": 39.9}, False),
        ({"our_share_close": 0.999}, False),
        ({"rival_share_close": 0.9}, True),
    ],
)
def test_bar_3_falls_where_it_should(changes, passed):
    found = issue2_bar3.judge(Peak(1.0, 1.0), _speeds(**changes))
    assert found["passed"] is passed
    assert set(found["required"]["times_faster"]) == set(
        found["measured"]["times_faster"]
    )


def test_bar_3_asks_for_every_size():
    assert not issue2_bar3.judge(Peak(1.0, 1.0), _speeds()[1:])["passed"]


@pytest.mark.parametrize(
    ("changes", "passed"),
    [
        ({}, True),
        ({"seconds": 15.1}, False),
        ({"largest_difference": 1e-7}, False),
        ({"largest_difference": float("nan")}, False),
    ],
)
def test_bar_6_falls_where_it_should(changes, passed):
    entry = {"seconds": 14.9, "largest_difference": 0.0}
    files = [entry | changes, *[entry] * (len(issue2_bar6.FILES) - 1)]
    assert issue2_bar6.judge(files)["passed"] is passed


def test_bar_6_asks_for_every_file():
    assert not issue2_bar6.judge([{"seconds": 1, "largest_difference": 0}])["passed"]


@pytest.mark.parametrize(
    ("changes", "coverage", "passed"),
    [
        ({}, 90.0, True),
        ({}, 89.9, False),
        ({"report": False}, 95.0, False),
        ({"exit_code": 1}, 95.0, False),
    ],
)
def test_bar_7_falls_where_it_should(changes, coverage, passed):
    commands = {name: {"exit_code": 0} for name in issue2_bar7.COMMANDS}
    commands["main job"] |= {"report": True} | changes
    assert issue2_bar7.judge(commands, coverage)["passed"] is passed


def test_a_value_that_a_permutation_loses_is_no_small_difference():
    here = np.array([1.0, np.nan, 3.0])
    assert issue2_bar6.largest_gap(here, np.array([1.5, np.nan, 3.0])) == 0.5
    with pytest.raises(ValueError, match="which systems have a value"):
        issue2_bar6.largest_gap(here, np.array([1.0, np.nan, np.nan]))
