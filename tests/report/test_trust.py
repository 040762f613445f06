"""Whether a leaderboard can be trusted as blocks, a page, lines and data, by hand."""

import dataclasses
import json

import numpy as np
import pytest

from irtjax.active.cells import NextCells
from irtjax.ranking.trust import (
    Effect,
    Expected,
    Level,
    Missingness,
    SplitHalf,
    Trust,
    Verdict,
)
from irtjax.report import (
    Listing,
    Section,
    Text,
    drawn,
    ranking_page,
    trust_blocks,
    trust_figure,
    trust_lines,
    trust_page,
    trust_record,
    trust_remarks,
    trust_table,
    trust_verdict,
)

from ._example import NAN, ranking, table
from .test_page import Outline

FOUND = Trust(
    source="small.csv",
    n_system=5,
    n_item=4,
    sparsity=0.3,
    gap=3.25,
    dispersion=0.125,
    expected={
        "average": Expected(0.5, 0.25, 0.75, 0.4, 0.625, 0),
        "two_pl": Expected(0.875, 0.5, 1.0, 0.75, 0.125, 3),
        "one_pl": Expected(NAN, NAN, NAN, NAN, NAN, 50),
    },
    replicates=50,
    missing=Missingness(
        Effect(0.5, 0.25, 0.75, 0.996),
        Effect(-0.125, -0.5, 0.25, 0.375),
        Effect(0.0, 0.0, 0.0, 0.5),
    ),
    control=0.01,
    halves=SplitHalf(0.75, 0.875, 40),
    not_comparable=("Nothing links none with 007.",),
    verdict=Verdict(Level.fair, "two_pl", False, ("Because of `this`.", "And that.")),
    seed=3,
    notes=("A note.",),
)
CELLS = NextCells(
    source="small.csv",
    choice="expected_gain",
    system_ids=("<b> & [red]", 3),
    item_ids=("y", "w"),
    value=np.array([0.5, 0.25]),
    cost=np.ones(2),
    error=2.5,
    error_after=1.75,
    most_error=10.0,
    seed=3,
)


def words(text):
    return " ".join("".join(Outline(text).text).split())


def test_the_verdict_comes_first_with_its_reasons():
    verdict, reasons, *sections = trust_blocks(FOUND, CELLS)
    assert isinstance(verdict, Text)
    assert verdict.body.startswith("Verdict: fair")
    assert "`two_pl`" in verdict.body
    assert "not by the plain average" in verdict.body
    assert reasons == Listing(("Because of `this`.", "And that."))
    assert all(isinstance(each, Section) for each in sections)
    assert trust_verdict(FOUND)[0] == "A note."
    assert trust_verdict(FOUND)[2] == "- Because of `this`."


@pytest.mark.parametrize("level", Level)
def test_every_level_has_words(level):
    verdict = FOUND.verdict._replace(level=level)
    said = trust_verdict(dataclasses.replace(FOUND, verdict=verdict))[1]
    first = "not all systems" if level is Level.not_comparable else level.value
    assert said.startswith(f"Verdict: {first}")


def test_what_is_said_of_the_plain_average():
    def said(**changes):
        verdict = FOUND.verdict._replace(**changes)
        return trust_verdict(dataclasses.replace(FOUND, verdict=verdict))[1]

    assert "does about as well here" in said(average_safe=True)
    assert "each group by itself" in said(average_safe=None)
    assert "as well as any" in said(ranker="average", average_safe=True)


def test_rankers_come_best_first_and_one_that_failed_last():
    shown = trust_table(FOUND)
    assert [row[0] for row in shown.rows] == ["two_pl (use this)", "average", "one_pl"]
    assert shown.columns[-1].title == "failed"
    assert [row[-1] for row in shown.rows] == [3, 0, 50]
    lines = [line.split("\t") for line in trust_lines(FOUND).splitlines()]
    assert lines[0] == [
        *("ranker", "rho", "rho_lower", "rho_upper", "tau", "top1_miss", "failed"),
        "use",
    ]
    assert lines[1] == ["two_pl", "0.875", "0.5", "1", "0.75", "0.125", "3", "yes"]
    assert lines[3] == ["one_pl", "", "", "", "", "", "50", "no"]
    sound = {"average": FOUND.expected["average"]}
    kept = trust_table(dataclasses.replace(FOUND, expected=sound))
    assert [each.title for each in kept.columns][-1] == "first place wrong"
    assert drawn(shown, 0, 80).row_count == 3


def test_all_that_bears_on_trust_is_said():
    said = " ".join(trust_remarks(FOUND, CELLS))
    for needed in (
        "S = 0.30",
        "D = 3.2 logits",
        "Dispersion 0.125",
        "shares of 8 right or wrong",
        "Nothing links none with 007.",
        "+0.50 (+0.25 to +0.75), above 0 with chance 0.996",
        "stronger systems ran more items (rho): -0.12 (-0.50 to +0.25)",
        "p = 0.010",
        "in 75% of 40 splits",
        "88% of halves",
        "50 simulated tables, seed 3",
        "<b> & [red] on y (0.5), 3 on w (0.25)",
        "of 10: 2.5 now, 1.75",
    ):
        assert needed in said, needed


def test_nothing_missing_nothing_to_split_and_no_cell_to_run():
    bare = dataclasses.replace(
        FOUND,
        missing=None,
        dispersion=None,
        not_comparable=(),
        halves=SplitHalf(NAN, NAN, 0),
    )
    said = trust_remarks(bare, "every cell has a result.")
    assert "Missing cells: none." in said
    assert "Connectivity: all systems can be compared." in said
    assert any("cannot be split" in each for each in said)
    assert said[-1].endswith("every cell has a result.")
    assert "nan" not in " ".join(said)
    assert "every cell has a result." in words(
        trust_page(bare, "every cell has a result.", table())
    )


def test_the_page():
    text = trust_page(FOUND, CELLS, table())
    said = words(text)
    for needed in (
        "Can small.csv be trusted?",
        "Verdict: fair",
        "two_pl (use this)",
        "0.500 to 1.000",
        "<b> & [red]",
        "A note.",
        "stronger systems ran harder items",
        "seed 3",
    ):
        assert needed in said, needed
    assert "<b> &" not in text
    assert "nan" not in said


def test_the_section_of_a_ranking():
    said = words(ranking_page(ranking(), table(), trust=trust_blocks(FOUND, CELLS)))
    assert said.count("Verdict: fair") == 1
    assert "Can it be trusted?" in said
    assert "Can it be trusted?" not in words(ranking_page(ranking(), table()))


def test_the_figure_says_its_numbers_and_marks_the_ranker_to_use():
    figure = trust_figure(FOUND)
    assert "two_pl: rho 0.875, from 0.500 to 1.000." in figure.alt
    assert "one_pl" not in figure.alt
    assert figure.svg == trust_figure(FOUND).svg
    none = {"one_pl": FOUND.expected["one_pl"]}
    empty = dataclasses.replace(FOUND, expected=none)
    with pytest.raises(ValueError, match="nothing to draw"):
        trust_figure(empty)
    drawn_there = Outline(trust_page(empty, "no.", table())).all("figure")
    assert "expected-rho" not in {each["id"] for each in drawn_there}


def test_the_record_is_json():
    record = json.loads(
        json.dumps(trust_record(FOUND, CELLS, table()), allow_nan=False)
    )
    assert record["expected"]["two_pl"]["rho"] == 0.875
    assert record["expected"]["one_pl"]["rho"] is None
    assert record["verdict"]["level"] == "fair"
    assert record["missing"]["pairing"]["chance_positive"] == 0.996
    assert [each["system"] for each in record["next_cells"]["cells"]] == [
        "<b> & [red]",
        3,
    ]
    assert record["no_next_cells_because"] is None
    without = trust_record(FOUND, "no reason.", table())
    assert without["next_cells"] is None
    assert without["no_next_cells_because"] == "no reason."
