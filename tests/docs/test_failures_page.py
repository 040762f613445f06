"""The examples on the page about failures run; it names every method there is."""

import re

import pytest

from irtjax.active.failures import FAILURE_METHODS
from irtjax.clients import Replay


def test_every_method_is_explained(root):
    text = (root / "docs" / "failures.md").read_text()
    table = text.split("| method | what it asks next |")[1].split("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == set(
        FAILURE_METHODS
    )


@pytest.mark.slow
def test_the_examples_run(root, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = (root / "docs" / "failures.md").read_text()
    space = {}
    for block in re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        exec(block, space)
    found = space["found"]
    assert found["failures"].failures > found["random"].failures
    assert found["novelty"].novel >= found["random"].novel
    assert space["result"].failures() > 0
    assert "written questions" in capsys.readouterr().out
    assert isinstance(space["client"], Replay)
    assert list(tmp_path.iterdir()) == []
