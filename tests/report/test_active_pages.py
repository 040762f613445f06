"""Pages, data and lines about plans, estimates, cells and banks, from values by hand."""

import json

import jax.numpy as jnp
import numpy as np

from irtjax.active import History
from irtjax.active.cells import NextCells
from irtjax.active.pipeline import (
    CategoryScore,
    Interval,
    Plan,
    ScoreDifference,
    ScoreEstimate,
)
from irtjax.data import table_from_matrix
from irtjax.irt import TwoPL
from irtjax.irt.scoring import bank_from_values
from irtjax.report import (
    bank_lines,
    constant_item_remarks,
    estimate_lines,
    estimate_page,
    estimate_record,
    estimate_remarks,
    next_lines,
    next_page,
    next_record,
    next_remarks,
    plan_page,
    plan_record,
    plan_remarks,
)

from ._example import table

CELLS = NextCells(
    source="small.csv",
    choice="expected_gain",
    system_ids=("<b> & [red]", 3, "<b> & [red]"),
    item_ids=("y", "w", "z"),
    value=np.array([0.5, 0.25, 0.125]),
    cost=np.array([1.0, 2.0, 1.0]),
    error=2.5,
    error_after=1.75,
    most_error=10.0,
    seed=3,
)


def test_cells():
    assert CELLS.by_system() == {"<b> & [red]": ("y", "z"), 3: ("w",)}
    lines = next_lines(CELLS).splitlines()
    assert lines[0] == "system\titem\tvalue\tcost"
    assert lines[2] == "3\tw\t0.25\t2"
    record = json.loads(json.dumps(next_record(CELLS)))
    assert record["cells"][1] == {"system": 3, "item": "w", "value": 0.25, "cost": 2.0}
    said = " ".join(next_remarks(CELLS))
    assert "3 cells, chosen by expected_gain, of cost 4" in said
    assert "2.5 now, 1.75" in said
    page = next_page(CELLS, table())
    assert "&lt;b&gt; &amp; [red]" in page
    assert "<b> &" not in page
    assert "seed 3" in page


def history():
    scores = np.array([[1.0, 0, 1], [0, 0, 1], [1, 1, 1], [0, 0, 0]])
    return History.from_array(
        scores, score_is="success", item_ids=["w", "x", "<y>", "z"], source="old.csv"
    )


PLAN = Plan(("<y>", "w"), np.array([True, False]), "abc", "AutomaticDesign", 7)


def test_plan():
    record = json.loads(json.dumps(plan_record(PLAN, history())))
    assert record["items"] == [
        {"item": "<y>", "sampled": True},
        {"item": "w", "sampled": False},
    ]
    assert record["history"] == "abc"
    [said] = plan_remarks(PLAN, history())
    assert "2 of 4 items, by AutomaticDesign, 1 of them drawn by chance" in said
    page = plan_page(PLAN, history())
    assert "&lt;y&gt;" in page
    # The plan's two items: means 1 and 2/3; all four: 1/2.
    assert "0.833, all items one of 0.500" in page


ESTIMATE = ScoreEstimate(
    intervals=(
        Interval("model", 0.5, 0.4, 0.6),
        Interval("left out", 0.5, 0.375, 0.625),
    ),
    categories=(CategoryScore("<hard>", Interval("model", 0.25, 0.125, 0.5), 30, 4),),
    level=0.9,
    n_item=60,
    n_answer=12,
    missing=("q1",),
    score_is="failure",
    source="old.csv",
    name="new.csv",
    notes=("A note.",),
)
DIFFERENCE = ScoreDifference(
    "new.csv", "other.csv", -0.25, -0.5, 0.125, 0.0625, 0.9, 11, "failure"
)


def test_estimate():
    lines = estimate_lines(ESTIMATE, DIFFERENCE).splitlines()
    assert lines[1] == "all\t0.5\t0.4\t0.6\tmodel\t12\t60"
    assert lines[3] == "<hard>\t0.25\t0.125\t0.5\tmodel\t4\t30"
    assert lines[4].startswith("new.csv - other.csv\t-0.25\t-0.5\t0.125")
    assert len(estimate_lines(ESTIMATE, None).splitlines()) == 4
    record = json.loads(json.dumps(estimate_record(ESTIMATE, DIFFERENCE)))
    assert (record["score"], record["lower"], record["upper"]) == (0.5, 0.4, 0.6)
    assert record["categories"][0]["category"] == "<hard>"
    assert record["difference"]["chance_above"] == 0.0625
    assert "difference" not in estimate_record(ESTIMATE, None)
    said = " ".join(estimate_remarks(ESTIMATE, DIFFERENCE))
    assert "12 of 60 items answered; scores count failure" in said
    assert "90% interval 0.4000 to 0.6000" in said
    assert said.endswith("A note.")
    page = estimate_page(ESTIMATE, DIFFERENCE)
    assert "&lt;hard&gt;" in page
    assert "A note." in page
    assert "other.csv" in page


def test_bank():
    values = {"difficulty": jnp.array([0.5, -1.0]), "discrimination": jnp.ones(2)}
    errors = {"discrimination": jnp.array([0.25, 0.5])}
    lines = bank_lines(bank_from_values(TwoPL(), [7, "b"], values, errors=errors))
    assert lines.splitlines() == [
        "item\tdifficulty\tdifficulty_se\tdiscrimination\tdiscrimination_se",
        "7\t0.5\t0\t1\t0.25",
        "b\t-1\t0\t1\t0.5",
    ]
    alike = table_from_matrix(
        np.array([[1.0, 1, 0], [1, 0, np.nan], [1, 0, 0]]), score_is="success"
    )
    [said] = constant_item_remarks(alike)
    assert "2 of the items" in said
    assert said.endswith(": 0, 2.")
    assert constant_item_remarks(alike.select(items=[1, 0]))[0].endswith(": 0.")
