import math

import numpy as np

from irtjax.report import ranking_table
from irtjax.report._blocks import format_value
from tests.report._example import ranking


def shown(**changes):
    table = ranking_table(ranking(**changes))
    titles = [column.title for column in table.columns]
    return [
        dict(
            zip(
                titles,
                (
                    format_value(value, column.digits)
                    for value, column in zip(row, table.columns, strict=True)
                ),
                strict=True,
            )
        )
        for row in table.rows
    ]


def test_systems_stand_best_first_under_their_own_names():
    assert [row["system"] for row in shown()] == [
        "007",
        "<b> & [red]",
        "3",
        "d",
        "none",
    ]


def test_each_row_says_what_is_known():
    first, second, *_, last = shown()
    assert first == {
        "system": "007",
        "rank": "1",
        "rank interval": "1 to 2",
        "joint rank interval": "1 to 3",
        "group": "1",
        "score": "1.500",
        "95% interval": "0.500 to 2.500",
        "P(best)": "0.625",
        "plain mean": "0.750",
        "plain interval": "0.500 to 1.000",
        "plain rank": "2",
        "items": "4",
        "remarks": "",
    }
    assert second["95% interval"] == "−0.750 to 2.250"
    assert second["remarks"] == "barely measured, all right"
    for title in ("rank", "group", "score", "95% interval", "P(best)", "plain mean"):
        assert last[title] == "–"


def test_shared_ranks_show_their_half_and_sort_as_numbers():
    rank = np.array([1.5, 1.5, 3, 4, math.nan])
    rows = ranking_table(ranking(rank=rank)).rows
    assert [row[1].text for row in rows] == ["1.5", "1.5", "3", "4", "–"]
    assert [row[1].sort for row in rows[:4]] == [1.5, 1.5, 3, 4]


def test_the_band_of_declared_trials_has_a_column_only_where_there_is_one():
    ones = np.ones(5)
    assert "rank with other trials" not in shown()[0]
    banded = shown(band_lower=ones, band_upper=3 * ones)
    assert banded[0]["rank with other trials"] == "1 to 3"


def test_remarks_have_a_column_only_where_there_are_any():
    assert "remarks" not in shown(flags=((),) * 5)[0]
