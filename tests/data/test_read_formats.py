"""Every reader gives the same table, ids exactly as given and missing as missing."""

import gzip
import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irtjax.data import DataError, read_table, table_from_frame, table_from_matrix

SYSTEMS = ("007", 'a,"b" c', "ünï, ☃", " x ")
ITEMS = ("NA", "q 1", "0.5")
SCORES = [[1, 0, None], [0, 1, 1], [None, None, 1], [1, 1, 0]]


def _rows():
    return [
        {"model": system, "item": item, "score": SCORES[j][i]}
        for j, system in enumerate(SYSTEMS)
        for i, item in enumerate(ITEMS)
    ]


def _csv(path):
    pl.DataFrame(_rows()).write_csv(path)
    return read_table(path)


def _csv_gz(path):
    text = pl.DataFrame(_rows()).write_csv()
    path.write_bytes(gzip.compress(text.encode()))
    return read_table(path)


def _tsv(path):
    pl.DataFrame(_rows()).write_csv(path, separator="\t")
    return read_table(path)


def _wide_csv(path):
    pl.DataFrame(_rows()).pivot("item", index="model", values="score").write_csv(path)
    return read_table(path)


def _turned_csv(path):
    pl.DataFrame(_rows()).pivot("model", index="item", values="score").write_csv(path)
    return read_table(path)


def _jsonl(path):
    path.write_text("\n".join(json.dumps(row) for row in _rows()) + "\n\n")
    return read_table(path)


def _nested_jsonl(path):
    rows = [
        {"subject_id": system, "responses": dict(zip(ITEMS, SCORES[j], strict=True))}
        for j, system in enumerate(SYSTEMS)
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    return read_table(path)


def _parquet(path):
    pl.DataFrame(_rows()).write_parquet(path)
    return read_table(path)


def _polars(path):
    return table_from_frame(pl.DataFrame(_rows()))


def _pandas(path):
    return table_from_frame(pd.DataFrame(_rows()))


def _pandas_index(path):
    return table_from_frame(pd.DataFrame(_rows()).set_index(["model", "item"]))


def _pandas_wide(path):
    frame = pd.DataFrame(_rows()).pivot(index="model", columns="item", values="score")
    return table_from_frame(frame.loc[list(SYSTEMS), list(ITEMS)])


def _pyarrow(path):
    return table_from_frame(pa.Table.from_pylist(_rows()))


def _numpy(path):
    return table_from_matrix(np.array(SCORES, float), SYSTEMS, ITEMS)


READERS = {
    "long.csv": _csv,
    "long.csv.gz": _csv_gz,
    "long.tsv": _tsv,
    "wide.csv": _wide_csv,
    "turned.csv": _turned_csv,
    "long.jsonl": _jsonl,
    "nested.jsonl": _nested_jsonl,
    "long.parquet": _parquet,
    "polars": _polars,
    "pandas": _pandas,
    "pandas index": _pandas_index,
    "pandas wide": _pandas_wide,
    "pyarrow": _pyarrow,
    "numpy": _numpy,
}


@pytest.mark.parametrize("name", READERS)
def test_every_reader_gives_the_same_table(name, tmp_path):
    table = READERS[name](tmp_path / name)
    assert table.system_ids == SYSTEMS
    assert table.item_ids == ITEMS
    expected = np.array(SCORES, float)
    np.testing.assert_array_equal(table.responses.trials, ~np.isnan(expected))
    np.testing.assert_array_equal(table.responses.successes, np.nan_to_num(expected))
    assert table.trials_from == "binary scores"


MISSING = [
    ("a.csv", "model,q,r\na,1,\nb,0,1\n"),
    ("a.csv", 'model,q,r\na,1,""\nb,0,1\n'),
    ("a.csv", "model,q,r\na,1,NA\nb,0,1\n"),
    ("a.csv", "model,q,r\na,1,NaN\nb,0,1\n"),
    ("a.csv", "model,q,r\na,1\nb,0,1\n"),
    ("a.jsonl", '{"model":"a","q":1,"r":null}\n{"model":"b","q":0,"r":1}'),
    ("a.jsonl", '{"model":"a","q":1,"r":NaN}\n{"model":"b","q":0,"r":1}'),
    ("a.jsonl", '{"model":"a","q":1}\n{"model":"b","q":0,"r":1}'),
    ("a.jsonl", '{"model":"a","q":true,"r":""}\n{"model":"b","q":false,"r":true}'),
]


@pytest.mark.parametrize(("name", "text"), MISSING)
def test_null_nan_and_empty_are_missing(name, text, tmp_path):
    (tmp_path / name).write_text(text)
    table = read_table(tmp_path / name)
    assert table.responses.trials.tolist() == [[1, 0], [1, 1]]
    assert table.responses.successes.tolist() == [[1, 0], [0, 1]]


def test_a_declared_missing_code():
    array = np.array([[1.0, -1.0], [0.0, 1.0]])
    table = table_from_matrix(array, missing=-1)
    assert table.responses.trials.tolist() == [[1, 0], [1, 1]]


def test_integer_ids_come_back_as_integers(tmp_path):
    path = tmp_path / "a.jsonl"
    rows = [{"subject_id": s, "item": i, "score": 1} for s in (7, 12) for i in (3, 1)]
    path.write_text("\n".join(map(json.dumps, rows)))
    for table in (read_table(path), table_from_frame(pd.DataFrame(rows))):
        assert table.system_ids == (7, 12)
        assert table.item_ids == (3, 1)
        assert all(type(each) is int for each in table.system_ids + table.item_ids)


def test_text_and_integer_ids_stay_apart_in_json_lines(tmp_path):
    path = tmp_path / "a.jsonl"
    rows = [{"model": s, "item": i, "score": 1} for s in (7, "7") for i in "ab"]
    path.write_text("\n".join(map(json.dumps, rows)))
    assert read_table(path).system_ids == (7, "7")


def test_integer_column_labels_are_ids():
    frame = pd.DataFrame([["a", 1, 0], ["b", 0, 1]], columns=["model", 10, 20])
    assert table_from_frame(frame).item_ids == (10, 20)


def test_a_filtered_pandas_frame_keeps_no_row_numbers():
    frame = pd.DataFrame(_rows()).dropna()
    assert table_from_frame(frame).n_observed() == len(frame)


def test_the_callers_frame_is_never_changed():
    frame = pd.DataFrame(_rows())
    before = frame.copy(deep=True)
    first = table_from_frame(frame, score_is="failure")
    second = table_from_frame(frame, score_is="failure")
    pd.testing.assert_frame_equal(frame, before)
    np.testing.assert_array_equal(first.responses.successes, second.responses.successes)
    assert first.notes == second.notes
    array = np.array([[1.0, -1.0], [0.0, 1.0]])
    kept = array.copy()
    table_from_matrix(array, missing=-1, score_is="failure")
    np.testing.assert_array_equal(array, kept)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_numeric_columns_of_every_library_are_not_changed(make):
    columns = {"model": ["a", "b"], "q": [1.0, -1.0], "r": [0.0, 1.0]}
    frame = make(columns)
    table = table_from_frame(frame, missing=-1)
    assert table.responses.trials.tolist() == [[1, 1], [0, 1]]
    again = frame["q"].to_pylist() if make is pa.table else frame["q"].to_list()
    assert again == columns["q"]


# Everything that UTF-8 can hold; a lone carriage return ends a line in some readers.
_character = st.characters(codec="utf-8", exclude_characters="\r\0")
_ids = st.lists(
    st.text(_character, min_size=1, max_size=8), min_size=2, max_size=5, unique=True
)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(systems=_ids, items=_ids, data=st.data())
@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_what_is_written_is_what_is_read(kind, systems, items, data, tmp_path):
    scores = data.draw(
        st.lists(
            st.sampled_from([0.0, 1.0, 0.25, None]),
            min_size=len(systems) * len(items),
            max_size=len(systems) * len(items),
        ).filter(lambda scores: any(score is not None for score in scores))
    )
    pairs = [(system, item) for system in systems for item in items]
    frame = pl.DataFrame(
        {
            "system": [system for system, _ in pairs],
            "item": [item for _, item in pairs],
            "score": pl.Series(scores, dtype=pl.Float64),
        }
    )
    path = tmp_path / f"a.{kind}"
    write = {"csv": "write_csv", "jsonl": "write_ndjson", "parquet": "write_parquet"}
    getattr(frame, write[kind])(path)
    table = read_table(path)
    assert table.system_ids == tuple(systems)
    assert table.item_ids == tuple(items)
    expected = np.array([math.nan if each is None else each for each in scores])
    expected = expected.reshape(len(systems), len(items))
    np.testing.assert_array_equal(table.responses.observed(), ~np.isnan(expected))
    np.testing.assert_array_equal(table.responses.mean_score(), np.nan_to_num(expected))


def test_a_million_rows_in_seconds(tmp_path):
    n = 1_000_000
    rng = np.random.default_rng(0)
    cell = rng.permutation(2000 * 1000)[:n]
    frame = pl.DataFrame(
        {
            "model": pl.Series(cell // 1000).cast(pl.String),
            "item": pl.Series(cell % 1000).cast(pl.String),
            "score": rng.integers(0, 2, n),
        }
    )
    frame.write_csv(tmp_path / "a.csv")
    table = read_table(tmp_path / "a.csv")
    assert table.responses.shape == (2000, 1000)
    assert table.n_observed() == n
    assert np.sum(table.responses.successes) == frame["score"].sum()


FAULTS = [
    ("a.csv", b"", "a.csv: the file is empty"),
    ("a.csv", b"model,q\n", "a.csv: there are no data rows"),
    ("a.csv", b"model;q\na;1\n", "one single column .* separated by commas"),
    ("a.csv", b"model,q,r\na,1,0\nb,1,0,1\n", "line 3 has 4 columns where .* has 3"),
    ("a.csv", b"model,q\na,1\nb\xff,1\n", "line 3 is not UTF-8"),
    ("a.csv", b"model,q,q\na,1,0\n", "'q' stands over columns 2 and 3"),
    ("a.jsonl", b"", "a.jsonl: there are no data rows"),
    ("a.jsonl", b'{"model": "a"}\n\n{"model": \n', "a.jsonl, line 3: not valid JSON"),
    ("a.jsonl", b'{"model": "a"}\n[1]\n', "line 2: each line must be one JSON object"),
    ("a.jsonl", b'{"model": "a"}\n{"model": "b\xff"}\n', "line 2 is not UTF-8"),
    ("a.jsonl", b'{"a": 1}\n{"a": 1, "a": 0}\n', "line 2: the key 'a' stands twice"),
    ("a.jsonl", b'{"a": {"b": 1, "b": 0}}\n', "line 1: the key 'b' stands twice"),
    ("a.jsonl", b'{"a": 1}\n{"a": "\\ud800"}\n', "line 2: .*only in pairs"),
    ("a.jsonl", b'{"a": 1}\n' + b"[" * 100_000, "line 2: .*nested too deeply"),
    ("a.jsonl", b'{"a": 1' + b"0" * 5000 + b"}\n", "line 1: a number is too long"),
    (
        "a.jsonl",
        b'{"model": "a", "item": "q", "score": 1' + b"0" * 400 + b"}\n"
        b'{"model": "b", "item": "r", "score": 1}\n',
        "a.jsonl, row 1 .*column 'score': inf is not a finite number",
    ),
    ("a.csv", b'model,q\n"a,1\nb,1\n', "a.csv: a quote is opened and never closed"),
    ("a.csv.gz", b"model,q\na,1\n", "a.csv.gz: not a whole gzip file"),
    (
        "a.csv.gz",
        gzip.compress(b"model,q\na,1\n", mtime=0)[:-9],
        "a.csv.gz: not a whole gzip",
    ),
    ("a.xlsx", b"x", "kind of file is told by its extension, one of .csv"),
    ("a.parquet", b"not parquet", "a.parquet: not a Parquet file"),
]


@pytest.mark.parametrize(("name", "content", "message"), FAULTS)
def test_malformed_files_say_where(name, content, message, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=message):
        read_table(tmp_path / name)


def test_an_absent_file(tmp_path):
    with pytest.raises(DataError, match="there is no such file"):
        read_table(tmp_path / "absent.csv")


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(DataError, match="this is a folder; name one file"):
        read_table(tmp_path)


def test_duplicate_labels_of_a_frame_are_refused():
    frame = pd.DataFrame([["a", 1, 0]], columns=["model", "q", "q"])
    with pytest.raises(DataError, match="'q' stands over columns 2 and 3"):
        table_from_frame(frame)
