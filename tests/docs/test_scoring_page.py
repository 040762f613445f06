"""The example on the page about scoring runs, and prints scores with their codes."""

import re


def test_the_example_runs(root, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = (root / "docs" / "scoring.md").read_text()
    (block,) = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    space = {}
    exec(block, space)
    assert (tmp_path / "bank.json").is_file()
    assert space["scores"].ability.shape == (2,)
    assert "ordinary" in capsys.readouterr().out
