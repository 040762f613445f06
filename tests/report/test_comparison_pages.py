"""Comparisons and scores as pages, lines, sentences and data."""

import dataclasses
import io
import json

import jax.numpy as jnp
import numpy as np
import pytest
from rich.console import Console

from irtjax.data import BinomialResponses
from irtjax.irt import EAP, calibrate, score_table
from irtjax.irt.models import TwoPL
from irtjax.ranking import compare_systems, compare_tables
from irtjax.report import (
    ScoredSystems,
    drawn,
    json_value,
    pair_lines,
    pair_page,
    pair_record,
    pair_remarks,
    pair_table,
    score_lines,
    score_page,
    score_record,
    score_remarks,
    scored_systems,
    scored_table,
    separated,
    snapshot_lines,
    snapshot_page,
    snapshot_record,
    snapshot_remarks,
    snapshot_table,
)
from tests.ranking.tables import draw, labelled
from tests.report.test_page import Outline


def words(text):
    return " ".join("".join(Outline(text).text).split())


@pytest.fixture(scope="module")
def table():
    return labelled(draw(0, n_system=6, n_item=10, trials=1, sparsity=0.2))


@pytest.fixture(scope="module")
def pair(table):
    return compare_systems(table, "s5", "s0")


def test_a_pair(pair):
    said = words(pair_page(pair))
    for needed in ("s5 against s0", "McNemar", "s5 less s0", *pair.remarks):
        assert needed in said, needed
    assert said.count("nan") == 0
    assert pair_lines(pair).count("\n") == 3
    assert "s5 is the better one with probability" in " ".join(pair_remarks(pair))
    assert json.loads(json.dumps(pair_record(pair), allow_nan=False))["first"] == "s5"


def test_no_chance_reads_as_a_certainty(pair):
    for chance, said in ((1.0, "above 0.999"), (0.0, "below 0.001"), (0.25, "0.250")):
        remarks = pair_remarks(dataclasses.replace(pair, p_beats=chance))
        assert any(each.endswith(f"probability {said}.") for each in remarks)


def test_a_pair_that_shares_nothing(table):
    keep = np.ones((6, 10), bool)
    keep[0, 5:] = keep[1:, :5] = False
    parts = dataclasses.replace(
        table, responses=table.responses.hide(jnp.asarray(keep))
    )
    found = compare_systems(parts, "s0", "s1")
    said = words(pair_page(found))
    assert "not comparable on these data" in said
    assert "nan" not in said.lower().replace("cannot", "")
    assert "nan" not in pair_lines(found)
    assert pair_record(found)["score_difference"] is None


def test_snapshots(table):
    answers = np.array(table.responses.successes)
    answers[5] = 0
    trials = table.responses.trials
    new = dataclasses.replace(
        table, responses=BinomialResponses(jnp.asarray(answers), trials)
    )
    found = compare_tables(table, new)
    said = words(snapshot_page(found))
    assert "s5 moved by −" in said
    assert "taken as measured anew" in said
    assert snapshot_table(found).rows[0][:2] == ("s5", "yes")
    assert snapshot_lines(found).splitlines()[1].startswith("s5\t")
    assert any("s5 moved by" in each for each in snapshot_remarks(found))
    record = json.loads(json.dumps(snapshot_record(found), allow_nan=False))
    assert record["systems"][0]["moved"] is True
    assert record["cells_changed"][0]["system"] == "s5"
    assert "Every cell that both snapshots hold" in words(
        snapshot_page(compare_tables(table, table))
    )


def test_scores(table):
    bank = calibrate(TwoPL(), table)
    scores = score_table(bank, table, EAP(), with_item_errors=True)
    found = scored_systems(scores, table)
    assert isinstance(found, ScoredSystems)
    assert (np.diff(found.ability) <= 0).all()
    assert score_lines(found).count("\n") == 7
    remarks = score_remarks(found, bank, ("x", "y"))
    assert "2 items are not in the bank and were left out: x, y." in remarks[1]
    text = words(score_page(found, table, bank, ("x",), scorer="eap", level=0.95))
    assert "6 systems on the bank's scale" in text
    record = score_record(found, table, "eap", 0.95)
    assert len(json.loads(json.dumps(record, allow_nan=False))["systems"]) == 6
    with pytest.raises(ValueError, match="level"):
        scored_systems(scores, table, level=0)


def test_tables_fit_a_terminal(table, pair):
    changed = compare_tables(table, table, ranker="average")
    bank = calibrate(TwoPL(), table)
    found = scored_systems(score_table(bank, table, EAP()), table)
    for made in (pair_table(pair), snapshot_table(changed), scored_table(found)):
        console = Console(file=io.StringIO(), width=60)
        console.print(drawn(made, width=60))
        lines = console.file.getvalue().splitlines()
        assert max(map(len, lines)) <= 60
        assert str(made.rows[0][0]) in console.file.getvalue()


def test_lines_leave_out_what_is_not_known():
    assert separated(
        ("a", "b", "c"), [(1.5, float("nan"), np.True_), ("x", None, 2)]
    ) == ("a\tb\tc\n1.5\t\tyes\nx\t\t2\n")


def test_values_that_json_has_no_kind_for():
    found = json_value({"a": (np.float64("inf"), np.int64(3), [float("nan")]), 2: None})
    assert found == {"a": [None, 3, [None]], "2": None}
    assert json_value(np.datetime64("2020-01-01")) == "2020-01-01"
