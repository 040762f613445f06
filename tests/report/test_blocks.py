import math

import numpy as np
import pytest

from irtjax.report import Cell, Column, Table
from irtjax.report._blocks import format_value, sort_value


@pytest.mark.parametrize(
    ("value", "shown", "key"),
    [
        (0.12345, "0.123", "0.12345"),
        (-0.5, "−0.500", "-0.5"),
        (7, "7", "7"),
        ("007", "007", "007"),
        (np.float64(0.5), "0.500", "0.5"),
        (np.int64(3), "3", "3"),
        (None, "–", ""),
        (math.nan, "–", ""),
        (math.inf, "∞", "inf"),
        (-math.inf, "−∞", "-inf"),
        (Cell("1 to 3", 1.0), "1 to 3", "1.0"),
        (Cell("–", math.nan), "–", ""),
    ],
)
def test_values_are_shown_and_sorted_by_what_they_mean(value, shown, key):
    assert format_value(value, digits=3) == shown
    assert sort_value(value) == key


def test_a_small_negative_number_keeps_no_sign_at_zero():
    assert format_value(-0.00001, digits=3) == "0.000"


def test_a_ragged_table_names_its_row():
    with pytest.raises(ValueError, match=r"Row 1 of table 'table' has 1 values for 2"):
        Table("c", (Column("a"), Column("b")), (("x", 1), ("y",)))


def test_a_column_is_numeric_when_every_value_present_is_a_number():
    table = Table(
        "c",
        (Column("id"), Column("n"), Column("empty"), Column("cell")),
        (("x", 1, None, Cell("1 to 2", 1)), ("y", None, None, None)),
    )
    assert [table.is_numeric(k) for k in range(4)] == [False, True, False, True]
