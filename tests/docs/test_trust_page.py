"""The page on trust: its command prints what it shows, and its example runs."""

import inspect
import io
import re
import shlex

import pytest
from rich.console import Console
from typer.testing import CliRunner

from irtjax import cli
from irtjax.report import drawn, trust_table

FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"[-+−]?\d+(?:\.\d+)?")


@pytest.fixture(scope="module")
def blocks(root):
    found = {}
    for kind, block in FENCE.findall((root / "docs" / "trust.md").read_text()):
        found.setdefault(kind, []).append(block)
    return found


@pytest.fixture(scope="module")
def space(root, blocks):
    """What the example in Python leaves behind."""
    made = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        exec(blocks["python"][0], made)
    return made


def same(shown, printed):
    """Whether two texts agree in their words, and in numbers but for rounding."""
    assert NUMBER.sub("#", shown).split() == NUMBER.sub("#", printed).split()
    numbers = [
        [float(x.replace("−", "-")) for x in NUMBER.findall(text)]
        for text in (shown, printed)
    ]
    assert numbers[0] == pytest.approx(numbers[1], abs=0.02, rel=0.05)


@pytest.mark.slow
def test_the_command_says_what_is_shown(root, blocks, space, monkeypatch, tmp_path):
    """After the example in Python, which compiles the same programs."""
    monkeypatch.chdir(root)
    monkeypatch.setenv("JAX_COMPILATION_CACHE_DIR", str(tmp_path / "cache"))
    words = shlex.split(blocks["bash"][0])
    assert words[:2] == ["./scripts/run", "irtjax"]
    result = CliRunner().invoke(cli.app, words[2:])
    assert result.exit_code == 0, result.stderr
    verdict, table, facts = blocks["text"]
    said = result.stderr
    begin, middle = said.index("Verdict:"), said.index("Sparsity S")
    same(verdict, said[begin:middle])
    same(facts, said[middle:])
    console = Console(file=io.StringIO(), width=80)
    console.print(drawn(trust_table(space["found"]), 0, 80))
    same(table, console.file.getvalue())
    header = result.stdout.splitlines()[0].split("\t")
    for name in header[1:]:
        assert f"`{name}`" in (root / "docs" / "trust.md").read_text(), name


@pytest.mark.slow
def test_the_example_in_python(space):
    found = space["found"]
    assert found.verdict.average_safe is False
    assert found.expected["average"].rho < found.expected[found.verdict.ranker].rho


def test_every_option_that_is_named_exists(blocks, root):
    text = (root / "docs" / "trust.md").read_text()
    known = set(inspect.signature(cli.trust).parameters) | {"trust", "json"}
    for name in re.findall(r"(?<!-)--([a-z][a-z-]*)", text):
        assert name.replace("-", "_") in known, name
