"""Input that cannot be right: one message names file, row, column and the option."""

import re

import numpy as np
import pandas as pd
import pytest

from irtjax.data import (
    CategoricalResponses,
    DataError,
    LongResponses,
    ScoreResponses,
    read_table,
    table_from_frame,
    table_from_matrix,
)

LONG = "model,item,score\na,q,1\na,r,0\nb,q,0\nb,r,{}\n"
WIDE = "model,q,r\na,1,0\nb,0,{}\n"

WRONG_VALUES = [
    ("1.5", "1.5 is above 1", "out_of=100"),
    ("1.5", "1.5 is above 1", "trials="),
    ("-1", "-1 is negative", "missing=-1"),
    ("-0.25", "-0.25 is negative", "missing=-0.25"),
    ("inf", "inf is not a finite number", ""),
    ("-inf", "-inf is not a finite number", ""),
    ("yes", "'yes' is not a number", "ignore="),
]


@pytest.mark.parametrize(("value", "fault", "help_"), WRONG_VALUES)
@pytest.mark.parametrize(
    ("text", "place"),
    [
        (LONG, "a.csv, row 4 (line 5), column 'score'"),
        (WIDE, "a.csv, row 2 (line 3), column 'r'"),
    ],
)
def test_wrong_values_in_files(text, place, value, fault, help_, tmp_path):
    (tmp_path / "a.csv").write_text(text.format(value))
    with pytest.raises(DataError) as error:
        read_table(tmp_path / "a.csv")
    message = str(error.value)
    assert message.startswith(place)
    assert fault in message
    assert help_ in message


def test_the_line_is_right_after_blank_lines_and_quoted_newlines(tmp_path):
    (tmp_path / "a.csv").write_text('model,q,r\n"a\nb",1,0\n\nc,0,7\n')
    with pytest.raises(DataError, match=re.escape("row 2 (line 5), column 'r'")):
        read_table(tmp_path / "a.csv")


def test_the_line_of_json_lines(tmp_path):
    text = '{"model":"a","item":"q","score":1}\n\n{"model":"a","item":"r","score":2}\n'
    (tmp_path / "a.jsonl").write_text(text + text.replace('"a"', '"b"'))
    with pytest.raises(DataError, match=re.escape("row 2 (line 3), column 'score'")):
        read_table(tmp_path / "a.jsonl")


def test_how_many_more_are_wrong():
    array = np.array([[1.0, 2.0], [3.0, 4.0]])
    with pytest.raises(DataError, match=r"array, row 1, column 2: .*\(and 2 more\)"):
        table_from_matrix(array)


def _frame(**columns):
    base = {"model": ["a", "a", "b", "b"], "item": ["q", "r", "q", "r"]}
    return pd.DataFrame(base | columns)


TRIALS_FAULTS = [
    ({"k": [1, 4, 0, 2], "n": [3, 3, 3, 3]}, "row 2, .*4 successes out of 3 trials"),
    ({"k": [1, 3, 0, 2], "n": [3, np.nan, 3, 3]}, "row 2, .*trials is missing"),
    (
        {"k": [1, 3, 0, 2], "n": [3, -3, 3, 3]},
        "row 2, .*negative number of trials, -3 .column 'n'",
    ),
    (
        {"k": [1, 3, 0, 2], "n": [3, 3.5, 3, 3]},
        "row 2, .*3.5 is not a number of trials",
    ),
    ({"k": [1, 3, 0, 2]}, "successes without a number of trials. Pass trials="),
]


@pytest.mark.parametrize(("columns", "message"), TRIALS_FAULTS)
def test_wrong_trials(columns, message):
    with pytest.raises(DataError, match=message):
        table_from_frame(_frame(**columns))


SHAPES = [
    (_frame(score=[1, 0, 1, 0]).assign(model="a").iloc[:2], "only one system"),
    (_frame(score=[1, 0, 1, 0]).iloc[::2], "only one item"),
    (_frame(score=[np.nan] * 4), "every result is missing"),
    (_frame(score=[1, 0, 1, 0]).iloc[:0], "no data rows"),
    (
        _frame(score=[1, 0, 1, 0]).replace({"model": {"b": None}}),
        "row 3, column 'model'",
    ),
]


@pytest.mark.parametrize(("frame", "message"), SHAPES)
def test_too_little_to_rank(frame, message):
    with pytest.raises(DataError, match=message):
        table_from_frame(frame)


DUPLICATES = _frame(score=[1, 0, 0, 1]).iloc[[0, 1, 2, 3, 0, 1]].copy()
DUPLICATES["score"] = [1, 0, 0, 1, 0, 0]


def test_duplicates_are_an_error_that_names_both_rows(tmp_path):
    DUPLICATES.to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(DataError) as error:
        read_table(tmp_path / "a.csv")
    message = str(error.value)
    assert message.startswith("a.csv, row 5 (line 6), column 'score': system 'a'")
    assert "item 'q' (a.csv, row 1 (line 2), column 'score')" in message
    assert "duplicates='sum'" in message


@pytest.mark.parametrize(
    ("duplicates", "successes", "trials"),
    [
        ("sum", [[1, 0], [0, 1]], [[2, 2], [1, 1]]),
        ("mean", [[0.5, 0], [0, 1]], [[1, 1], [1, 1]]),
        ("first", [[1, 0], [0, 1]], [[1, 1], [1, 1]]),
        ("last", [[0, 0], [0, 1]], [[1, 1], [1, 1]]),
    ],
)
def test_duplicates_on_request(duplicates, successes, trials):
    table = table_from_frame(DUPLICATES, duplicates=duplicates)
    assert table.responses.successes.tolist() == successes
    assert table.responses.trials.tolist() == trials
    assert f"2 duplicate results: {duplicates}." in table.notes


def test_one_system_on_two_lines_of_a_wide_file(tmp_path):
    lines = '{"model":"a","q":1,"r":0}\n{"model":"b","q":1,"r":0}\n'
    (tmp_path / "a.jsonl").write_text(lines + '{"model":"a","q":0,"r":0}\n')
    place = re.escape("row 3 (line 3), column 'q': system 'a'")
    with pytest.raises(DataError, match=place):
        read_table(tmp_path / "a.jsonl")


def test_a_missing_result_is_no_duplicate():
    frame = DUPLICATES.assign(score=[1, 0, 0, 1, np.nan, np.nan])
    assert table_from_frame(frame).responses.trials.tolist() == [[1, 1], [1, 1]]


def test_duplicate_ids_of_a_matrix_are_refused():
    with pytest.raises(DataError, match="item identifier 'q' stands twice"):
        table_from_matrix(np.eye(2), item_ids=["q", "q"])
    with pytest.raises(ValueError, match="2 systems and 3 identifiers"):
        table_from_matrix(np.eye(2), system_ids=["a", "b", "c"])


def test_unequal_trials_in_every_cell():
    table = table_from_frame(_frame(successes=[1, 0, 2, 9], trials=[1, 2, 3, 10]))
    assert table.responses.trials.tolist() == [[1, 2], [3, 10]]
    assert table.responses.successes.tolist() == [[1, 0], [2, 9]]
    assert table.trials_from == "column 'trials'"


def test_no_trials_means_not_run():
    table = table_from_frame(_frame(successes=[1, 0, 2, 9], trials=[1, 0, 3, 10]))
    assert table.responses.observed().tolist() == [[True, False], [True, True]]


def test_counts_and_shares_of_declared_trials(shared):
    sim = shared / "reference" / "sim" / "s20x20k10_m40.csv"
    table = read_table(sim, trials=10)
    assert table.trials_from == "declared: 10"
    wide = pd.read_csv(sim, index_col=0).to_numpy()
    np.testing.assert_array_equal(table.responses.successes, np.nan_to_num(wide))
    shares = table_from_matrix(wide / 10, trials=10)
    np.testing.assert_array_equal(table.responses.successes, shares.responses.successes)


def test_zeros_and_ones_beside_several_trials_must_be_explained():
    with pytest.raises(DataError, match="values='successes' or 'score'"):
        table_from_matrix(np.eye(3), trials=10)
    counts = table_from_matrix(np.eye(3), trials=10, values="successes")
    shares = table_from_matrix(np.eye(3), trials=10, values="score")
    assert np.sum(counts.responses.successes) == 3
    assert np.sum(shares.responses.successes) == 30


def test_rounded_thirds_become_whole_counts_with_a_note():
    array = np.array([[0.333, 0.667], [1.0, 0.25]])
    table = table_from_matrix(array, trials=np.array([[3.0, 3.0], [3.0, 10.0]]))
    np.testing.assert_array_equal(table.responses.successes, [[1, 2], [3, 2.5]])
    assert any("0.333 of 3 trials is 1 (and 1 more)" in note for note in table.notes)
    assert any("0.25 of 10 trials is not a whole" in note for note in table.notes)


def test_trials_by_system_for_the_mixed_matrix(shared):
    path = shared / "data" / "matrices" / "cruxeval_input_labels.csv"
    options = {"systems_in": "columns", "score_is": "failure"}
    score = np.asarray(read_table(path, **options).responses.score)
    ids = read_table(path, **options).system_ids
    thirds = np.any(np.isclose(score, 0.333) | np.isclose(score, 0.667), axis=1)
    trials = {name: 3 if third else 10 for name, third in zip(ids, thirds, strict=True)}
    table = read_table(path, trials=trials, **options)
    assert 0 < thirds.sum() < len(ids)
    assert table.trials_from == "declared for each system"
    successes = np.asarray(table.responses.successes)
    broken = successes != np.round(successes)
    # Two of the systems with three samples have cells of 0.5: two samples, not three.
    assert np.all(score[broken] == 0.5)
    assert np.count_nonzero(broken.any(axis=1)) == 2
    assert any("0.5 of 3 trials is not a whole number" in note for note in table.notes)


def test_fractions_without_trials_stay_scores():
    table = table_from_matrix(np.array([[0.2, 1.0], [np.nan, 0.7]]))
    assert isinstance(table.responses, ScoreResponses)
    assert table.trials_from == "unknown"
    assert table.responses.weight.tolist() == [[1, 1], [0, 1]]
    assert any("Pass trials=" in note for note in table.notes)


def test_percentages_are_divided_when_said():
    table = table_from_matrix(np.array([[20.0, 100.0], [70.0, 0.0]]), out_of=100)
    np.testing.assert_allclose(table.responses.score, [[0.2, 1.0], [0.7, 0.0]])


def test_ordered_categories(shared):
    path = shared / "data" / "classic" / "Science.csv"
    table = read_table(path, categories=(1, 2, 3, 4))
    assert isinstance(table.responses, CategoricalResponses)
    values = pd.read_csv(path, index_col=0).to_numpy()
    np.testing.assert_array_equal(
        np.argmax(table.responses.counts, axis=-1), values - 1
    )
    turned = read_table(path, categories=(1, 2, 3, 4), score_is="failure")
    np.testing.assert_array_equal(
        turned.responses.counts, table.responses.counts[..., ::-1]
    )
    with pytest.raises(DataError, match=r"4 is none of the categories 0, 1, 2, 3"):
        read_table(path, categories=4)


def test_failure_scores_are_turned_round():
    frame = _frame(score=[1, 0, 0, 0.25])
    table = table_from_frame(frame, score_is="failure")
    np.testing.assert_array_equal(table.responses.score, [[0, 1], [1, 0.75]])
    counts = table_from_frame(
        _frame(k=[1, 0, 3, 2], n=[4, 4, 4, 4]), score_is="failure"
    )
    np.testing.assert_array_equal(counts.responses.successes, [[3, 4], [1, 2]])


def test_long_storage_on_request_and_for_large_sparse_tables(monkeypatch):
    frame = _frame(score=[1, 0, 0, 1])
    table = table_from_frame(frame, storage="long")
    assert isinstance(table.responses, LongResponses)
    dense = table_from_frame(frame).responses
    np.testing.assert_array_equal(table.responses.dense().successes, dense.successes)
    with pytest.raises(DataError, match="Pass trials="):
        table_from_frame(_frame(score=[1, 0, 0, 0.5]), storage="long")
    rng = np.random.default_rng(0)
    system, item = np.repeat(np.arange(1000), 5), rng.integers(0, 200, 5000)
    sparse = pd.DataFrame({"model": system, "item": item, "score": item % 2})
    sparse = sparse.drop_duplicates(["model", "item"])
    assert not isinstance(table_from_frame(sparse).responses, LongResponses)
    monkeypatch.setattr("irtjax.data._merge.DENSE_CELLS", 100_000)
    long = table_from_frame(sparse)
    assert isinstance(long.responses, LongResponses)
    assert long.n_observed() == len(sparse)
    np.testing.assert_allclose(
        long.plain_means(), table_from_frame(sparse, storage="dense").plain_means()
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"trials": 0}, "`trials` must be a positive number, got 0"),
        ({"out_of": 0}, "`out_of` must be a positive number"),
        ({"categories": 1}, "`categories` must name two or more"),
        ({"categories": 3, "trials": 2}, "`categories` or `trials`, not both"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(ValueError, match=message):
        table_from_matrix(np.eye(2), **options)
