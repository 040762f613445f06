"""The page on comparing: its commands and its example do what it says."""

import re
import shlex

import pytest
from typer.testing import CliRunner

from irtjax import cli

FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def blocks(root):
    found = {}
    for kind, block in FENCE.findall((root / "docs" / "comparing.md").read_text()):
        found.setdefault(kind, []).append(block)
    return found


@pytest.fixture
def folder(root, tmp_path, monkeypatch):
    """A folder with the examples in their place, to write beside."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "examples").symlink_to(root / "docs" / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JAX_COMPILATION_CACHE_DIR", str(tmp_path / "cache"))


def typed(block):
    """Return what each command of a block prints, and what it says beside."""
    results = []
    for line in block.replace("\\\n", " ").strip().splitlines():
        words = shlex.split(line)
        arguments = words[words.index("irtjax") + 1 :]
        result = CliRunner().invoke(cli.app, arguments)
        assert result.exit_code == 0, result.stderr
        results.append(result)
    return results


def test_two_systems(blocks, folder):
    (result,) = typed(blocks["bash"][0])
    assert "alder is the better one with probability" in result.stderr
    for column in ("difference", "p_value", "test", "p_beats", "items"):
        assert column in result.stdout.splitlines()[0].split("\t")


def test_two_snapshots(blocks, folder):
    (result,) = typed(blocks["bash"][1])
    assert "Systems added: oak." in result.stderr
    assert "fir moved by" in result.stderr
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    moved = rows[0].index("moved")
    assert [row[0] for row in rows if row[moved] == "yes"] == ["fir"]


def test_a_bank_and_scores_on_it(blocks, folder):
    made, scored = typed(blocks["sh"][0])
    assert "Wrote 12 items to bank.json." in made.stderr
    assert len(scored.stdout.splitlines()) == 8


def test_the_example_in_python(blocks, folder, capsys):
    exec(blocks["python"][0], {})
    assert capsys.readouterr().out.splitlines()[-1] == "['fir']"
