"""What the bar on the robotics leaderboard takes as falling short."""

import copy

import pytest

from experiments.bars import issue3_bar4
from experiments.bars._report_tables import Said, read_page
from irtjax.ranking import rank_table
from irtjax.report import ranking_page, ranking_record
from tests.ranking.tables import draw, labelled


@pytest.fixture(scope="module")
def made():
    """A small table, its ranking as data, and its page."""
    responses = draw(0, n_system=14, n_item=9, trials=2, sparsity=0.65)
    table = labelled(responses)
    ranking = rank_table(table)
    return ranking_record(ranking, table), ranking_page(ranking, table)


def verdict(monkeypatch, record, text, seconds=1.0, said="all well"):
    monkeypatch.setattr(issue3_bar4, "SHAPE", (14, 9))
    return issue3_bar4.judge(seconds, record, read_page(text), said)


def test_a_good_page_passes(monkeypatch, made):
    found = verdict(monkeypatch, *made)
    assert found["measured"]["problems"] == []
    assert found["passed"]
    assert found["measured"]["barely_measured"] > 0
    assert found["measured"]["moves"] > 0


def test_what_falls_short_is_named(monkeypatch, made):
    record, text = made

    def problems(changed=record, page=text, **more):
        found = verdict(monkeypatch, changed, page, **more)
        assert not found["passed"]
        return " ".join(found["measured"]["problems"])

    assert "took too long" in problems(seconds=61.0)
    assert "warned: x.py:3: UserWarning" in problems(said="x.py:3: UserWarning: odd")
    assert "marked in the page" in problems(page=text.replace("barely measured", "few"))
    assert "the page says 'NaN'" in problems(page=text.replace("In short", "NaN"))
    start = text.index('<table id="moves"')
    cut = text[:start] + text[start:].replace(
        "<tbody>", "<tbody hidden><!--", 1
    ).replace("</tbody>", "--></tbody>", 1)
    assert "has no row of moves" in problems(page=cut)
    worse = copy.deepcopy(record)
    worse["systems"][0]["rank_upper"] = 99
    worse["systems"][1]["p_best"] += 0.5
    assert "has the rank 1" in problems(worse)
    assert "add up to 1.5" in problems(worse)


def test_a_page_is_read_table_by_table():
    page = read_page(
        "<style>nan</style><p>Hello</p><table id='a'><tr><th>x</th><td> 1 </td></tr>"
        "</table><svg>none</svg>"
    )
    assert page == Said({"a": [["x", "1"]]}, "Hello x 1")
