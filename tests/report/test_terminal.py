import csv
import io
import json

import pytest
from rich.console import Console

from irtjax.report import drawn_table, ranking_record, remarks, tab_separated, versions
from tests.report._example import ranking, table


def drawn(width, top=0):
    stream = io.StringIO()
    console = Console(file=stream, width=width, force_terminal=False)
    console.print(drawn_table(ranking(), top, width))
    return stream.getvalue()


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_the_table_fits_the_terminal_and_keeps_every_name(width):
    lines = drawn(width).splitlines()
    assert max(map(len, lines)) <= width
    text = "".join(lines)
    for name in ("007", "d", "none"):
        assert name in text
    assert "rank" in text


def test_an_id_in_square_brackets_is_no_markup():
    assert "<b> & [red]" in drawn(120)


def test_eighty_characters_hold_what_matters():
    heading = " ".join(drawn(80).split("─")[0].split())
    for word in ("rank", "interval", "group", "mean", "P(best)", "95%"):
        assert word in heading


def test_top_leaves_out_and_counts_the_rest():
    text = drawn(80, top=2)
    assert "none" not in text
    assert "3 more systems" in text


def test_tab_separated_values_read_back():
    rows = list(csv.DictReader(io.StringIO(tab_separated(ranking())), delimiter="\t"))
    assert [row["system"] for row in rows] == ["007", "<b> & [red]", "3", "d", "none"]
    assert rows[0]["score"] == "1.5"
    assert rows[1]["flags"] == "barely measured, all right"
    assert rows[4]["score"] == ""
    assert len(tab_separated(ranking(), top=1).splitlines()) == 2


def test_remarks_repeat_no_note_of_the_table():
    assert remarks(ranking(), table()) == (
        "A note of the analysis.",
        "warning: No data: none.",
        "warning: Nothing links none with 007.",
    )


def test_the_record_is_json_with_ids_as_given():
    text = json.dumps(ranking_record(ranking(), table()), allow_nan=False)
    record = json.loads(text)
    systems = record["systems"]
    assert [each["system"] for each in systems] == [
        "007",
        "<b> & [red]",
        3,
        "d",
        "none",
    ]
    assert systems[0]["score"] == 1.5
    assert systems[4]["score"] is None
    assert record["seed"] == 3
    assert record["codes"] == {"successful": 1}
    assert record["n_observed"] == 14
    assert record["trials_from"] == "binary scores"
    assert record["notes"] == list(ranking().notes)
    assert record["versions"] == versions()
    assert set(versions()) == {"python", "irtjax", "jax", "jaxlib", "equinox", "numpy"}
