"""What users of other tools complain of in reading, each with its right answer.

Each complaint goes through every door: files, data frames, arrays and the results of
evaluation tools. The numbers are those of the list of public complaints; what is about
fitting is tested in `tests/irt`, what is about means' errors and orders in
`tests/ranking`.
"""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from irtjax.data import (
    BinomialResponses,
    DataError,
    LongResponses,
    ScoreResponses,
    design_graph,
    read_table,
    table_from_frame,
    table_from_matrix,
)
from irtjax.data.formats import read_results

from .formats.written import harness, helm_run, sample, stat

SYSTEMS, ITEMS = ("007", 'é, "x"', " b "), ("q1", "NA", "0.50", "q 4")


def rows_of(values, systems=SYSTEMS, items=ITEMS):
    """One row a cell; NaN becomes None."""
    return [
        {"model": s, "item": i, "score": None if np.isnan(v) else float(v)}
        for s, line in zip(systems, values, strict=True)
        for i, v in zip(items, line, strict=True)
    ]


def _csv(values, folder, **options):
    pl.DataFrame(rows_of(values)).write_csv(folder / "a.csv")
    return read_table(folder / "a.csv", **options)


def _wide_csv(values, folder, **options):
    frame = pl.DataFrame(rows_of(values)).pivot("item", index="model", values="score")
    frame.write_csv(folder / "wide.csv")
    return read_table(folder / "wide.csv", **options)


def _jsonl(values, folder, **options):
    text = "\n".join(json.dumps(row) for row in rows_of(values))
    (folder / "a.jsonl").write_text(text)
    return read_table(folder / "a.jsonl", **options)


def _nested(values, folder, **options):
    lines = [
        {"subject_id": s, "responses": dict(zip(ITEMS, map(_plain, v), strict=True))}
        for s, v in zip(SYSTEMS, values, strict=True)
    ]
    (folder / "n.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return read_table(folder / "n.jsonl", **options)


def _parquet(values, folder, **options):
    pl.DataFrame(rows_of(values)).write_parquet(folder / "a.parquet")
    return read_table(folder / "a.parquet", **options)


def _pandas(values, folder, **options):
    return table_from_frame(pd.DataFrame(rows_of(values)), **options)


def _polars(values, folder, **options):
    return table_from_frame(pl.DataFrame(rows_of(values)), **options)


def _pyarrow(values, folder, **options):
    return table_from_frame(pa.Table.from_pylist(rows_of(values)), **options)


def _matrix(values, folder, **options):
    return table_from_matrix(np.array(values, float), SYSTEMS, ITEMS, **options)


def _harness(values, folder, **options):
    for system, line in zip(SYSTEMS, values, strict=True):
        rows = [sample(i, acc=_plain(v)) for i, v in zip(ITEMS, line, strict=True)]
        harness(folder / "h", system, "t", rows)
    return read_results(folder / "h", **options)


def _helm(values, folder, **options):
    for system, line in zip(SYSTEMS, values, strict=True):
        entries = [
            (item, 0, [stat("acc", _plain(v))], None)
            for item, v in zip(ITEMS, line, strict=True)
        ]
        helm_run(folder / "r", system, "s:k=1", entries)
    return read_results(folder / "r", **{"metric": "acc"} | options)


def _plain(value):
    return None if np.isnan(value) else float(value)


TABLES = {
    "csv": _csv,
    "wide csv": _wide_csv,
    "jsonl": _jsonl,
    "nested jsonl": _nested,
    "parquet": _parquet,
    "pandas": _pandas,
    "polars": _polars,
    "pyarrow": _pyarrow,
    "matrix": _matrix,
}
DOORS = {**TABLES, "lm_eval": _harness, "helm": _helm}
every_door = pytest.mark.parametrize("door", DOORS)
every_table = pytest.mark.parametrize("door", TABLES)

BINARY = np.array([[1, 0, 1, 1], [0, 0, 1, 0], [1, 1, 0, 1]], float)


def in_order(table, values):
    """The values of a table in the order of `SYSTEMS` and `ITEMS`."""
    systems = [table.system_ids.index(s) for s in SYSTEMS]
    ends = [str(each).split("/", 1)[-1] for each in table.item_ids]
    items = [ends.index(i) for i in ITEMS]
    return np.asarray(values)[np.ix_(systems, items)]


def test_complaint_9_integer_and_other_ids_come_back_as_they_were():
    rows = [
        {"subject_id": s, "item": i, "score": 1} for s in (7, -3) for i in (2**40, 0)
    ]
    for frame in (pd.DataFrame(rows), pl.DataFrame(rows), pa.Table.from_pylist(rows)):
        table = table_from_frame(frame)
        assert table.system_ids == (7, -3)
        assert table.item_ids == (2**40, 0)
        assert {type(each) for each in table.system_ids} == {int}
    days = pd.to_datetime(["2025-01-01", "2025-01-02"])
    ids = [("gpt", 1), ("gpt", 2)]
    table = table_from_matrix(np.eye(2), ids, list(days))
    assert table.system_ids == tuple(ids)
    assert table.item_ids == tuple(days)


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "matrix"])
def test_complaint_10_input_is_not_modified_and_two_calls_agree(kind):
    rows = rows_of(BINARY)
    make = {
        "pandas": pd.DataFrame,
        "polars": pl.DataFrame,
        "pyarrow": pa.Table.from_pylist,
        "matrix": lambda _: np.where(BINARY == 0, -1, BINARY),
    }[kind]
    given, before = make(rows), make(rows)
    options = {"missing": -1} if kind == "matrix" else {}
    read = table_from_matrix if kind == "matrix" else table_from_frame
    one, two = read(given, **options), read(given, **options)
    same = np.array_equal if kind == "matrix" else lambda a, b: a.equals(b)
    assert same(given, before)
    assert one.system_ids == two.system_ids
    assert one.notes == two.notes
    np.testing.assert_array_equal(one.responses.successes, two.responses.successes)


@every_door
def test_complaint_11_missing_is_missing_and_minus_one_never_an_answer(door, tmp_path):
    holed = BINARY.copy()
    holed[0, 1] = holed[2, 3] = np.nan
    table = DOORS[door](holed, tmp_path)
    trials = in_order(table, table.responses.trials)
    np.testing.assert_array_equal(trials, np.isfinite(holed))

    marked = np.where(np.isnan(holed), -1, holed)
    with pytest.raises(DataError, match=r"-1 is negative.*pass missing=-1"):
        DOORS[door](marked, tmp_path)
    table = DOORS[door](marked, tmp_path, missing=-1)
    trials = in_order(table, table.responses.trials)
    np.testing.assert_array_equal(trials, np.isfinite(holed))


@every_door
def test_complaint_12_scores_in_between_stay_what_they_are(door, tmp_path):
    values = 0.7 * BINARY
    values[1, 2] = 0.5
    table = DOORS[door](values, tmp_path)
    assert isinstance(table.responses, ScoreResponses)
    np.testing.assert_array_equal(in_order(table, table.responses.score), values)
    assert table.trials_from == "unknown"
    assert any("fractions" in note for note in table.notes)


@every_table
def test_complaint_13_counts_out_of_trials_are_said_to_be_that(door, tmp_path):
    counts = np.array([[10, 0, 3, 4], [2, 2, 10, 0], [7, 1, 0, 5]], float)
    with pytest.raises(DataError, match=r"the score \d+ is above 1.*pass trials="):
        DOORS[door](counts, tmp_path)
    table = DOORS[door](counts, tmp_path, trials=10)
    assert isinstance(table.responses, BinomialResponses)
    np.testing.assert_array_equal(in_order(table, table.responses.successes), counts)
    np.testing.assert_array_equal(table.responses.trials, np.full((3, 4), 10))


def test_complaint_13_counts_equal_the_trials_one_by_one(tmp_path):
    """With another number of trials in every cell, through files and tools."""
    rng = np.random.default_rng(0)
    trials = rng.choice([1, 2, 3, 10], size=(3, 4))
    counts = rng.binomial(trials, 0.6)
    table = [
        {"model": s, "item": i, "passes": int(k), "trials": int(n)}
        for s, ks, ns in zip(SYSTEMS, counts, trials, strict=True)
        for i, k, n in zip(ITEMS, ks, ns, strict=True)
    ]
    pl.DataFrame(table).write_csv(tmp_path / "counts.csv")
    apiece = [
        {"model": row["model"], "item": row["item"], "score": int(t < row["passes"])}
        for row in table
        for t in range(row["trials"])
    ]
    pl.DataFrame(apiece).write_csv(tmp_path / "apiece.csv")
    for s in SYSTEMS:
        entries = [
            (row["item"], t, [stat("acc", float(t < row["passes"]))], None)
            for row in table
            if row["model"] == s
            for t in range(row["trials"])
        ]
        helm_run(tmp_path / "helm", s, "s:k=1", entries)
    for read in (
        read_table(tmp_path / "counts.csv"),
        read_table(tmp_path / "apiece.csv", duplicates="sum"),
        read_results(tmp_path / "helm", metric="acc"),
    ):
        np.testing.assert_array_equal(in_order(read, read.responses.trials), trials)
        np.testing.assert_array_equal(in_order(read, read.responses.successes), counts)


@pytest.mark.parametrize("door", ["csv", "jsonl", "parquet", "pandas", "lm_eval"])
def test_complaint_14_contradicting_repeats_are_refused(door, tmp_path):
    rows = rows_of(BINARY)
    rows.append(rows[0] | {"score": 1 - rows[0]["score"]})

    def read(**options):
        if door == "lm_eval":
            for system in SYSTEMS:
                own = [row for row in rows if row["model"] == system]
                made = [sample(row["item"], acc=row["score"]) for row in own]
                harness(tmp_path / "h", system, "t", made)
            return read_results(tmp_path / "h", **options)
        frame, path = pl.DataFrame(rows), tmp_path / f"a.{door}"
        if door == "pandas":
            return table_from_frame(pd.DataFrame(rows), **options)
        write = {
            "csv": "write_csv",
            "jsonl": "write_ndjson",
            "parquet": "write_parquet",
        }
        getattr(frame, write[door])(path)
        return read_table(path, **options)

    with pytest.raises(DataError, match=r"already has a result on item.*duplicates='"):
        read()
    for duplicates, successes, trials in (
        ("sum", 1, 2),
        ("first", 1, 1),
        ("last", 0, 1),
    ):
        table = read(duplicates=duplicates)
        assert in_order(table, table.responses.successes)[0, 0] == successes
        assert in_order(table, table.responses.trials)[0, 0] == trials
    assert in_order(table, read(duplicates="mean").responses.mean_score())[0, 0] == 0.5


@every_door
def test_complaint_15_who_has_no_data_stays_and_is_counted(door, tmp_path):
    values = BINARY.copy()
    values[1] = np.nan
    values[:, 2] = np.nan
    table = DOORS[door](values, tmp_path)
    assert table.responses.shape == (3, 4)
    assert in_order(table, table.responses.trials)[1].tolist() == [0] * 4
    means = table.plain_means()
    assert np.isnan(means[table.system_ids.index(SYSTEMS[1])])
    assert "1 system has no data." in table.describe()


@every_door
def test_complaint_16_names_come_back_as_given(door, tmp_path):
    table = DOORS[door](BINARY, tmp_path)
    assert set(table.system_ids) == set(SYSTEMS)
    prefix = {"lm_eval": "t/", "helm": "s:k=1/"}.get(door, "")
    assert set(table.item_ids) == {prefix + item for item in ITEMS}


def test_complaint_16_names_that_stand_twice_are_refused(tmp_path):
    (tmp_path / "a.csv").write_text("model,q,q\na,1,0\nb,0,1\n")
    with pytest.raises(DataError, match="the name 'q' stands over columns 2 and 3"):
        read_table(tmp_path / "a.csv")
    with pytest.raises(DataError, match="item identifier 'q' stands twice"):
        table_from_matrix(np.eye(2), ["a", "b"], ["q", "q"])
    frame = pd.DataFrame([["a", 1, 0], ["b", 0, 1]], columns=["model", "q", "q"])
    with pytest.raises(DataError, match="the name 'q' stands over"):
        table_from_frame(frame)
    unnamed = table_from_matrix(np.eye(2))
    assert unnamed.system_ids == unnamed.item_ids == (0, 1)


def test_complaint_18_few_answers_each_need_no_full_table(tmp_path, monkeypatch):
    """1,000 x 200 with five answers each, in two blocks that share nothing."""
    rng = np.random.default_rng(0)
    half = np.arange(1000) % 2
    item = np.argsort(rng.random((1000, 100)), axis=1)[:, :5] + 100 * half[:, None]
    frame = pl.DataFrame(
        {
            "system": np.repeat(np.arange(1000), 5),
            "item": item.ravel(),
            "score": rng.integers(0, 2, 5000),
        }
    )
    frame.write_parquet(tmp_path / "a.parquet")
    monkeypatch.setattr("irtjax.data._merge.DENSE_CELLS", 100_000)
    table = read_table(tmp_path / "a.parquet")
    assert isinstance(table.responses, LongResponses)
    assert table.n_observed() == 5000
    groups = design_graph(table.responses).groups()
    assert sorted(map(len, groups)) == [500, 500]
