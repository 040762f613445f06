import polars as pl
import pytest

from experiments._interval_methods import METHODS
from experiments._interval_rows import condition_rows
from experiments.bars import issue4_bar3


def _row(method, parameter, outside, place):
    return {
        **issue4_bar3.settings(method, 20, 20, 1, 0.0, 200),
        "parameter": parameter,
        "code": "successful",
        "intervals": 100,
        "missing": 0,
        "above": outside,
        "below": 0,
        "width": 1.0,
        "place": place,
    }


def _runs(outside=5, rank=1, spread=1.0, code="successful"):
    rows = []
    for method in ("marginal_mean", "nuts"):
        for seed in range(200):
            place = 0.5 + spread * ((seed + 0.5) / 200 - 0.5)
            for parameter in issue4_bar3.ON_A_SCALE:
                rows.append({**_row(method, parameter, outside, [place]), "seed": seed})
            rows.append({**_row(method, "rank", rank, None), "seed": seed})
    return pl.DataFrame(rows).with_columns(pl.lit(code).alias("code"))


@pytest.mark.parametrize(
    ("changes", "passed"),
    [
        ({}, True),
        ({"outside": 8}, False),
        ({"outside": 2}, False),
        ({"rank": 8}, False),
        ({"rank": 0}, True),
        ({"spread": 0.6}, False),
        ({"code": "stalled"}, False),
    ],
)
def test_the_bar_is_the_issues(changes, passed):
    found = issue4_bar3.judge(_runs(**changes), {"20 x 20": 1.0})
    assert found["passed"] is passed


def test_what_falls_short_is_named():
    found = issue4_bar3.judge(_runs(rank=8), {})
    assert found["measured"]["short"] == [
        f"{method}, 20 x 20, 1 trials, 0% hidden, rank"
        for method in ("marginal_mean", "nuts")
    ]
    key = "nuts, 20 x 20, 1 trials, 0% hidden, ability"
    assert found["measured"]["coverage"][key]["coverage"] == pytest.approx(0.95)


def test_conditions_are_those_of_the_application():
    each = issue4_bar3.settings("joint_fisher", 5, 4, 3, 0.5, 2)
    rows = condition_rows(each, METHODS["joint_fisher"], block=2)
    assert rows["seed"].n_unique() == 2
    assert set(issue4_bar3.ON_A_SCALE) < set(rows["parameter"])
