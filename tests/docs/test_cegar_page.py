"""The page on growing metrics: its commands print what it shows, its Python runs."""

import inspect
import re
import shlex
from pathlib import Path

import jax
import numpy as np
import pytest
from typer.testing import CliRunner

from irtjax import cli
from irtjax.cegar import FLAG, load_pool
from irtjax.cegar.sandbox import Bubblewrap, WorkerError
from irtjax.cegar.suite import short_answer_cases
from irtjax.clients import MissingRecordingError

FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"[-+]?\d[\d.,]*(?:e-\d+)?")


@pytest.fixture(scope="module", autouse=True)
def _bubblewrap():
    try:
        Bubblewrap().reach().close()
    except WorkerError as error:
        pytest.skip(f"no bubblewrap: {error}")


@pytest.fixture(scope="module")
def blocks(root):
    found = {}
    for kind, block in FENCE.findall((root / "docs" / "cegar.md").read_text()):
        found.setdefault(kind, []).append(block)
    return found


@pytest.fixture(scope="module")
def space(blocks):
    """What all examples in Python leave behind, in one name space as on the page."""
    made = {}
    for block in blocks["python"]:
        exec(block, made)
    return made


@pytest.fixture
def settings(tmp_path, monkeypatch):
    """An empty folder for caches, and JAX's settings as they were afterwards."""
    before = jax.config.jax_persistent_cache_min_compile_time_secs
    monkeypatch.setenv("JAX_COMPILATION_CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    yield
    jax.config.update("jax_compilation_cache_dir", None)
    jax.config.update("jax_persistent_cache_min_compile_time_secs", before)


@pytest.mark.slow
def test_the_short_answers(root, blocks, settings, tmp_path, monkeypatch):
    grow, judge = (shlex.split(block)[2:] for block in blocks["bash"][:2])
    example = root / grow[1]
    monkeypatch.chdir(tmp_path)
    Path("docs/examples").mkdir(parents=True)
    Path(grow[1]).write_text(example.read_text())
    result = CliRunner().invoke(cli.app, grow)
    assert result.exit_code == 0, result.stderr
    said = result.stderr.partition("\n")[2]
    shown = blocks["text"][0]
    assert NUMBER.sub("#", said).split() == NUMBER.sub("#", shown).split()
    assert NUMBER.findall(said) == NUMBER.findall(shown)
    written = {path.name for path in Path("pool").iterdir()}
    assert written == {"pool.json", "operator_1.py", "archive.jsonl", "report.md"}
    result = CliRunner().invoke(cli.app, judge)
    assert result.exit_code == 0, result.stderr
    assert len(result.stdout.splitlines()) == 61
    assert "grown on 36 of these tasks" in result.stderr
    reason = load_pool(Path("pool")).operators[0].name
    assert reason in Path("verdicts.csv").read_text()


@pytest.mark.slow
def test_the_example_in_python(space, capsys):
    n_pool = len(space["grown"].pool.operators)
    assert n_pool >= 1
    assert space["found"].gain.delta > 0
    assert space["verdicts"].shape == (n_pool + 1, len(space["panel"].task))
    table = space["table"]
    assert len(table.system_ids) == n_pool + 1
    assert np.isfinite(space["ranking"].score).all()


@pytest.mark.slow
def test_an_operator_of_ones_own_passes_the_gate(space):
    answers = short_answer_cases(0, 40)
    with space["Harness"](space["sandbox"]) as harness:
        grown = space["grown_with_mine"](answers.cases, answers.labels, harness)
    (attempt, *_) = grown.run.archive
    assert attempt.operator == space["doubtful"]
    assert (attempt.verdicts == FLAG).any()
    assert attempt.admitted, attempt.reason


@pytest.mark.slow
def test_judges_ask_for_a_recording(space, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MissingRecordingError, match=r"openai gpt-4.1-mini"):
        space["judged"](space["cases"], "replay")


def test_every_option_that_is_named_exists(root):
    text = (root / "docs" / "cegar.md").read_text()
    known = {*inspect.signature(cli.evolve).parameters}
    known |= {*inspect.signature(cli.judge).parameters}
    for name in re.findall(r"(?<!-)--([a-z][a-z-]*)", text):
        assert name.replace("-", "_") in known, name
