"""The examples on the page about running less find what they say."""

import re

import numpy as np
import pytest

from irtjax.active import History
from irtjax.active.pipeline import METHODS, estimate_score, read_answers
from irtjax.data import read_table


@pytest.fixture(scope="module")
def blocks(root):
    text = (root / "docs" / "active.md").read_text()
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.slow
def test_a_plan_in_python(root, blocks, monkeypatch, capsys):
    monkeypatch.chdir(root)
    space = {}
    exec(blocks[0], space)
    found, scores = space["found"], space["scores"]
    assert found.n_answer == 15
    assert found.lower < np.mean(list(scores.values())) < found.upper
    assert f"{found.score:.3f}" in capsys.readouterr().out


@pytest.mark.slow
def test_an_adaptive_test(blocks, capsys):
    space = {}
    exec(blocks[1], space)
    score, sitting = space["score"], space["sitting"]
    assert sitting.done(0.35, 30)
    assert abs(float(score.ability) - 0.7) < 3 * float(score.se)
    assert float(score.full.lower) < space["new"].mean() < float(score.full.upper)
    assert "ordinary" in capsys.readouterr().out


@pytest.mark.slow
def test_the_answers_of_the_example_lead_to_the_score_that_they_hide(root):
    folder = root / "docs" / "examples"
    table = read_table(folder / "history.csv", systems_in="columns", score_is="success")
    history = History.from_table(table)
    found = estimate_score(history, read_answers(folder / "answers.csv", history))
    assert found.lower < 37 / 60 < found.upper
    assert {each.method for each in found.intervals} == set(METHODS)
    text = (root / "docs" / "active.md").read_text()
    for method in METHODS:
        assert f"| `{method}` |" in text
