"""What is read off a file's column names, what must be said, and the notes on both."""

import numpy as np
import pandas as pd
import pytest

from irtjax.data import DataError, read_table, table_from_frame


def _wide(first, values=((1, 0), (0, 1))):
    return pd.DataFrame(
        [["a", *values[0]], ["b", *values[1]]], columns=[first, "q", "r"]
    )


@pytest.mark.parametrize("name", ["model", "System", "subject_id", "Model Name"])
def test_a_column_named_for_systems_puts_them_in_rows(name):
    table = table_from_frame(_wide(name))
    assert table.systems_in == "rows"
    assert table.system_ids == ("a", "b")
    assert any("Systems are in rows" in note for note in table.notes)


@pytest.mark.parametrize("name", ["item", "index", "question", "Task"])
def test_a_column_named_for_items_puts_systems_in_columns(name):
    table = table_from_frame(_wide(name))
    assert table.systems_in == "columns"
    assert table.system_ids == ("q", "r")
    assert any("Systems are in columns" in note for note in table.notes)


def test_an_untold_orientation_must_be_said():
    with pytest.raises(
        DataError, match="Pass systems_in='rows' or systems_in='columns'"
    ):
        table_from_frame(_wide("entry"))
    rows = table_from_frame(_wide("entry"), systems_in="rows")
    columns = table_from_frame(_wide("entry"), systems_in="columns")
    assert rows.system_ids == columns.item_ids == ("a", "b")
    np.testing.assert_array_equal(
        rows.responses.successes, np.asarray(columns.responses.successes).T
    )


def test_the_callers_word_beats_the_name():
    table = table_from_frame(_wide("model"), systems_in="columns")
    assert table.system_ids == ("q", "r")
    with pytest.raises(DataError, match="contradicts"):
        table_from_frame(_wide("entry"), systems_in="columns", system="entry")


def test_rows_without_identifiers_are_numbered():
    frame = pd.DataFrame({"q": [1, 0], "r": [0, 1]})
    table = table_from_frame(frame, systems_in="rows")
    assert table.system_ids == (0, 1)
    assert any("numbered from 0" in note for note in table.notes)


def test_a_saved_pandas_index_is_no_item(tmp_path):
    _wide("model").to_csv(tmp_path / "a.csv")
    assert read_table(tmp_path / "a.csv").item_ids == ("q", "r")


def test_columns_of_other_things_are_left_out_on_request():
    frame = _wide("model").assign(maker="x")
    with pytest.raises(DataError, match=r"column 'maker': 'x' .* ignore=\['maker'\]"):
        table_from_frame(frame)
    assert table_from_frame(frame, ignore=["maker"]).item_ids == ("q", "r")
    with pytest.raises(DataError, match="no column 'absent'"):
        table_from_frame(frame, ignore=["absent"])


def _long(**names):
    usual = {"model": "model", "item": "item", "score": "score"} | names
    columns = {"model": list("aabb"), "item": list("qrqr"), "score": [1, 0, 0, 1]}
    return pd.DataFrame(columns).rename(columns=usual)


@pytest.mark.parametrize(
    "names",
    [
        {"model": "respondent", "item": "question_id", "score": "correct"},
        {"model": "Subject ID", "item": "Task", "score": "Accuracy"},
        {"model": "method", "item": "index", "score": "label"},
    ],
)
def test_usual_names_of_long_columns(names):
    table = table_from_frame(_long(**names))
    assert table.system_ids == ("a", "b")
    assert table.responses.successes.tolist() == [[1, 0], [0, 1]]
    assert table.notes[0].startswith("Columns used: system")


def test_unusual_names_must_be_said():
    frame = _long(model="who", item="what", score="how")
    options = {"system": "who", "item": "what", "score": "how"}
    assert table_from_frame(frame, **options).system_ids == ("a", "b")
    with pytest.raises(DataError, match="no column for the system among 'who'"):
        table_from_frame(frame, layout="long")
    with pytest.raises(DataError, match="no column 'whom' for the system"):
        table_from_frame(frame, **(options | {"system": "whom"}))


def test_two_candidates_must_be_settled():
    frame = _long().assign(system=list("aabb"))
    with pytest.raises(
        DataError, match="'model' and 'system' could both be the system"
    ):
        table_from_frame(frame)
    assert table_from_frame(frame, system="model").system_ids == ("a", "b")


def test_one_column_has_one_role():
    with pytest.raises(DataError, match="one column cannot have two roles"):
        table_from_frame(_long(), item="model")


def test_systems_in_says_nothing_about_a_long_table():
    with pytest.raises(DataError, match="systems_in has no meaning"):
        table_from_frame(_long(), systems_in="rows")


def test_a_column_of_errors_counts_failures():
    table = table_from_frame(_long(score="error"))
    assert table.score_is == "failure"
    assert table.responses.successes.tolist() == [[0, 1], [1, 0]]
    assert any("count failures" in note for note in table.notes)


def test_a_trials_column_is_found_and_noted():
    table = table_from_frame(_long().assign(n=[2, 2, 4, 4], score=[0.5, 0, 0.25, 1]))
    assert table.trials_from == "column 'n'"
    assert table.responses.successes.tolist() == [[1, 0], [1, 4]]


def test_success_is_assumed_with_a_note_only_where_nothing_is_said():
    def assumed(table):
        return any("score_is='failure' if" in note for note in table.notes)

    assert assumed(table_from_frame(_long()))
    assert not assumed(table_from_frame(_long(), score_is="success"))
    # A prefix such as `label_` does not say failure.
    frame = _wide("index").rename(columns={"q": "label_q", "r": "label_r"})
    table = table_from_frame(frame)
    assert assumed(table)
    assert table.score_is == "success"
    assert table.system_ids == ("label_q", "label_r")


@pytest.mark.parametrize(
    ("name", "shape", "top", "bottom"),
    [
        ("gqa", (14, 2000), "label_gpt5", "label_claude37_sonnet"),
        (
            "cruxeval_input",
            (37, 800),
            "label_gpt-4-turbo-2024-04-09+cot",
            "label_phi-1",
        ),
        ("chembench", (22, 2854), "label_o1", "label_Galatica-120b"),
    ],
)
def test_the_matrices_with_explicit_options(name, shape, top, bottom, shared):
    path = shared / "data" / "matrices" / f"{name}_labels.csv"
    table = read_table(path, systems_in="columns", score_is="failure")
    assert table.responses.shape == shape
    errors = pd.read_csv(path, index_col=0).mean(axis=0)
    np.testing.assert_allclose(table.plain_means(), 1 - errors.to_numpy(), atol=1e-12)
    assert f"top {top!r}" in table.extremes()
    assert f"bottom {bottom!r}" in table.extremes()
    assert table.extremes() in table.describe()


def test_the_robotics_leaderboard(shared):
    table = read_table(shared / "data" / "leaderboards" / "evo_sota_vla.csv")
    assert table.responses.shape == (231, 22)
    assert table.n_observed() == 1148
    assert table.trials_from == "unknown"
    assert "1,148 of 5,082 cells observed (22.6 %)" in table.describe()[0]
