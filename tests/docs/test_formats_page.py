"""The page on evaluation tools: its commands run on results written here."""

import importlib.util
import re
import shlex
from typing import get_args

import jax
import pytest

from irtjax.cegar import Label
from irtjax.cegar.tasks import read_evalplus
from irtjax.data.formats import Format

from ..cegar.tasks import written
from ..cli.commands import done, rows_of
from ..data.formats import test_inspect
from ..data.formats.written import evalplus, harness, helm_run, sample, stat, submission

FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
MARKS = {"one": (1, 0, 1), "two": (0, 0, 1), "three": (1, 1, 1)}


@pytest.fixture(scope="module")
def page(root):
    return (root / "docs" / "formats.md").read_text()


@pytest.fixture
def results(tmp_path, monkeypatch):
    """The folders that the page names, in the current one."""
    before = jax.config.jax_persistent_cache_min_compile_time_secs
    monkeypatch.setenv("JAX_COMPILATION_CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    for system, marks in MARKS.items():
        rows = [sample(k, acc=float(m), acc_norm=1.0) for k, m in enumerate(marks)]
        harness(tmp_path / "lm_eval_output", system, "arc", rows)
        entries = [
            (f"id{k}", 0, [stat("exact_match", float(m)), stat("f1", 0.5)], None)
            for k, m in enumerate(marks)
        ]
        runs = tmp_path / "benchmark_output" / "runs" / "my-suite"
        helm_run(runs, system, "boolq:data=x", entries)
        solved = [f"r-{k}" for k, m in enumerate(marks) if m]
        verified = tmp_path / "experiments" / "evaluation" / "verified"
        submission(verified, f"20250101_{system}", solved, no_logs=["r-1"])
        tasks = {
            f"Mbpp/{k}": [("pass", "pass" if m else "fail")]
            for k, m in enumerate(marks)
        }
        evalplus(tmp_path / "evalplus_results", system, tasks)
    yield tmp_path
    jax.config.update("jax_compilation_cache_dir", None)
    jax.config.update("jax_persistent_cache_min_compile_time_secs", before)


def test_every_format_is_in_the_table(page):
    table = page.split("| `--format` |")[1].split("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == set(
        get_args(Format)
    )


def test_every_command_ranks(page, results):
    commands = [
        shlex.split(text) for kind, text in FENCE.findall(page) if kind == "bash"
    ]
    assert len(commands) == len(get_args(Format))
    for command in commands:
        assert command[:2] == ["./scripts/run", "irtjax"]
    for _, _, *arguments in commands:
        if "logs" in arguments:
            continue
        result = done(*arguments, "--ranker", "average")
        best = [row["system"] for row in rows_of(result.stdout)]
        assert [each.split("_")[-1] for each in best] == ["three", "one", "two"]


@pytest.mark.skipif(
    importlib.util.find_spec("inspect_ai") is None, reason="inspect-ai is not installed"
)
@pytest.mark.filterwarnings("ignore")
def test_the_command_for_inspect_ranks(page, results):
    for system, marks in MARKS.items():
        rows = [(k, 1, {"match": "CI"[1 - m]}, False) for k, m in enumerate(marks)]
        test_inspect.log(results / "logs" / f"{system}.eval", system, rows)
    command = next(text for _, text in FENCE.findall(page) if "rank logs" in text)
    result = done(*shlex.split(command)[2:], "--ranker", "average")
    assert rows_of(result.stdout)[0]["system"] == "three"


def test_the_lines_of_python_run(page, results, capsys):
    space = {}
    block, *_ = [text for kind, text in FENCE.findall(page) if kind == "python"]
    exec(block, space)
    assert "EvalPlus results, 3 files" in capsys.readouterr().out
    assert space["ranking"].system_ids == ("one", "three", "two")


def test_the_lines_on_programs_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written.lines(tmp_path / "MbppPlus.jsonl.gz", [written.MBPP])
    (tmp_path / "samples").mkdir()
    right, wrong = written.PROGRAMS["Mbpp/9001"][:2]
    for name, text in (("a", right), ("b", wrong)):
        rows = [{"task_id": "Mbpp/9001", "solution": text}]
        written.lines(tmp_path / "samples" / f"{name}.jsonl", rows)
    answer = {"question": "2+2?", "answer": "4", "label": True}
    written.lines(tmp_path / "answers.jsonl", [answer, answer])
    space = {}
    for text in [text for kind, text in FENCE.findall(page) if kind == "python"][1:]:
        exec(text, space)
    assert space["labels"] == [[Label(True, True), Label(True, False)]]
    assert [each.sources for each in space["cases"][0].candidates] == [
        {"a": 1},
        {"b": 1},
    ]
    assert len(space["cases"][0].task.inputs) == 24
    assert space["panel"].count.tolist() == [2]


def test_the_listed_conversions_are_those_made(page, shared):
    """The page's table of converted tasks against the published file."""
    path = shared / "data" / "programs" / "MbppPlus.jsonl.gz"
    converted = read_evalplus(path).converted
    table = page.split("| arguments | tasks |")[1].split("\n\n")[0]
    listed = re.findall(r"\b\d+\b", table)
    assert sorted(listed) == sorted(name.split("/")[1] for name in converted)
    assert f"these are {len(converted)}:" in page
