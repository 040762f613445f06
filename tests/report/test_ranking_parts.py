"""Parts of the ranking's page: moves with intervals, items, connections, citation."""

import dataclasses

import jax.numpy as jnp
import numpy as np
import pytest

from irtjax.data import design_graph
from irtjax.ranking import ItemScale
from irtjax.report import (
    Cell,
    Text,
    citation,
    connectivity,
    item_map,
    move_interval,
    move_table,
    ranking_page,
)
from tests.ranking.tables import binomial, draw, labelled
from tests.report._example import NAN, ranking, table


def items(**changes):
    found = ItemScale(
        ("w", "x", "y", "z"),
        np.array([-1.0, 0.5, 0.0, 2.0]),
        np.array([0.5, 0.25, 0.5, 0.75]),
        np.array([4, 4, 3, 3]),
    )
    return found._replace(**changes)


def said(blocks):
    return " ".join(
        getattr(each, "body", None)
        or " ".join(getattr(each, "entries", ()))
        or each.caption
        for each in blocks
    )


def test_every_move_has_an_interval_that_holds_it():
    found = move_table(ranking(), table())
    assert [row[0] for row in found.rows] == ["007", "<b> & [red]"]
    up, down = found.rows
    assert (up[3].text, up[4].text) == ("+1", "0 to +1")
    assert (down[3].text, down[4].text) == ("−1", "−3 to 0")
    # 007 ran every item; items w and x have mean 3/4, all four .542.
    assert (up[5].text, down[5].text) == ("as hard", "0.21 easier")
    assert down[-1] == "barely measured, all right"
    unknown = ranking(rank_lower=np.full(5, NAN))
    assert isinstance(move_interval(unknown, 0), Cell)
    assert move_interval(unknown, 0).text == "–"


def test_items_are_as_hard_as_the_model_says_where_it_says():
    found = move_table(ranking(items=items()), table())
    # Of difficulties -1 and 1/2 the mean is -1/4; of all four it is 3/8.
    assert found.rows[1][5].text == "0.62 easier"
    assert "logits" in found.columns[5].note


def test_the_item_map_says_what_it_shows():
    figure = item_map(ranking(items=items()))
    assert "Hardest, with 95% intervals: z 2.00 (0.53 to 3.47), x 0.50" in figure.alt
    assert "Easiest: w -1.00" in figure.alt
    assert figure.svg.index(">z<") < figure.svg.index(">w<")
    lonely = item_map(ranking(items=items(n_system=np.array([4, 4, 3, 0]))))
    assert ">z<" not in lonely.svg
    many = ItemScale(
        tuple(range(80)), np.linspace(-2, 2, 80), np.ones(80), np.ones(80, int)
    )
    assert "80 items, hardest on top" in item_map(ranking(items=many)).svg
    with pytest.raises(ValueError, match="no items on the scale"):
        item_map(ranking())


def test_connections_are_counted():
    trials = np.zeros((7, 7))
    trials[:3, :3] = trials[3:6, 3:6] = trials[6, 5] = 20
    apart = labelled(binomial(trials * 0.5, trials))
    assert "falls into 2 parts that share no item, with 4, 3 systems" in said(
        connectivity(apart)
    )
    assert "1 system is joined to the others by one cell alone" in said(
        connectivity(apart)
    )
    trials[0, 3] = 20
    thin = connectivity(labelled(binomial(trials * 0.5, trials)))
    assert "All systems with data hang together." in said(thin)
    assert "1 cell joins the two" in said(thin)
    assert "That is thin" in said(thin)
    (bridges,) = [each for each in thin if getattr(each, "name", "") == "bridges"]
    assert (bridges.rows[0][:2], bridges.rows[0][2].text) == (("s0", "i3"), "3")
    whole = connectivity(labelled(binomial(np.ones((5, 6)), np.ones((5, 6)))))
    assert "No single cell holds systems together" in said(whole)


def test_a_large_share_of_links_holds_well():
    responses = draw(0, n_system=20, n_item=15, sparsity=0.3)
    assert "That holds well." in said(connectivity(labelled(responses)))
    assert design_graph(responses).n_component == 1


def test_the_paragraph_to_cite_says_what_was_done():
    text = citation(ranking(trials=21.3), table())
    for needed in (
        "5 systems on 4 items (70.0%",
        "ranker two_pl, seed 3",
        "21.3 answers",
    ):
        assert needed in text
    assert "Scores were chosen by hand." in text


def test_trust_has_its_place_and_leaves_no_hole():
    with_trust = ranking_page(ranking(), table(), trust=[Text("Hardly at all.")])
    assert "Can it be trusted?" in with_trust
    assert with_trust.index("Hardly at all.") < with_trust.index('id="leaderboard"')
    assert "Can it be trusted?" not in ranking_page(ranking(), table())


def test_a_table_without_a_number_is_still_a_page():
    """No nonsense where nothing is known: no item on a scale, no system with a score."""
    nothing = np.full(5, NAN)
    failed = ranking(score=nothing, rank=nothing, plain_rank=nothing, items=None)
    empty = dataclasses.replace(
        table(), responses=table().responses.hide(jnp.zeros((5, 4), bool))
    )
    assert said(connectivity(empty)) == "No cell was observed."
    assert move_table(failed, table()).rows == ()
    assert "0.0%" in citation(failed, empty)
